#include "tumble/fmu/unit_exponents.hpp"

#include <charconv>

namespace tumble {
namespace {

struct NamedExponents {
  std::string_view name;
  UnitExponents value;
};

constexpr NamedExponents base_units[] = {
    {"1", {}},
    {"kg", {1, 0, 0, 0}},
    {"m", {0, 1, 0, 0}},
    {"s", {0, 0, 1, 0}},
    {"rad", {0, 0, 0, 1}},
    {"Hz", {0, 0, -1, 0}},
    {"N", {1, 1, -2, 0}},
    {"Pa", {1, -1, -2, 0}},
    {"J", {1, 2, -2, 0}},
    {"W", {1, 2, -3, 0}},
};

class UnitParser {
 public:
  explicit UnitParser(std::string_view text) : rest_(text) {}

  /// Factors up to the end, or up to a bracket.
  std::optional<UnitExponents> product() {
    UnitExponents all;
    int sign = 1;
    while (!rest_.empty() && rest_.front() != ')') {
      if (rest_.front() == ' ' || rest_.front() == '/') {
        if (rest_.front() == '/') sign = -1;
        rest_.remove_prefix(1);
        continue;
      }
      const auto one = factor();
      if (!one) return std::nullopt;
      const int n = sign * power_;
      all = {all.kg + n * one->kg, all.m + n * one->m, all.s + n * one->s, all.rad + n * one->rad};
      sign = 1;
    }
    return all;
  }
  bool at_end() const { return rest_.empty(); }

 private:
  std::optional<UnitExponents> factor() {
    std::optional<UnitExponents> value;
    if (rest_.front() == '(') {
      rest_.remove_prefix(1);
      value = product();
      if (rest_.empty()) return std::nullopt;
      rest_.remove_prefix(1);
    } else {
      const std::string_view name = rest_.substr(0, rest_.find_first_of(" /^()"));
      for (const NamedExponents& unit : base_units)
        if (unit.name == name) value = unit.value;
      rest_.remove_prefix(name.size());
    }
    power_ = 1;
    if (rest_.starts_with('^')) {
      rest_.remove_prefix(1);
      const auto [after, status] =
          std::from_chars(rest_.data(), rest_.data() + rest_.size(), power_);
      if (status != std::errc{}) return std::nullopt;
      rest_.remove_prefix(static_cast<std::size_t>(after - rest_.data()));
    }
    return value;
  }

  std::string_view rest_;
  int power_ = 1;
};

}  // namespace

std::optional<UnitExponents> unit_exponents(std::string_view unit) {
  UnitParser parser(unit);
  const auto value = parser.product();
  return parser.at_end() ? value : std::nullopt;
}

}  // namespace tumble
