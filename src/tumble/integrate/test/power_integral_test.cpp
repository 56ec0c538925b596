// The doubt of an integral is at least its error, and no more than a few times that where samples
// resolve the power.
#include "tumble/integrate/watch/power_integral.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace tumble {
namespace {

/// Samples of f at h, 2 h, ... up to `end`.
template <class F>
PowerIntegral<double> sampled(const F& f, double h, double end) {
  PowerIntegral<double> integral;
  integral.begin(0);
  const long n = std::lround(end / h);
  for (long i = 1; i <= n; ++i)
    integral.add(static_cast<double>(i) * h, f(static_cast<double>(i) * h));
  return integral;
}

TEST(PowerIntegral, IsExactAndSureOfAConstantPower) {
  const auto integral = sampled([](double) { return 7.0; }, 0.1, 2);
  EXPECT_NEAR(integral.at(2), 14, 1e-13);
  EXPECT_NEAR(integral.at(2.05), 14.35, 1e-13);
  EXPECT_LT(integral.doubt(), 1e-13);
}

TEST(PowerIntegral, IsOfSecondOrderAndItsDoubtToo) {
  const auto f = [](double t) { return std::exp(-t); };
  double error[2], doubt[2];
  for (const int i : {0, 1}) {
    const auto integral = sampled(f, i == 0 ? 0.02 : 0.01, 2);
    error[i] = std::abs(integral.at(2) - (1 - std::exp(-2.0)));
    doubt[i] = integral.doubt();
    EXPECT_GT(doubt[i], error[i]);
    EXPECT_LT(doubt[i], 10 * error[i]);
  }
  EXPECT_NEAR(error[0] / error[1], 4, 0.2);
  EXPECT_NEAR(doubt[0] / doubt[1], 4, 0.2);
}

// A motor that gives and takes: a sum of what powers change would grow with every turn.
TEST(PowerIntegral, DoesNotDoubtASwingingPowerMoreWithEveryPeriod) {
  const auto f = [](double t) { return std::sin(2 * std::numbers::pi * t); };
  const double once = sampled(f, 0.02, 1).doubt(), often = sampled(f, 0.02, 200).doubt();
  EXPECT_NEAR(often, once, 1e-9);
  EXPECT_LT(often, 1e-2);  // 2/π of energy go to and fro in a period
}

TEST(PowerIntegral, AddsWhatAMethodHasIntegratedItself) {
  PowerIntegral<double> integral;
  integral.begin(0);
  integral.add_integral(0.1, 3, 0.5);
  integral.add_integral(0.2, -1, -0.4);
  EXPECT_NEAR(integral.at(0.2), 2, 1e-15);
  EXPECT_NEAR(integral.at(0.25), 2, 1e-15);
  EXPECT_NEAR(integral.doubt(), 0.1, 1e-15);
}

TEST(PowerIntegral, DoubtsWhatSamplesDoNotResolve) {
  // To and fro from one sample to the next: every other sample would say 100 J, or -100 J.
  long i = 0;
  const auto integral = sampled([&i](double) { return ++i % 2 == 0 ? 10.0 : -10.0; }, 0.1, 10);
  EXPECT_GT(integral.doubt(), 90);
}

TEST(PowerIntegral, BeginsAnewWhereAPowerJumps) {
  // 5 W for a second, then 100 exp(-t/τ) W, whose first sample is late.
  PowerIntegral<double> integral;
  integral.begin(0);
  for (int i = 1; i <= 10; ++i) integral.add(0.1 * i, 5);
  integral.jump(1);
  const double tau = 0.2;
  for (int i = 1; i <= 20; ++i) integral.add(1 + 0.1 * i, 100 * std::exp(-0.1 * i / tau));
  const double error = std::abs(integral.at(3) - (5 + 100 * tau * (1 - std::exp(-2 / tau))));
  EXPECT_GT(integral.doubt(), 0.5 * error);
  EXPECT_LT(integral.doubt(), 5 * error);
}

}  // namespace
}  // namespace tumble
