#include "tumble/io/text/number_with_unit.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

namespace tumble {
namespace {

/// A unit as a multiple of powers of m, kg and s; angles are pure numbers.
struct UnitValue {
  double factor = 1;
  std::array<int, 3> powers{};
};

struct NamedUnit {
  std::string_view name;
  UnitValue value;
  bool takes_prefix = false;
};

constexpr double degree = std::numbers::pi / 180;

constexpr NamedUnit units[] = {
    {"m", {1, {1, 0, 0}}, true},
    {"g", {1e-3, {0, 1, 0}}, true},
    {"s", {1, {0, 0, 1}}, true},
    {"N", {1, {1, 1, -2}}, true},
    {"Pa", {1, {-1, 1, -2}}, true},
    {"J", {1, {2, 1, -2}}, true},
    {"W", {1, {2, 1, -3}}, true},
    {"Hz", {1, {0, 0, -1}}, true},
    {"rad", {1, {}}, true},
    {"t", {1e3, {0, 1, 0}}},
    {"bar", {1e5, {-1, 1, -2}}},
    {"min", {60, {0, 0, 1}}},
    {"h", {3600, {0, 0, 1}}},
    {"Nm", {1, {2, 1, -2}}},
    {"deg", {degree, {}}},
    {"degree", {degree, {}}},
    {"degrees", {degree, {}}},
    {"\u00b0", {degree, {}}},
    {"%", {0.01, {}}},
    {"percent", {0.01, {}}},
    {"rpm", {std::numbers::pi / 30, {0, 0, -1}}},
    {"kph", {1 / 3.6, {1, 0, -1}}},
    {"in", {0.0254, {1, 0, 0}}},
    {"ft", {0.3048, {1, 0, 0}}},
    {"lb", {0.45359237, {0, 1, 0}}},
};

struct Prefix {
  std::string_view name;
  double factor;
};
constexpr Prefix prefixes[] = {{"G", 1e9},  {"M", 1e6},  {"k", 1e3},       {"c", 1e-2},
                               {"m", 1e-3}, {"u", 1e-6}, {"\u00b5", 1e-6}, {"n", 1e-9}};

std::optional<UnitValue> named(std::string_view name) {
  for (const NamedUnit& unit : units)
    if (unit.name == name) return unit.value;
  for (const NamedUnit& unit : units)
    for (const Prefix& prefix : prefixes)
      if (unit.takes_prefix && name.starts_with(prefix.name) &&
          name.substr(prefix.name.size()) == unit.name)
        return UnitValue{prefix.factor * unit.value.factor, unit.value.powers};
  return std::nullopt;
}

bool is_separator(char c) { return c == ' ' || c == '*' || c == '/'; }

/// "kg m^2", "N*s/m", "g/cm3".
std::optional<UnitValue> parse_unit(std::string_view text) {
  UnitValue all;
  int sign = 1;
  while (!text.empty()) {
    if (is_separator(text.front())) {
      if (text.front() == '/') sign = -1;
      text.remove_prefix(1);
      continue;
    }
    std::size_t end = 0;
    while (end < text.size() && !is_separator(text[end]) && text[end] != '^' && text[end] != '-' &&
           !(text[end] >= '0' && text[end] <= '9'))
      ++end;
    const auto unit = named(text.substr(0, end));
    if (!unit) return std::nullopt;
    text.remove_prefix(end);
    if (text.starts_with('^')) text.remove_prefix(1);
    int power = 1;
    if (!text.empty() && !is_separator(text.front())) {
      const auto [after, status] = std::from_chars(text.data(), text.data() + text.size(), power);
      if (status != std::errc{} || power < -9 || power > 9) return std::nullopt;
      text.remove_prefix(static_cast<std::size_t>(after - text.data()));
    }
    power *= sign;
    sign = 1;
    all.factor *= std::pow(unit->factor, power);
    for (std::size_t i = 0; i < all.powers.size(); ++i) all.powers[i] += power * unit->powers[i];
  }
  return all;
}

/// Rounded to what the product of a decimal number and a power of ten is meant to be.
std::string decimal(double x) { return fmt::format("{:.12g}", x); }

}  // namespace

std::string advice_for_unit(std::string_view text, std::string_view unit) {
  while (text.ends_with(' ')) text.remove_suffix(1);
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [after, status] = std::from_chars(text.data(), end, number);
  if (status != std::errc{} || after == end || !std::isfinite(number)) return {};
  const std::string_view figures(text.data(), static_cast<std::size_t>(after - text.data()));
  std::string_view written(after, static_cast<std::size_t>(end - after));
  while (written.starts_with(' ')) written.remove_prefix(1);
  if (is_separator(written.front())) return {};
  const auto given = parse_unit(written);
  if (!given) return {};
  const std::string in = unit.empty() || unit == "1" ? "" : fmt::format(", in {}", unit);
  const auto wanted = parse_unit(unit == "1" ? std::string_view{} : unit);
  // Of a constant nobody knows the unit; a unit such as "N, N m" means one thing or another.
  const bool fits = unit.empty() || (wanted && wanted->powers == given->powers);
  if (!fits) return fmt::format("write a number{} and without a unit", in);
  const bool angle = written == "deg" || written.starts_with("degree") || written == "\u00b0";
  if (angle) return fmt::format("write {}*deg", figures);
  const bool share = written == "%" || written == "percent";
  const double scaled = number * given->factor / (wanted ? wanted->factor : 1.0);
  const std::string plain = scaled == number ? std::string(figures) : decimal(scaled);
  if (share) return fmt::format("write {}", plain);
  return fmt::format("write {}{} and without a unit", plain, unit.empty() ? ", in SI units" : in);
}

}  // namespace tumble
