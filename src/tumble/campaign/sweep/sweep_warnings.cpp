#include "tumble/campaign/sweep/sweep_warnings.hpp"

#include <fmt/format.h>

#include <map>

namespace tumble {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The sentence behind its first colon, every number as #.
std::string kind_of(const std::string& sentence) {
  const std::size_t colon = sentence.find(": ");
  const std::string text = colon == std::string::npos ? sentence : sentence.substr(colon);
  std::string kind;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_digit(text[i])) {
      kind += text[i];
      continue;
    }
    kind += '#';
    const auto goes_on = [&](std::size_t k) {
      const bool exponent =
          (text[k] == '-' || text[k] == '+') && (text[k - 1] == 'e' || text[k - 1] == 'E');
      const bool within =
          (text[k] == '.' || text[k] == 'e') && k + 1 < text.size() &&
          (is_digit(text[k + 1]) || (text[k] == 'e' && (text[k + 1] == '-' || text[k + 1] == '+')));
      return is_digit(text[k]) || exponent || within;
    };
    while (i + 1 < text.size() && goes_on(i + 1)) ++i;
  }
  return kind;
}

struct Found {
  std::size_t first = 0, last = 0, points = 0;
  std::string sentence;  ///< of the first point
};

}  // namespace

std::vector<std::string> sweep_warnings(const std::vector<std::vector<std::string>>& of_points,
                                        const std::vector<std::string>& names) {
  std::map<std::string, std::size_t> known;
  std::vector<Found> all;
  for (std::size_t p = 0; p < of_points.size(); ++p)
    for (const std::string& sentence : of_points[p]) {
      const auto [kind, is_new] = known.emplace(kind_of(sentence), all.size());
      if (is_new) all.push_back({p, p, 0, sentence});
      Found& found = all[kind->second];
      if (found.points == 0 || found.last != p) ++found.points;
      found.last = p;
    }
  std::vector<std::string> sentences;
  for (const Found& found : all) {
    if (found.points == 1)
      sentences.push_back(fmt::format("{}: {}", names[found.first], found.sentence));
    else if (found.points == of_points.size())
      sentences.push_back(fmt::format("at all {} points, first at {}: {}", found.points,
                                      names[found.first], found.sentence));
    else
      sentences.push_back(fmt::format("at {} of {} points, first at {}: {}", found.points,
                                      of_points.size(), names[found.first], found.sentence));
  }
  return sentences;
}

}  // namespace tumble
