#include "tumble/math/taylor2_functions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace tumble {
namespace {

using T = Taylor2<double>;
using Function = std::function<T(const T&)>;

/// f as a function of t itself.
T at(const Function& f, double t) { return f(T{t, 1.0, 0.0}); }

void expect_derivatives(const Function& f, double t) {
  const double h = 1e-5;
  const T left = at(f, t - h), right = at(f, t + h), here = at(f, t);
  EXPECT_NEAR(here.rate, (right.value - left.value) / (2 * h), 1e-8);
  EXPECT_NEAR(here.second, (right.rate - left.rate) / (2 * h), 1e-8);
}

TEST(Taylor2, ProductFollowsLeibniz) {
  const T p = T{2, 3, 5} * T{7, 11, 13};
  EXPECT_EQ(p.value, 14);
  EXPECT_EQ(p.rate, 3 * 7 + 2 * 11);
  EXPECT_EQ(p.second, 5 * 7 + 2 * 3 * 11 + 2 * 13);
}

TEST(Taylor2, SumsDifferencesAndMultiples) {
  const T a{2, 3, 5}, b{7, 11, 13};
  EXPECT_EQ((a + b).second, 18);
  EXPECT_EQ((a - b).rate, -8);
  EXPECT_EQ((-a).value, -2);
  EXPECT_EQ((2.0 * a).second, 10);
}

TEST(Taylor2, SineAndCosineOfSquare) {
  const double t = 0.7;
  const T s = at([](const T& x) { return sin(x * x); }, t);
  EXPECT_NEAR(s.value, std::sin(t * t), 1e-15);
  EXPECT_NEAR(s.rate, 2 * t * std::cos(t * t), 1e-15);
  EXPECT_NEAR(s.second, 2 * std::cos(t * t) - 4 * t * t * std::sin(t * t), 1e-15);
}

TEST(Taylor2, AgreesWithFiniteDifferences) {
  expect_derivatives([](const T& x) { return sin(x) * cos(x * x) - x * x * x; }, 0.4);
  expect_derivatives([](const T& x) { return cos(sin(3.0 * x) + x) * (x - sin(x)); }, -1.3);
}

TEST(Taylor2, ChainOfExponential) {
  const double f = std::exp(1.0);
  const T e = chain(T{1, 2, 3}, f, f, f);  // exp(u): u'' + u'^2 times exp(u)
  EXPECT_DOUBLE_EQ(e.rate, 2 * f);
  EXPECT_DOUBLE_EQ(e.second, 7 * f);
}

}  // namespace
}  // namespace tumble
