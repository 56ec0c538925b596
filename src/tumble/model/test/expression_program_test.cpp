// Programs of expressions: values, derivatives by the rules against differences, what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tumble/model/compile/drive_program.hpp"
#include "tumble/model/expression/expression_builder.hpp"
#include "tumble/model/expression/expression_names.hpp"
#include "tumble/model/expression/expression_parser.hpp"

namespace tumble {
namespace {

/// Of the inputs x and y and the parameter p.
struct Compiled {
  explicit Compiled(const std::string& text) {
    const ExpressionSyntax syntax = parse_expression(text);
    if (!syntax.error.empty()) throw ExpressionFailure{syntax.error, {}};
    ExpressionBuilder builder;
    const int root = builder.translate(syntax, [&](const std::string& name) {
      if (name == "p") return builder.parameter(0);
      if (name == "x") return builder.input(0);
      if (name == "y") return builder.input(1);
      throw ExpressionFailure{"unknown " + name, {}};
    });
    program = builder.finish({root}, 2, {true, true});
  }
  void run(double x, double y, double p) {
    constants.assign(static_cast<std::size_t>(program.constants), 0.0);
    program.write_constants({p}, constants.data());
    registers.assign(static_cast<std::size_t>(program.registers()), 0.0);
    registers[0] = x, registers[1] = y;
    program.run_values(constants.data(), registers.data());
    program.run_partials(constants.data(), registers.data());
  }
  double at(int operand) const {
    return program.operand(operand, constants.data(), registers.data());
  }
  double value() const { return at(program.outputs[0]); }
  double slope(int input) const {
    for (const auto& partial : program.partials)
      if (partial.input == input) return at(partial.value);
    return 0;
  }
  ExpressionProgram program;
  std::vector<double> constants, registers;
};

struct Sample {
  const char* text;
  double (*value)(double x, double y, double p);
};
const Sample samples[] = {
    {"x + y*p", [](double x, double y, double p) { return x + y * p; }},
    {"-p*x - 3*abs(y)*y",
     [](double x, double y, double p) { return -p * x - 3 * std::fabs(y) * y; }},
    {"x/(y + 3)", [](double x, double y, double) { return x / (y + 3); }},
    {"x^3 - (y + 3)^-2",
     [](double x, double y, double) { return x * x * x - 1 / ((y + 3) * (y + 3)); }},
    {"(x^2 + 1)^1.5", [](double x, double, double) { return std::pow(x * x + 1, 1.5); }},
    {"sqrt(x^2 + p)", [](double x, double, double p) { return std::sqrt(x * x + p); }},
    {"sin(p*x)*cos(y)", [](double x, double y, double p) { return std::sin(p * x) * std::cos(y); }},
    {"tan(0.4*x)", [](double x, double, double) { return std::tan(0.4 * x); }},
    {"asin(0.3*x) + acos(0.2*y)",
     [](double x, double y, double) { return std::asin(0.3 * x) + std::acos(0.2 * y); }},
    {"atan(x*y)", [](double x, double y, double) { return std::atan(x * y); }},
    {"exp(-x^2/2)", [](double x, double, double) { return std::exp(-x * x / 2); }},
    {"tanh(x) + tanh(0.1*y) + tanh(5*x)",
     [](double x, double y, double) {
       return std::tanh(x) + std::tanh(0.1 * y) + std::tanh(5 * x);
     }},
    {"atan2(y, x)", [](double x, double y, double) { return std::atan2(y, x); }},
    {"hypot(x, y)", [](double x, double y, double) { return std::hypot(x, y); }},
    {"min(x, y)*2", [](double x, double y, double) { return std::min(x, y) * 2; }},
    {"max(x, p*y)", [](double x, double y, double p) { return std::max(x, p * y); }},
    {"log(2)*x", [](double x, double, double) { return std::log(2) * x; }},
    {"30*deg + x*pi", [](double x, double, double) { return M_PI / 6 + x * M_PI; }},
    {"2", [](double, double, double) { return 2.0; }},
};

TEST(ExpressionProgram, ValuesAndDerivativesAreRight) {
  std::mt19937 random(7);
  const auto draw = [&] { return 0.3 + 1.4 * (static_cast<double>(random()) / 4294967296.0); };
  for (const Sample& sample : samples) {
    Compiled it(sample.text);
    for (int k = 0; k < 20; ++k) {
      const double x = (k % 2 == 0 ? 1 : -1) * draw(), y = draw() * (k % 3 == 0 ? -1 : 1),
                   p = draw();
      it.run(x, y, p);
      const double expected = sample.value(x, y, p);
      EXPECT_NEAR(it.value(), expected, 4e-15 * (1 + std::fabs(expected))) << sample.text;
      const double h = 1e-3;
      const auto slope = [&](auto f) {
        return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
      };
      // h⁴ f⁽⁵⁾/30: the largest fifth derivative here, of tanh(5 x), is below 16 · 5⁵.
      EXPECT_NEAR(it.slope(0), slope([&](double d) { return sample.value(x + d, y, p); }), 2e-9)
          << sample.text << " by x at " << x << ", " << y;
      EXPECT_NEAR(it.slope(1), slope([&](double d) { return sample.value(x, y + d, p); }), 2e-9)
          << sample.text << " by y at " << x << ", " << y;
    }
  }
}

/// tanh keeps its digits where it is small, and at both ends.
TEST(ExpressionProgram, HyperbolicTangent) {
  for (double x = 1e-300; x < 1e3; x *= 1.37) EXPECT_NEAR(tanh_of(x) / std::tanh(x), 1, 1e-15) << x;
  EXPECT_EQ(tanh_of(-2.0), -tanh_of(2.0));
  EXPECT_EQ(tanh_of(0.0), 0);
}

/// A linear law has the steps of a linear law, and constant slopes.
TEST(ExpressionProgram, IsShortWhereItCanBe) {
  const Compiled it("-p*x - 2*p*y + 0*x^2");
  EXPECT_EQ(it.program.steps.size(), 3u);
  EXPECT_EQ(it.program.value_steps, 3);
  ASSERT_EQ(it.program.partials.size(), 2u);
  for (const auto& partial : it.program.partials) EXPECT_LT(partial.value, 0) << "not a constant";
}

std::string failure(const std::string& text) {
  try {
    Compiled it(text);
  } catch (const ExpressionFailure& f) {
    return f.error;
  }
  return "none";
}

TEST(ExpressionProgram, RefusesWhatHasNoMeaning) {
  EXPECT_EQ(failure("x/0"), "division by zero: (x / 0)");
  EXPECT_EQ(failure("x/(2 - 2)"), "division by zero: (x / (2 - 2))");
  EXPECT_EQ(failure("x^y"),
            "(x ^ y): an exponent must be a number, not a parameter or something that moves");
  EXPECT_EQ(failure("x^0.3"),
            "(x ^ 0.3): an exponent must be a whole number, or one and a half, up to 64");
  EXPECT_EQ(failure("log(x)"),
            "log is for numbers alone; functions of what moves are abs, acos, asin, atan, atan2, "
            "cos, exp, hypot, max, min, sin, sqrt, tan, tanh");
  EXPECT_EQ(failure("sqrt(-1)*x"), "not a finite number: sqrt(-1)");
  EXPECT_EQ(failure("sin(30 deg)"),
            "expected ')' at position 8: angles are in radians, 30 degrees are 30*deg");
  EXPECT_EQ(failure("x +"), "expected a number, a name or '(' at the end");
  EXPECT_EQ(failure("atan2(x)"), "expected ',' at position 8");
}

/// A bounded fuzz: whatever the text, there is a program whose numbers can be computed, or a
/// message.
TEST(ExpressionProgram, SurvivesNonsense) {
  static constexpr const char* words[] = {
      "x",     "y",    "p",   "+",    "-",      "*",        "/",    "^",   "(",    ")",   "2",
      "0",     ".5",   "1e9", "sin(", "atan2(", ",",        "abs(", " ",   "deg",  "pi",  "q.r",
      "tanh(", "max(", "-1",  "1e-9", "sqrt(",  "\xc3\xa9", "..",   "x.y", "log(", "exp("};
  std::mt19937 random(20);
  int good = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    const unsigned length = 1 + static_cast<unsigned>(random() % 14);
    for (unsigned i = 0; i < length; ++i) text += words[random() % std::size(words)];
    try {
      Compiled it(text);
      it.run(0.3, -0.7, 1.1);
      ++good;
    } catch (const ExpressionFailure& f) {
      EXPECT_FALSE(f.error.empty()) << text;
    }
  }
  EXPECT_GT(good, 300);
}

/// u, u' and u'' of a drive.
TEST(ExpressionDrives, HaveExactDerivatives) {
  ExpressionDrive drive;
  drive.value = "a*sin(w*time)*exp(-0.5*time) + time^3/(1 + time)";
  drive.parameters.numbers = {{"a", 0.7}, {"w", 3}};
  const DriveProgram program({{"u", drive}});
  std::vector<double> constants(static_cast<std::size_t>(program.constants_size()));
  program.write_constants({{"u", drive}}, constants.data());
  const auto at = [&](double t) {
    Taylor2<double> u;
    program.evaluate(constants.data(), t, t, &u);
    return u;
  };
  const double h = 1e-3;
  for (const double t : {0.2, 0.9, 2.3}) {
    const auto m2 = at(t - 2 * h), m1 = at(t - h), p1 = at(t + h), p2 = at(t + 2 * h), u = at(t);
    const double s = std::sin(3 * t), e = std::exp(-0.5 * t);
    EXPECT_NEAR(u.value, 0.7 * s * e + t * t * t / (1 + t), 1e-15 * 4);
    EXPECT_NEAR(u.rate, (8 * (p1.value - m1.value) - (p2.value - m2.value)) / (12 * h), 1e-10);
    EXPECT_NEAR(u.second, (8 * (p1.rate - m1.rate) - (p2.rate - m2.rate)) / (12 * h), 1e-10);
  }
}

}  // namespace
}  // namespace tumble
