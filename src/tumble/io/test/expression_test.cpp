#include "tumble/io/text/expression.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tumble/base/diagnostic.hpp"

namespace tumble {
namespace {

NameScope scope() {
  return {[](const std::string& name, double& value) {
            if (name == "broken") return NameScope::Found::broken;
            if (name != "radius") return NameScope::Found::no;
            value = 3;
            return NameScope::Found::yes;
          },
          [](const std::string& name) {
            auto known = builtin_names();
            known.emplace_back("radius");
            return nearest_name(name, known);
          }};
}

TEST(Expression, Values) {
  const double pi = std::numbers::pi;
  const std::pair<const char*, double> table[] = {
      {"3", 3},
      {"1e-5", 1e-5},
      {"1E5", 1e5},
      {".5", 0.5},
      {"5.", 5},
      {"+2", 2},
      {"-2", -2},
      {"--2", 2},
      {"1 + 2 * 3", 7},
      {"(1 + 2) * 3", 9},
      {"7 - 2 - 1", 4},
      {"8 / 4 / 2", 1},
      {"2^3^2", 512},
      {"-2^2", -4},
      {"(-2)^2", 4},
      {"2^-1", 0.5},
      {"2 * -3", -6},
      {"2*radius", 6},
      {"pi", pi},
      {"180*deg", pi},
      {"sin(pi/2)", 1},
      {"cos(0)", 1},
      {"tan(0.5)", std::tan(0.5)},
      {"asin(1)", pi / 2},
      {"acos(-1)", pi},
      {"atan(1)", pi / 4},
      {"atan2(1, -1)", 3 * pi / 4},
      {"hypot(3, -4)", 5},
      {"sqrt(2)/2", std::sqrt(0.5)},
      {"exp(1)", std::numbers::e},
      {"log(exp(2))", 2},
      {"abs(-3)", 3},
      {"min(2, radius)", 2},
      {"max(2, radius)", 3},
      {"  1\t+\n 1 ", 2},
      {"1e-5*1e5", 1},
  };
  for (const auto& [text, expected] : table) {
    const auto result = evaluate(text, scope());
    ASSERT_TRUE(result.value) << text << ": " << result.error;
    EXPECT_NEAR(*result.value, expected, 4e-16 * std::abs(expected)) << text;
  }
}

TEST(Expression, Mistakes) {
  const std::tuple<const char*, const char*, const char*> table[] = {
      {"", "expected a number, a name or '(' at the end", ""},
      {"2 +", "expected a number, a name or '(' at the end", ""},
      {"2 * )", "expected a number, a name or '(' at position 5", ""},
      {"(2", "expected ')' at the end", ""},
      {"2 3", "expected an operator at position 3", ""},
      {"2e", "expected an operator at position 2", ""},
      {"0x10", "expected an operator at position 2", ""},
      {".", "expected a number at position 1", ""},
      {"sin 3", "expected '(' at position 5", ""},
      {"min(1)", "expected ',' at position 6", ""},
      {"sin(1, 2)", "expected ')' at position 6", ""},
      {"raduis", "unknown name 'raduis'", "radius"},
      {"sqr(2)", "unknown name 'sqr'", "sqrt"},
      {"1/0", "the result is not finite", ""},
      {"0/0", "the result is not finite", ""},
      {"log(0)", "the result is not finite", ""},
      {"10^400", "the result is not finite", ""},
      {"1e400", "the number at position 1 is out of range", ""},
      {"2 ** 3", "expected a number, a name or '(' at position 4", ""},
      {"2 * broken", "", ""},
  };
  for (const auto& [text, error, suggestion] : table) {
    const auto result = evaluate(text, scope());
    EXPECT_FALSE(result.value) << text;
    EXPECT_EQ(result.error, error) << text;
    EXPECT_EQ(result.suggestion, suggestion) << text;
  }
}

TEST(Expression, NestingAndLengthAreLimited) {
  for (const std::string& deep :
       {std::string(3000, '('), std::string(3000, '-') + "1", std::string(300, '(') + "1"}) {
    EXPECT_EQ(evaluate(deep, scope()).error, "the expression is nested more than 100 deep");
  }
  std::string power = "1";
  for (int i = 0; i < 500; ++i) power += "^1";
  EXPECT_EQ(evaluate(power, scope()).error, "the expression is nested more than 100 deep");
  EXPECT_EQ(evaluate(std::string(5000, '1'), scope()).error,
            "the expression has 5000 characters, at most 4096 are allowed");
}

TEST(Expression, PlainNumbers) {
  EXPECT_EQ(parse_number("-1.5e3"), -1500.0);
  EXPECT_EQ(parse_number("+2"), 2.0);
  for (const char* bad : {"", "+", "x", "1 ", "1e999", "inf", "nan", "1,5"})
    EXPECT_FALSE(parse_number(bad)) << bad;
}

}  // namespace
}  // namespace tumble
