// Numbers written as arithmetic: 2 * pi * radius, -30 deg as -30*deg, sqrt(2)/2.
//
//   sum     := product (('+' | '-') product)*
//   product := unary (('*' | '/') unary)*
//   unary   := ('-' | '+') unary | power
//   power   := primary ('^' unary)?                  right to left: 2^3^2 = 2^9, -2^2 = -4
//   primary := number | name | function '(' sum (',' sum)* ')' | '(' sum ')'
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tumble {

/// Where an expression's names come from.
struct NameScope {
  enum class Found { yes, no, broken };  ///< broken: known, but without a value (already reported)
  std::function<Found(const std::string& name, double& value)> look_up;
  std::function<std::string(const std::string& name)> suggest;  ///< nearest known name, or empty
};

struct ExpressionResult {
  std::optional<double> value;
  std::string error;       ///< what was expected and where; empty if there is a value, or if the
                           ///< expression uses a name whose own mistake was reported
  std::string suggestion;  ///< for an unknown name
};

/// The value of `text`; never NaN or infinite.
ExpressionResult evaluate(std::string_view text, const NameScope& scope);

/// pi, deg and the functions: names a constant may not have.
const std::vector<std::string>& builtin_names();

/// Plain decimal number, the whole of `text`.
std::optional<double> parse_number(std::string_view text);

}  // namespace tumble
