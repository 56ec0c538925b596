#include "tumble/io/text/expression.hpp"

#include "tumble/io/text/document.hpp"
#include "tumble/model/expression/expression_parser.hpp"

namespace tumble {
namespace {

/// Evaluates while it reads.
class NumberAlgebra {
 public:
  using Value = double;
  explicit NumberAlgebra(const NameScope& scope) : scope_(scope) {}

  double number(double value) { return value; }
  double add(double a, double b) { return a + b; }
  double subtract(double a, double b) { return a - b; }
  double multiply(double a, double b) { return a * b; }
  double divide(double a, double b) { return a / b; }
  double negate(double a) { return -a; }
  double power(double a, double b) { return std::pow(a, b); }
  double call(const std::string&, const FormulaFunction& function, const double* arguments) {
    return function.call(arguments);
  }
  std::size_t name_length(std::string_view rest) const {
    std::size_t length = 0;
    while (length < rest.size() && (is_name_letter(rest[length]) || is_digit(rest[length])))
      ++length;
    return length;
  }
  double name(const std::string& name, const ExpressionParser<NumberAlgebra>&) {
    double value = 0;
    switch (scope_.look_up(name, value)) {
      case NameScope::Found::yes:
        return value;
      case NameScope::Found::broken:
        throw ExpressionFailure{};
      case NameScope::Found::no:
        break;
    }
    throw ExpressionFailure{fmt::format("unknown name '{}'", printable(name)),
                            scope_.suggest(name)};
  }

 private:
  const NameScope& scope_;
};

}  // namespace

ExpressionResult evaluate(std::string_view text, const NameScope& scope) {
  ExpressionResult result;
  try {
    NumberAlgebra algebra(scope);
    const double value = ExpressionParser(text, algebra).whole();
    if (std::isfinite(value))
      result.value = value;
    else
      result.error = "the result is not finite";
  } catch (const ExpressionFailure& failure) {
    result.error = failure.error;
    result.suggestion = failure.suggestion;
  }
  return result;
}

const std::vector<std::string>& builtin_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list{"pi", "deg"};
    for (const auto& [name, function] : formula_functions()) list.push_back(name);
    return list;
  }();
  return names;
}

std::optional<double> parse_number(std::string_view text) {
  if (!text.empty() && text[0] == '+') text.remove_prefix(1);
  double value = 0;
  const auto [after, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || after != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

}  // namespace tumble
