#include "tumble/io/model/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <stdexcept>

#include "tumble/base/diagnostic.hpp"
#include "tumble/io/text/document.hpp"
#include "tumble/io/text/expression.hpp"

namespace tumble {
namespace {

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\n");
  if (first == text.npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\n") - first + 1));
}

/// Split at the commas that are not inside brackets, braces or quotes.
std::vector<std::string> split_values(std::string_view text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  int depth = 0;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (quote == '"' && c == '\\') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '{' || c == '(') {
      ++depth;
    } else if (c == ']' || c == '}' || c == ')') {
      --depth;
    } else if (c == ',' && depth == 0) {
      parts.push_back(trimmed(text.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  if (depth != 0 || quote != 0)
    throw std::invalid_argument("a bracket or a quotation mark has no partner");
  parts.push_back(trimmed(text.substr(begin)));
  return parts;
}

/// Adds the numbers of FROM:TO:N, or says that `text` is no such range.
bool add_range(std::string_view text, std::vector<std::string>& values) {
  const auto first = text.find(':');
  const auto second = first == text.npos ? text.npos : text.find(':', first + 1);
  if (second == text.npos) return false;
  const auto from = parse_number(text.substr(0, first));
  const auto to = parse_number(text.substr(first + 1, second - first - 1));
  if (!from || !to) return false;
  const std::string_view count_text = text.substr(second + 1);
  std::size_t n = 0;
  const auto [end, error] =
      std::from_chars(count_text.data(), count_text.data() + count_text.size(), n);
  if (error != std::errc() || end != count_text.data() + count_text.size() || n < 2 ||
      n > Sweep::most_points)
    throw std::invalid_argument(
        fmt::format("'{}': the last part of FROM:TO:N must be a whole number from 2 to {}",
                    printable(text), Sweep::most_points));
  const double last = static_cast<double>(n - 1);
  for (std::size_t i = 0; i < n; ++i) {
    // Weights of both ends, not steps from one. Multiplied before they are divided, whole numbers
    // are exact as long as the products are; decimals get the digits that were meant, as rounding
    // to 15 of them takes the last place away in which the sum may be off.
    const double k = static_cast<double>(i);
    const double x = (*from * (last - k) + *to * k) / last;
    const double tidy = parse_number(fmt::format("{:.15g}", x)).value_or(x);
    values.push_back(format_number(i == 0 ? *from : i == n - 1 ? *to : tidy));
  }
  return true;
}

}  // namespace

SweepAxis parse_sweep_axis(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == text.npos)
    throw std::invalid_argument("must have the form PATH[,PATH2...]=VALUE[,VALUE2...]");
  SweepAxis axis;
  const std::string_view paths = text.substr(0, equals);
  for (std::size_t begin = 0; begin <= paths.size();) {
    const std::size_t end = std::min(paths.find(',', begin), paths.size());
    axis.paths.push_back(trimmed(paths.substr(begin, end - begin)));
    if (axis.paths.back().empty()) throw std::invalid_argument("a path is missing before '='");
    begin = end + 1;
  }
  for (std::string& part : split_values(text.substr(equals + 1))) {
    if (part.empty()) throw std::invalid_argument("a value is missing after '='");
    if (!add_range(part, axis.values)) axis.values.push_back(std::move(part));
  }
  return axis;
}

Sweep::Sweep(std::vector<SweepAxis> axes) : axes_(std::move(axes)) {
  if (axes_.empty()) throw std::invalid_argument("nothing to vary");
  std::set<std::string> seen;
  for (const SweepAxis& axis : axes_) {
    for (const std::string& path : axis.paths)
      if (!seen.insert(path).second)
        throw std::invalid_argument(fmt::format("'{}' is varied twice", printable(path)));
    points_ *= axis.values.size();
    if (points_ > most_points)
      throw std::invalid_argument(
          fmt::format("these values have more than {} combinations", most_points));
  }
}

const std::string& Sweep::value(std::size_t axis, std::size_t point) const {
  std::size_t faster = 1;
  for (std::size_t i = axis + 1; i < axes_.size(); ++i) faster *= axes_[i].values.size();
  const auto& values = axes_[axis].values;
  return values[point / faster % values.size()];
}

std::vector<std::string> Sweep::overrides(std::size_t point) const {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < axes_.size(); ++i)
    for (const std::string& path : axes_[i].paths)
      result.push_back(fmt::format("{}={}", path, value(i, point)));
  return result;
}

std::optional<double> sweep_number(std::string_view value) {
  const NameScope no_names{[](const std::string&, double&) { return NameScope::Found::no; },
                           [](const std::string&) { return std::string(); }};
  return evaluate(value, no_names).value;
}

}  // namespace tumble
