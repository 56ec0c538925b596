#include "tumble/model/check/value_rules.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tumble/base/diagnostic.hpp"

namespace tumble {

std::string_view range_fault(Range range, double value, std::string_view unit) {
  static_assert(largest_number == 1e30 && largest_length == 1e15 && smallest_positive == 1e-100,
                "the sentences below say so");
  if (!std::isfinite(value)) return "must be finite";
  if (unit == "m" && std::fabs(value) > largest_length)
    return "must be between -1e15 and 1e15, as every length";
  if (std::fabs(value) > largest_number) return "must be between -1e30 and 1e30, as every number";
  switch (range) {
    case Range::any:
      break;
    case Range::positive:
      if (value <= 0) return "must be > 0";
      if (value < smallest_positive) return "must be at least 1e-100";
      break;
    case Range::non_negative:
      if (value < 0) return "must be >= 0";
      break;
    case Range::fraction:
      if (value < 0 || value > 1) return "must be between 0 and 1";
      break;
  }
  return {};
}

std::optional<ValueFault> orientation_fault(const Orientation& orientation) {
  using Form = Orientation::Form;
  const auto& n = orientation.numbers;
  const std::size_t size = orientation.form == Form::quaternion ? 4
                           : orientation.form == Form::axes     ? 6
                                                                : 3;
  const std::string shown = format_list(n.data(), n.size());
  if (n.size() != size) return ValueFault{shown, fmt::format("must have {} numbers", size)};
  double square = 0;
  for (const double x : n) square += x * x;
  if (!std::isfinite(square)) return std::nullopt;
  if (orientation.form == Form::quaternion && !(square > 1e-20))
    return ValueFault{shown, "a quaternion must not be zero"};
  if (orientation.form == Form::axes) {
    const Vec3d x{n[0], n[1], n[2]}, y{n[3], n[4], n[5]};
    if (!(norm(cross(x, y)) > 1e-9 * norm(x) * norm(y)))
      return ValueFault{shown, "the axes x and y must be independent directions"};
  }
  if (orientation.form == Form::euler) {
    const auto axis = [](char c) { return c >= 'x' ? c - 'x' : c >= 'X' ? c - 'X' : c - '1'; };
    const std::string& s = orientation.sequence;
    bool good = s.size() == 3;
    for (const char c : s) good = good && axis(c) >= 0 && axis(c) <= 2;
    if (!good || axis(s[0]) == axis(s[1]) || axis(s[1]) == axis(s[2]))
      return ValueFault{
          "'" + s + "'",
          "the sequence must be three axes like 123, 313 or xyz, no two neighbours alike"};
  }
  return std::nullopt;
}

std::string format_list(const double* values, std::size_t size) {
  std::string text = "[";
  for (std::size_t i = 0; i < size; ++i) {
    if (i > 0) text += ", ";
    text += format_number(values[i]);
  }
  return text + "]";
}

std::string format_vector(const Vec3d& v) {
  const double values[3] = {v.x, v.y, v.z};
  return format_list(values, 3);
}

}  // namespace tumble
