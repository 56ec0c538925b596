#include "tumble/identify/likelihood.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tumble/random/law/scalar_law.hpp"

namespace tumble {
namespace {

constexpr double pi = 3.14159265358979323846;

double normal_density(double x, double mean, double variance) {
  return std::exp(-0.5 * (x - mean) * (x - mean) / variance) / std::sqrt(2 * pi * variance);
}

/// The response is the random number itself, x = q, drawn from the normal law of the proposal by
/// inversion at even places: what weights make of it is known in closed form.
struct NormalCase {
  static constexpr std::size_t draws = 1 << 14;
  double proposal_std = 2;
  Responses responses{draws, 1, std::vector<double>(draws)};
  std::vector<std::size_t> group = std::vector<std::size_t>(draws);

  NormalCase() {
    const ScalarLaw law(NormalLaw{.mean = 0.0, .std = proposal_std});
    for (std::size_t j = 0; j < draws; ++j) {
      responses.values[j] =
          law.quantile((static_cast<double>(j) + 0.5) / static_cast<double>(draws));
      group[j] = j % draw_groups;
    }
  }
  std::vector<double> log_weights(double mean, double std) const {
    std::vector<double> logs;
    for (const double x : responses.values)
      logs.push_back(std::log(normal_density(x, mean, std * std)) -
                     std::log(normal_density(x, 0, proposal_std * proposal_std)));
    return logs;
  }
};

TEST(MarginalLikelihood, IsTheConvolutionOfLawAndNoise) {
  const NormalCase c;
  const Measurements y{3, 1, {0.3, -1.2, 2.5}, {0.2}};
  const auto likelihood = marginal_likelihood(y, c.responses, c.group);
  for (const double std : {0.5, 1.0, 1.5}) {
    const LikelihoodValue value = likelihood->evaluate(c.log_weights(0.1, std));
    double total = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double exact = std::log(normal_density(y.values[i], 0.1, std * std + 0.04));
      EXPECT_NEAR(value.experiments[i], exact, 2e-3);
      total += exact;
    }
    EXPECT_NEAR(value.total(), total, 4e-3);
    EXPECT_GT(value.effective_size, 1000);
  }
}

TEST(MarginalLikelihood, MissingNumbersAreLeftOut) {
  const NormalCase c;
  Responses two{c.draws, 2, {}};
  for (const double x : c.responses.values) {
    two.values.push_back(x);
    two.values.push_back(2 * x);
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Measurements y{2, 2, {0.3, nan, nan, 0.6}, {0.2, 0.4}};
  const LikelihoodValue value = marginal_likelihood(y, two, c.group)->evaluate(c.log_weights(0, 1));
  EXPECT_NEAR(value.experiments[0], std::log(normal_density(0.3, 0, 1.04)), 2e-3);
  EXPECT_NEAR(value.experiments[1], std::log(normal_density(0.6, 0, 4.16)), 2e-3);
}

TEST(MarginalLikelihood, HoldsWhereDoublesEnd) {
  const NormalCase c;
  // Far beyond all draws: kernels underflow, their logarithms do not.
  const Measurements y{1, 1, {60.0}, {0.5}};
  const auto likelihood = marginal_likelihood(y, c.responses, c.group);
  const double value = likelihood->evaluate(std::vector<double>(c.draws, 0.0)).total();
  const double farthest = c.responses.values.back();
  EXPECT_TRUE(std::isfinite(value));
  EXPECT_NEAR(value, -0.5 * (60 - farthest) * (60 - farthest) / 0.25, 20);
}

TEST(MarginalLikelihood, ErrorHoldsOverRandomEnsembles) {
  // The response is normal and drawn at random: log p(y) scatters by what the jackknife says.
  const Measurements y{1, 1, {0.7}, {0.3}};
  const ScalarLaw law(NormalLaw{.mean = 0.0, .std = 1.0});
  double sum = 0, squares = 0, said = 0;
  constexpr int repetitions = 200;
  for (int r = 0; r < repetitions; ++r) {
    Responses responses{512, 1, {}};
    std::vector<std::size_t> group;
    for (std::uint64_t j = 0; j < 512; ++j) {
      responses.values.push_back(
          law.quantile(Stream(7, j, static_cast<std::uint64_t>(r)).uniform(0)));
      group.push_back(j % draw_groups);
    }
    const LikelihoodValue value =
        marginal_likelihood(y, responses, group)->evaluate(std::vector<double>(512, 0.0));
    const double x = value.total();
    sum += x;
    squares += x * x;
    const double error = jackknife_error(value.differences());
    said += error * error;
  }
  const double variance = (squares - sum * sum / repetitions) / (repetitions - 1);
  // A variance from 200 values has a relative error of 10 %.
  EXPECT_NEAR(std::sqrt(said / repetitions / variance), 1, 0.2);
}

TEST(MarginalLikelihood, CountsTheDrawsThatExplainAnExperiment) {
  Responses responses{4, 1, {0, 0, 100, 200}};
  const std::vector<std::size_t> group{0, 1, 2, 3};
  const Measurements y{2, 1, {0, 100}, {1}};
  const LikelihoodValue value = marginal_likelihood(y, responses, group)->evaluate({0, 0, 0, 0});
  EXPECT_NEAR(value.effective_sizes[0], 2, 1e-12);
  EXPECT_NEAR(value.effective_sizes[1], 1, 1e-12);
  EXPECT_NEAR(value.effective_size, 4, 1e-12);
}

TEST(GaussianLikelihood, HasTheMomentsOfTheWeightedEnsemble) {
  const NormalCase c;
  Responses two{c.draws, 2, {}};
  for (const double x : c.responses.values) {
    two.values.push_back(x);
    two.values.push_back(x + 5);
  }
  const Measurements y{1, 2, {0.4, 4.8}, {0.3, 0.5}};
  const double value =
      gaussian_likelihood(y, two, c.group)->evaluate(c.log_weights(0.2, 1.1)).total();
  // Mean (0.2, 5.2), covariance 1.21 [[1, 1], [1, 1]] + diag(0.09, 0.25).
  const double a = 1.21 + 0.09, b = 1.21, d = 1.21 + 0.25, det = a * d - b * b;
  const double u = 0.2, v = -0.4;
  const double form = (d * u * u - 2 * b * u * v + a * v * v) / det;
  EXPECT_NEAR(value, -std::log(2 * pi) - 0.5 * std::log(det) - 0.5 * form, 5e-3);
}

TEST(KernelLikelihood, ConvergesToTheDensityWithoutNoise) {
  const NormalCase c;
  const Measurements y{2, 1, {0.0, 1.0}, {0.0}};
  const LikelihoodValue value =
      kernel_likelihood(y, c.responses, c.group)->evaluate(c.log_weights(0, 1));
  // Bandwidths of some 0.16 for the 10 000 effective draws widen the law by 1 %.
  EXPECT_NEAR(value.experiments[0], std::log(normal_density(0, 0, 1)), 0.02);
  EXPECT_NEAR(value.experiments[1], std::log(normal_density(1, 0, 1)), 0.02);
}

TEST(KernelLikelihood, RefusesMoreThanTwoNumbers) {
  const Measurements y{1, 3, {0, 0, 0}, {1, 1, 1}};
  EXPECT_THROW(kernel_likelihood(y, Responses{1, 3, {0, 0, 0}}, {0}), std::invalid_argument);
}

TEST(MarginalLikelihood, RefusesNumbersWithoutNoise) {
  const Measurements y{1, 1, {0}, {0}};
  EXPECT_THROW(marginal_likelihood(y, Responses{1, 1, {0}}, {0}), std::invalid_argument);
}

}  // namespace
}  // namespace tumble
