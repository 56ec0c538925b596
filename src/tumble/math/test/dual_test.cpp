// Every operation of a Dual has the value of the double's and the slope that analysis says.
#include "tumble/math/dual.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tumble {
namespace {

constexpr double a = 0.7, b = -1.3, c = 2.1;

void expect_dual(const Dual& x, double value, double slope) {
  EXPECT_DOUBLE_EQ(x.value, value);
  EXPECT_NEAR(x.slope, slope, 1e-14 * (1 + std::fabs(slope)));
}

TEST(Dual, Arithmetic) {
  const Dual x{a, 2}, y{b, -3}, z{c, 5};
  expect_dual(x + y, a + b, -1);
  expect_dual(x - y, a - b, 5);
  expect_dual(-x, -a, -2);
  expect_dual(x * y, a * b, 2 * b - 3 * a);
  expect_dual(x / y, a / b, (2 * b + 3 * a) / (b * b));
  expect_dual(fma(x, y, z), std::fma(a, b, c), 2 * b - 3 * a + 5);
  expect_dual(fnma(x, y, z), std::fma(-a, b, c), -2 * b + 3 * a + 5);
  expect_dual(3.0 * x + 1.0, std::fma(3.0, a, 1.0), 6);
}

TEST(Dual, Functions) {
  const Dual x{a, 2}, y{b, -3};
  expect_dual(sqrt(x), std::sqrt(a), 1 / std::sqrt(a));
  expect_dual(sqrt(Dual{0, 2}), 0, 0);  // kernels take another branch there
  expect_dual(abs(y), -b, 3);
  expect_dual(copysign(x, y), -a, -2);
  expect_dual(copysign(y, x), -b, 3);
  expect_dual(round(x), 1, 0);
  EXPECT_NEAR(sin(x).slope, 2 * std::cos(a), 1e-15);
  EXPECT_NEAR(cos(x).slope, -2 * std::sin(a), 1e-15);
  EXPECT_NEAR(sincos(x).cos.slope, -2 * std::sin(a), 1e-15);
  EXPECT_NEAR(exp(x).slope, 2 * std::exp(a), 1e-15);
  EXPECT_NEAR(atan2(y, x).value, std::atan2(b, a), 1e-15);
  EXPECT_NEAR(atan2(y, x).slope, (a * -3 - b * 2) / (a * a + b * b), 1e-15);
}

TEST(Dual, ChoicesLookAtValues) {
  const Dual x{a, 2}, y{b, -3}, same{a, 7};
  EXPECT_TRUE(y < x && x > y && x <= same && x >= same && x == same && x != y);
  expect_dual(min(x, y), b, -3);
  expect_dual(max(x, y), a, 2);
  expect_dual(select(x < y, x, y), b, -3);
  EXPECT_EQ(first_lane(x), a);
  const Dual knots[] = {0.0, 0.5, 1.0, 2.0};
  EXPECT_EQ(find_interval(knots, 4, x), 1);
  EXPECT_EQ(find_interval(knots, 4, y), 0);
  EXPECT_EQ(find_interval(knots, 4, Dual(9)), 2);
}

}  // namespace
}  // namespace tumble
