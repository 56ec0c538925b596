#include "tumble/math/cubic_spline.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

namespace tumble {
namespace {

struct Natural {
  Natural(std::vector<double> x_, std::vector<double> y_)
      : n(static_cast<int>(x_.size())), spline(n), x(std::move(x_)), y(std::move(y_)) {
    constants.resize(static_cast<std::size_t>(spline.constants_size()));
    spline.write_natural(x, y, constants.data());
  }
  Taylor2<double> operator()(double at) const {
    return spline.evaluate(constants.data(), find_interval(x.data(), n, at), at);
  }
  Taylor2<double> piece(int i, double at) const { return spline.evaluate(constants.data(), i, at); }
  double integral(double at) const {
    return spline.integral(constants.data(), find_interval(x.data(), n, at), at);
  }
  int n;
  CubicSpline spline;
  std::vector<double> x, y, constants;
};

const std::vector<double> uneven{-1.0, -0.2, 0.1, 0.9, 2.0};
const std::vector<double> wild{3.0, -1.0, 2.0, 2.5, -4.0};

TEST(FindInterval, InsideOutsideAndOnKnots) {
  const double knots[] = {0, 1, 2, 3};
  EXPECT_EQ(find_interval(knots, 4, -5), 0);
  EXPECT_EQ(find_interval(knots, 4, 0.5), 0);
  EXPECT_EQ(find_interval(knots, 4, 1.0), 1);
  EXPECT_EQ(find_interval(knots, 4, 2.99), 2);
  EXPECT_EQ(find_interval(knots, 4, 3.0), 2);
  EXPECT_EQ(find_interval(knots, 4, 9.0), 2);
  EXPECT_EQ(find_interval(knots, 1, 9.0), 0);
  for (double x : {-5.0, 0.0, 1.0, 2.5, 9.0})
    EXPECT_EQ(find_interval(knots, 4, x), find_shared_interval(knots, 4, x));
}

TEST(CubicSpline, Interpolates) {
  const Natural s(uneven, wild);
  for (int i = 0; i < s.n; ++i)
    EXPECT_NEAR(s(uneven[std::size_t(i)]).value, wild[std::size_t(i)], 1e-13);
}

TEST(CubicSpline, NaturalEnds) {
  const Natural s(uneven, wild);
  EXPECT_NEAR(s(-1.0).second, 0.0, 1e-12);
  EXPECT_NEAR(s(2.0).second, 0.0, 1e-12);
}

TEST(CubicSpline, TwoDerivativesAreContinuousAtKnots) {
  const Natural s(uneven, wild);
  for (int i = 1; i + 1 < s.n; ++i) {
    const double knot = uneven[std::size_t(i)];
    const auto left = s.piece(i - 1, knot), right = s.piece(i, knot);
    EXPECT_NEAR(left.value, right.value, 1e-13);
    EXPECT_NEAR(left.rate, right.rate, 1e-12);
    EXPECT_NEAR(left.second, right.second, 1e-11);
  }
}

TEST(CubicSpline, ThreePointsByHand) {
  // Through (0,0), (1,1), (2,0): M_1 = 6 (-1 - 1) / 4 = -3, so y = 1.5 x - 0.5 x^3 on [0,1].
  const Natural s({0, 1, 2}, {0, 1, 0});
  EXPECT_NEAR(s(0.5).value, 0.6875, 1e-15);
  EXPECT_NEAR(s(0.5).rate, 1.125, 1e-15);
  EXPECT_NEAR(s(0.5).second, -1.5, 1e-15);
  EXPECT_NEAR(s.integral(1.0), 0.625, 1e-15);
  EXPECT_NEAR(s.integral(2.0), 1.25, 1e-15);
}

TEST(CubicSpline, ReproducesStraightLines) {
  std::vector<double> y;
  for (double x : uneven) y.push_back(2.0 - 3.0 * x);
  const Natural s(uneven, y);
  for (double x = -1.0; x <= 2.0; x += 0.13) {
    EXPECT_NEAR(s(x).value, 2.0 - 3.0 * x, 1e-13);
    EXPECT_NEAR(s(x).rate, -3.0, 1e-12);
    EXPECT_NEAR(s(x).second, 0.0, 1e-11);
  }
}

TEST(CubicSpline, OneAndTwoPoints) {
  EXPECT_EQ(Natural({1}, {5})(7.0).value, 5.0);
  EXPECT_EQ(Natural({1}, {5})(7.0).rate, 0.0);
  EXPECT_NEAR(Natural({1, 3}, {5, 9})(2.5).value, 8.0, 1e-14);
}

TEST(CubicSpline, DerivativesAndIntegralAgreeWithFiniteDifferences) {
  const Natural s(uneven, wild);
  const double h = 1e-5;
  for (double x : {-0.7, 0.0, 0.55, 1.3}) {
    EXPECT_NEAR(s(x).rate, (s(x + h).value - s(x - h).value) / (2 * h), 1e-7);
    EXPECT_NEAR(s(x).second, (s(x + h).rate - s(x - h).rate) / (2 * h), 1e-7);
    EXPECT_NEAR(s(x).value, (s.integral(x + h) - s.integral(x - h)) / (2 * h), 1e-7);
  }
  EXPECT_EQ(s.integral(-1.0), 0.0);
  for (int i = 1; i + 1 < s.n; ++i)  // no jump of the integral at knots
    EXPECT_NEAR(s.integral(uneven[std::size_t(i)]),
                s.integral(std::nextafter(uneven[std::size_t(i)], -9.0)), 1e-13);
}

/// Largest error of the spline of sin on [0, pi] with n intervals; sin'' = 0 at both ends.
double error_of_sine(int n) {
  std::vector<double> x, y;
  for (int i = 0; i <= n; ++i) {
    x.push_back(std::numbers::pi * i / n);
    y.push_back(std::sin(x.back()));
  }
  const Natural s(x, y);
  double worst = 0;
  for (int i = 0; i < 1000; ++i) {
    const double at = std::numbers::pi * (i + 0.5) / 1000;
    worst = std::max(worst, std::fabs(s(at).value - std::sin(at)));
  }
  return worst;
}

/// Largest error in the middle half of [0, 1] for exp, whose ends are not natural.
double inner_error_of_exponential(int n) {
  std::vector<double> x, y;
  for (int i = 0; i <= n; ++i) {
    x.push_back(double(i) / n);
    y.push_back(std::exp(x.back()));
  }
  const Natural s(x, y);
  double worst = 0;
  for (int i = 0; i < 1000; ++i) {
    const double at = 0.25 + 0.5 * (i + 0.5) / 1000;
    worst = std::max(worst, std::fabs(s(at).value - std::exp(at)));
  }
  return worst;
}

TEST(CubicSpline, ConvergesWithFourthOrder) {
  EXPECT_NEAR(std::log2(error_of_sine(20) / error_of_sine(40)), 4.0, 0.1);
  EXPECT_NEAR(std::log2(error_of_sine(40) / error_of_sine(80)), 4.0, 0.1);
  // The wrong end condition decays by a factor of about 4 per knot and is gone inside.
  EXPECT_NEAR(std::log2(inner_error_of_exponential(40) / inner_error_of_exponential(80)), 4.0,
              0.15);
}

TEST(CubicSpline, StraightLinesWithJump) {
  const std::vector<double> x{0, 1, 1, 3}, y{0, 2, 5, 9};
  const CubicSpline lines(4);
  std::vector<double> c(std::size_t(lines.constants_size()));
  lines.write_linear(x, y, c.data());
  EXPECT_EQ(lines.evaluate(c.data(), 0, 0.5).value, 1.0);
  EXPECT_EQ(lines.evaluate(c.data(), 0, 1.0).value, 2.0);
  EXPECT_EQ(lines.evaluate(c.data(), find_interval(x.data(), 4, 1.0), 1.0).value, 5.0);
  EXPECT_EQ(lines.evaluate(c.data(), 2, 2.0).rate, 2.0);
  EXPECT_EQ(lines.integral(c.data(), 2, 3.0), 15.0);
}

TEST(CubicSpline, MonotoneCubicsOfFewPoints) {
  const std::vector<double> x{0, 2}, y{1, 5}, one{3};
  const CubicSpline line(2), point(1);
  std::vector<double> constants(static_cast<std::size_t>(line.constants_size()));
  line.write_monotone(x, y, constants.data());
  const auto middle = line.evaluate(constants.data(), 0, 0.5);
  EXPECT_DOUBLE_EQ(middle.value, 2);
  EXPECT_DOUBLE_EQ(middle.rate, 2);
  EXPECT_EQ(middle.second, 0);
  point.write_monotone(one, one, constants.data());
  EXPECT_EQ(point.evaluate(constants.data(), 0, 9.0).value, 3);
}

TEST(CubicSpline, StepsAndTheirIntegral) {
  const std::vector<double> x{0, 1, 3}, y{2, 4, 0};
  const CubicSpline steps(3);
  std::vector<double> constants(static_cast<std::size_t>(steps.constants_size()));
  steps.write_steps(x, y, constants.data());
  EXPECT_EQ(steps.evaluate(constants.data(), 1, 2.5).value, 4);
  EXPECT_EQ(steps.evaluate(constants.data(), 1, 2.5).rate, 0);
  EXPECT_DOUBLE_EQ(steps.integral(constants.data(), 1, 2.5), 2 + 6);
}

TEST(CubicSpline, RefusesDisorder) {
  std::vector<double> c(100);
  EXPECT_THROW(CubicSpline(2).write_natural({1, 1}, {0, 0}, c.data()), std::invalid_argument);
  EXPECT_THROW(CubicSpline(2).write_linear({2, 1}, {0, 0}, c.data()), std::invalid_argument);
  EXPECT_THROW(CubicSpline(2).write_linear({1, 2}, {0}, c.data()), std::invalid_argument);
  EXPECT_THROW(CubicSpline(0).write_linear({}, {}, c.data()), std::invalid_argument);
}

}  // namespace
}  // namespace tumble
