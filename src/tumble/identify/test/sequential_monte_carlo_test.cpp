#include "tumble/identify/sequential_monte_carlo.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tumble/random/stream/variates.hpp"

namespace tumble {
namespace {

ScalarLaw uniform(double min, double max) { return ScalarLaw(UniformLaw{.min = min, .max = max}); }

TEST(SequentialMonteCarlo, NormalPosteriorHasItsClosedForm) {
  // Prior N(0, 1), one measurement 1.5 with noise 0.5: posterior N(1.2, 0.2).
  const std::vector<ScalarLaw> priors{ScalarLaw(NormalLaw{.mean = 0.0, .std = 1.0})};
  const auto f = [](const std::vector<double>& x) {
    return -0.5 * (1.5 - x[0]) * (1.5 - x[0]) / 0.25 - 0.5 * std::log(2 * 3.14159265358979 * 0.25);
  };
  const Posterior p = sequential_monte_carlo(f, priors, {-10}, {10}, {.particles = 500});
  EXPECT_NEAR(p.mean[0], 1.2, 0.06);
  EXPECT_NEAR(p.std[0], std::sqrt(0.2), 0.04);
  EXPECT_NEAR(p.quantile(0, 0.975), 1.2 + 1.96 * std::sqrt(0.2), 0.15);
  EXPECT_LT(p.r_hat[0], 1.02);
  // Evidence: N(1.5; 0, 1.25).
  const double exact = -0.5 * 1.5 * 1.5 / 1.25 - 0.5 * std::log(2 * 3.14159265358979 * 1.25);
  for (const double evidence : p.log_evidence) EXPECT_NEAR(evidence, exact, 0.3);
}

TEST(SequentialMonteCarlo, CorrelatedPosteriorIsFollowed) {
  // A narrow ridge: x0 + x1 = 1 within 0.02, x0 - x1 = 0 within 0.3.
  const auto f = [](const std::vector<double>& x) {
    const double a = (x[0] + x[1] - 1) / 0.02, b = (x[0] - x[1]) / 0.3;
    return -0.5 * (a * a + b * b);
  };
  const Posterior p = sequential_monte_carlo(f, {uniform(-3, 3), uniform(-3, 3)}, {-3, -3}, {3, 3},
                                             {.particles = 500});
  EXPECT_NEAR(p.mean[0], 0.5, 0.03);
  // Var(x0) = (0.02^2 + 0.3^2) / 4
  EXPECT_NEAR(p.std[0], 0.1503, 0.03);
}

TEST(SequentialMonteCarlo, SameSeedSameBits) {
  const auto f = [](const std::vector<double>& x) { return -20 * x[0] * x[0]; };
  const SequentialOptions options{.particles = 60, .replicas = 2, .seed = 5};
  const Posterior a = sequential_monte_carlo(f, {uniform(-1, 1)}, {-1}, {1}, options);
  const Posterior b = sequential_monte_carlo(f, {uniform(-1, 1)}, {-1}, {1}, options);
  EXPECT_EQ(a.draws, b.draws);
}

// A. Gelman, D. B. Rubin (1992), (3): with the mean W of the variances within m replicas of n draws
// each, and the variance B / n of their means, the variance is (n - 1) / n W + B / n, and its ratio
// to W is r_hat squared.
TEST(SequentialMonteCarlo, SpreadIsThatOfGelmanAndRubin) {
  const auto f = [](const std::vector<double>& x) { return -2 * x[0] * x[0]; };
  constexpr std::size_t m = 3, n = 10;
  const Posterior p = sequential_monte_carlo(f, {uniform(-1, 3)}, {-1}, {3},
                                             {.particles = n, .replicas = m, .seed = 2});
  const auto moments = [](const std::vector<double>& x) {
    double mean = 0, square = 0;
    for (const double v : x) mean += v / static_cast<double>(x.size());
    for (const double v : x) square += (v - mean) * (v - mean);
    return std::pair{mean, square / static_cast<double>(x.size() - 1)};
  };
  std::vector<double> means, variances;
  for (std::size_t r = 0; r < m; ++r) {
    std::vector<double> own;
    for (std::size_t i = 0; i < n; ++i) own.push_back(p.at(r, i, 0));
    means.push_back(moments(own).first);
    variances.push_back(moments(own).second);
  }
  const double within = moments(variances).first;
  const double variance = 0.9 * within + moments(means).second;
  EXPECT_NEAR(p.std[0], std::sqrt(variance), 1e-13);
  EXPECT_NEAR(p.r_hat[0], std::sqrt(variance / within), 1e-13);
}

/// Simulation-based calibration (S. Talts et al., 2018): the rank of the truth among draws of the
/// posterior is uniform if truth and data come from prior and model.
TEST(SequentialMonteCarlo, RanksOfTheTruthAreUniform) {
  constexpr int repetitions = 200, bins = 10;
  const ScalarLaw prior = uniform(0.1, 1.1);
  std::vector<int> histogram(bins);
  for (int r = 0; r < repetitions; ++r) {
    Draws draws(Stream(21, static_cast<std::uint64_t>(r), 3));
    const double truth = prior.draw(draws);
    std::vector<double> data;
    for (int i = 0; i < 5; ++i) data.push_back(truth * normal_variate(draws));
    const auto f = [&](const std::vector<double>& x) {
      double sum = 0;
      for (const double y : data) sum += -std::log(x[0]) - 0.5 * y * y / (x[0] * x[0]);
      return sum;
    };
    const Posterior p = sequential_monte_carlo(
        f, {prior}, {0.1}, {1.1},
        {.particles = 100, .replicas = 2, .seed = static_cast<std::uint64_t>(r)});
    std::size_t below = 0;
    for (const double x : p.draws)
      if (x < truth) ++below;
    const std::size_t bin = below * bins / (p.draws.size() + 1);
    ++histogram[bin];
  }
  double chi_square = 0;
  for (const int count : histogram) {
    const double expected = static_cast<double>(repetitions) / bins;
    chi_square += (count - expected) * (count - expected) / expected;
  }
  RecordProperty("chi_square", std::to_string(chi_square));
  EXPECT_LT(chi_square, 21.67);  // 99 % of chi-square with 9 degrees of freedom
}

}  // namespace
}  // namespace tumble
