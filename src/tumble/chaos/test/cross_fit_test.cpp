// Predictions of values that the polynomials have not seen.
#include "tumble/chaos/fit/cross_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace tumble {
namespace {

TEST(CrossFit, ExplainsWhatFollowsFromTheInputsAndNoMore) {
  constexpr std::size_t n = 2000;
  std::mt19937_64 engine(11);
  std::uniform_real_distribution<double> uniform;
  std::normal_distribution<double> normal;
  DenseMatrix inputs(n, 2), outputs(n, 4);
  for (std::size_t i = 0; i < n; ++i) {
    const double u = uniform(engine), v = uniform(engine), noise = normal(engine);
    inputs(i, 0) = std::exp(5 * u), inputs(i, 1) = v;  // only the order of inputs counts
    outputs(i, 0) = (u - 0.5) * (v - 0.5);
    outputs(i, 1) = std::sin(2 * std::numbers::pi * u) + std::sin(2 * std::numbers::pi * v);
    outputs(i, 2) = u + noise;
    outputs(i, 3) = noise;
  }
  const DenseMatrix predicted = CrossFit(inputs).predict(outputs);
  const auto explained = [&](std::size_t c) {
    double mean = 0, total = 0, left = 0;
    for (std::size_t i = 0; i < n; ++i) mean += outputs(i, c) / n;
    for (std::size_t i = 0; i < n; ++i) {
      total += std::pow(outputs(i, c) - mean, 2);
      left += std::pow(outputs(i, c) - predicted(i, c), 2);
    }
    return 1 - left / total;
  };
  EXPECT_GT(explained(0), 0.99);
  EXPECT_GT(explained(1), 0.99);
  // Var u / (Var u + 1) = 1/13; what a sample of 2000 leaves open is 0.011.
  EXPECT_NEAR(explained(2), 1.0 / 13, 0.045);
  EXPECT_LT(explained(3), 0.01);
}

}  // namespace
}  // namespace tumble
