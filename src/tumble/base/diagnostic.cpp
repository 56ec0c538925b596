#include "tumble/base/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace tumble {

std::string to_string(const Diagnostic& d) {
  std::string text;
  if (!d.where.file.empty()) {
    text += d.where.file;
    if (d.where.line > 0) text += fmt::format(":{}", d.where.line);
    text += ": ";
  }
  if (!d.element.empty()) text += d.element + ": ";
  text += d.field;
  if (!d.value.empty()) {
    if (!d.field.empty()) text += " = ";
    text += d.value;
    if (!d.unit.empty()) text += " " + d.unit;
  } else if (!d.unit.empty()) {
    text += " [" + d.unit + "]";
  }
  if (!d.field.empty() || !d.value.empty()) text += ", ";
  text += d.expectation;
  if (!d.suggestion.empty()) text += "; did you mean '" + d.suggestion + "'?";
  return text;
}

namespace {
std::string joined(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const auto& d : diagnostics) {
    if (!text.empty()) text += '\n';
    text += to_string(d);
  }
  return text;
}
}  // namespace

InputError::InputError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(joined(diagnostics)), diagnostics_(std::move(diagnostics)) {}

std::string nearest_name(std::string_view name, const std::vector<std::string>& known) {
  // Optimal string alignment distance: one insertion, deletion, substitution or swap costs 1.
  const auto distance = [](std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
      row[0] = i;
      for (std::size_t j = 1; j <= b.size(); ++j) {
        row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
          row[j] = std::min(row[j], before[j - 2] + 1);
      }
      before.swap(last);
      last.swap(row);
    }
    return last[b.size()];
  };
  if (name.size() > 64) return {};
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (const auto& candidate : known) {
    const std::size_t d = distance(name, candidate);
    // A name of one letter is a slip of any other such name: no suggestion.
    if (d < best_distance && d < name.size()) best_distance = d, best = candidate;
  }
  return best;
}

std::string format_number(double value) { return fmt::format("{}", value); }

}  // namespace tumble
