#include "tumble/campaign/identification_run.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <numeric>
#include <optional>

#include "campaign_fixture.hpp"
#include "tumble/io/results/identification_results.hpp"
#include "tumble/random/stream/draws.hpp"
#include "tumble/random/stream/variates.hpp"

namespace tumble {
namespace {

using testing::HasSubstr;

/// A ball thrown upwards with a random speed: its height at t is v t - g t^2 / 2, so what is
/// measured is normal and its law known in closed form. Generalized-alpha has it to rounding.
std::string ball_to_identify(const std::string& parameter, const std::string& observation,
                             const std::string& more = {}) {
  return fmt::format(R"(
gravity: [0, 0, -9.81]
bodies:
  ball: {{mass: 1, position: [0, 0, 0], inertia: none, velocity: [0, 0, 5]}}
probes:
  ball: {{body: ball, quantities: [position]}}
quantities:
  last: {{of: ball.position.z, kind: final}}
simulation: {{duration: 1, step: 5e-2, output_step: 0.1}}
uncertainty:
  bodies.ball.velocity[2]: {{law: normal, mean: 5, std: 0.2}}
identification:
  parameters:
    {}
  observations:
    - {}
  ensemble: {{draws: 1024, seed: 1}}
  intervals: {{points: 5}}
  bayes: {{particles: 60, replicas: 2}}
{}
)",
                     parameter, observation, more);
}

const std::string free_std = "uncertainty.bodies.ball.velocity[2].std: {min: 0.05, max: 1}";
const std::string height = "{probe: ball, quantity: position, axis: z, times: [0.5], noise: 0.05}";

class Identification : public CampaignTest {
 protected:
  /// Heights at 0.5 s of balls with speeds N(5, 0.3^2).
  void make_data(std::size_t experiments, const std::string& header, double time = 0.5) {
    Draws draws(Stream(5, 0, 77));
    std::ofstream file(root_ / "data.csv");
    file << header << "\n";
    for (std::size_t i = 0; i < experiments; ++i) {
      const double v = 5 + 0.3 * normal_variate(draws), noise = 0.05 * normal_variate(draws);
      heights_.push_back(v * time - 0.5 * 9.81 * time * time + noise);
      file << fmt::format("{}\n", heights_.back());
    }
  }
  IdentificationOptions options(const std::string& text, const char* name) const {
    IdentificationOptions all;
    all.model = "ball.yaml";
    all.text = text;
    all.data = root_ / "data.csv";
    all.directory = root_ / name;
    all.threads = 2;
    return all;
  }
  IdentificationOutcome identify(const std::string& text, const char* name = "out") {
    return run_identification(options(text, name), listener_);
  }
  /// Mean square of the distance from the mean height.
  double mean_square(double time = 0.5) const {
    const double mean = 5 * time - 0.5 * 9.81 * time * time;
    double sum = 0;
    for (const double y : heights_) sum += (y - mean) * (y - mean);
    return sum / static_cast<double>(heights_.size());
  }

  std::vector<double> heights_;
  Listener listener_;
};

TEST_F(Identification, DispersionOfANormalLawHasItsClosedForm) {
  make_data(25, "ball.position.z@0.5");
  const IdentificationOutcome outcome = identify(ball_to_identify(free_std, height));
  const auto& p = outcome.results->parameters[0];
  // y ~ N(mean, std^2 t^2 + s^2)
  const double exact = std::sqrt(mean_square() - 0.0025) / 0.5;
  EXPECT_NEAR(p.estimate, exact, 4 * p.estimate_error + 1e-3);
  EXPECT_LT(p.estimate_error, 0.005);
  // 2 (l_max - l) = n (r - 1 - log r), r = mean square over variance, is 3.8415 at both ends.
  const auto exact_end = [&](double inside, double outside) {
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (inside + outside);
      const double r = mean_square() / (middle * middle * 0.25 + 0.0025);
      (25 * (r - 1 - std::log(r)) < 3.841458820694124 ? inside : outside) = middle;
    }
    return inside;
  };
  EXPECT_NEAR(p.lower, exact_end(exact, 0.05), 4 * p.lower_error);
  EXPECT_NEAR(p.upper, exact_end(exact, 1), 4 * p.upper_error);
  EXPECT_LT(p.lower_error + p.upper_error, 0.1 * (p.upper - p.lower));
  EXPECT_NEAR(outcome.results->log_likelihood,
              -0.5 * 25 * (std::log(2 * 3.14159265358979 * mean_square()) + 1),
              4 * outcome.results->log_likelihood_error);
  EXPECT_TRUE(outcome.verdicts[0].empty());
  EXPECT_TRUE(std::filesystem::exists(root_ / "out/model.yaml"));
  EXPECT_FALSE(std::filesystem::exists(root_ / "out/ensembles"));
  const ModelFile found = read_model(root_ / "out/model.yaml");
  EXPECT_THAT(found.effective_yaml, HasSubstr("std: " + format_number(p.estimate)));
}

TEST_F(Identification, ExactInputsNeedNoRuns) {
  Draws draws(Stream(5, 0, 78));
  std::ofstream file(root_ / "data.csv");
  file << "v\n";
  double squares = 0;
  for (int i = 0; i < 30; ++i) {
    const double v = 5 + 0.3 * normal_variate(draws);
    squares += (v - 5) * (v - 5);
    file << fmt::format("{}\n", v);
  }
  file.close();
  const IdentificationOutcome outcome =
      identify(ball_to_identify(free_std, "{parameter: 'bodies.ball.velocity[2]', column: v}"));
  EXPECT_EQ(outcome.runs, 0u);
  EXPECT_NEAR(outcome.results->parameters[0].estimate, std::sqrt(squares / 30), 1e-5);
}

TEST_F(Identification, WhatHasNoDensityRatioIsRunAnew) {
  make_data(25, "last", 1.0);
  const IdentificationOutcome outcome = identify(
      ball_to_identify("'gravity[2]': {min: -11, max: -9}", "{quantity: last, noise: 0.05}"));
  // The mean height is 5 - g/2, and its best value the mean of the data.
  const double mean = std::accumulate(heights_.begin(), heights_.end(), 0.0) / 25;
  const auto& p = outcome.results->parameters[0];
  EXPECT_NEAR(p.estimate, 2 * (mean - 5), 0.02);
  EXPECT_NEAR(p.upper - p.lower, 2 * 2 * 1.96 * std::sqrt(0.04 + 0.0025) / 5, 0.03);
  const auto cost = std::ranges::find_if(listener_.sentences, [](const auto& said) {
    return said.second.find("every value that is tried needs an ensemble") != std::string::npos;
  });
  EXPECT_NE(cost, listener_.sentences.end());
}

TEST_F(Identification, InterruptedAndResumedGivesTheSameBits) {
  make_data(10, "ball.position.z@0.5");
  const std::string text = ball_to_identify(free_std, height);
  identify(text, "whole");
  Listener impatient;
  impatient.cancel_after = 200;
  EXPECT_THROW(run_identification(options(text, "parts"), impatient), Cancelled);
  EXPECT_FALSE(std::filesystem::exists(root_ / "parts/results.nc"));
  IdentificationOptions again = options(text, "parts");
  EXPECT_THROW(run_identification(again, listener_), RequestError);
  again.if_results_exist = IfResultsExist::resume;
  Listener patient;
  run_identification(again, patient);
  EXPECT_LT(patient.seen, 1024u);
  EXPECT_TRUE(
      same_bits(numbers_of(root_ / "whole/results.nc"), numbers_of(root_ / "parts/results.nc")));
  EXPECT_TRUE(run_identification(again, patient).already_there);
}

TEST_F(Identification, PosteriorWithAFlatPriorIsLikeTheProfile) {
  make_data(25, "ball.position.z@0.5");
  IdentificationOptions bayes = options(ball_to_identify(free_std, height), "bayes");
  bayes.method = IdentificationMethod::bayes;
  const IdentificationOutcome outcome = run_identification(bayes, listener_);
  const auto& p = outcome.results->parameters[0];
  EXPECT_NEAR(p.posterior_upper - p.posterior_lower, p.upper - p.lower, 0.2 * (p.upper - p.lower));
  EXPECT_LT(p.r_hat, 1.1);
}

TEST_F(Identification, FewExperimentsDoNotBoundADispersion) {
  make_data(1, "ball.position.z@0.5");
  const IdentificationOutcome outcome = identify(ball_to_identify(free_std, height));
  EXPECT_THAT(outcome.verdicts[0], HasSubstr("not identifiable: the interval reaches its bound"));
}

TEST_F(Identification, SeriesAndTheirProjectionAgree) {
  // All heights are known from one speed: two principal components lose nothing.
  Draws draws(Stream(5, 0, 79));
  std::ofstream file(root_ / "data.csv");
  for (int t = 1; t <= 10; ++t)
    file << fmt::format("{}ball.position.z@{}", t > 1 ? "," : "", 0.1 * t);
  file << "\n";
  for (int i = 0; i < 15; ++i) {
    const double v = 5 + 0.3 * normal_variate(draws);
    for (int t = 1; t <= 10; ++t)
      file << fmt::format("{}{}", t > 1 ? "," : "",
                          v * 0.1 * t - 0.5 * 9.81 * 0.01 * t * t + 0.05 * normal_variate(draws));
    file << "\n";
  }
  file.close();
  const std::string series = "{probe: ball, quantity: position, axis: z, from: 0.1, noise: 0.05";
  const auto all = identify(ball_to_identify(free_std, series + "}"), "all");
  const auto two = identify(ball_to_identify(free_std, series + ", principal: 1}"), "two");
  EXPECT_NEAR(all.results->parameters[0].estimate, two.results->parameters[0].estimate, 0.01);
  ASSERT_EQ(two.results->principal_shares.size(), 1u);
  EXPECT_GT(two.results->principal_shares[0], 0.9999);
}

TEST_F(Identification, MistakesOfTheDataHaveLineAndColumn) {
  std::ofstream(root_ / "data.csv") << "ball.position.z@0.50,other\n1.3,x\nabc,y\n,z\n1,2,3\n";
  try {
    identify(ball_to_identify(free_std, height));
    FAIL() << "must be refused";
  } catch (const InputError& error) {
    ASSERT_EQ(error.diagnostics().size(), 2u);
    EXPECT_EQ(error.diagnostics()[0].where.line, 3);
    EXPECT_EQ(error.diagnostics()[0].field, "column 'ball.position.z@0.5'");
    EXPECT_EQ(error.diagnostics()[0].value, "'abc'");
    EXPECT_EQ(error.diagnostics()[1].where.line, 5);
  }
  std::ofstream(root_ / "data.csv") << "height\n1.3\n";
  try {
    identify(ball_to_identify(free_std, height));
    FAIL() << "must be refused";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("is not in the header"));
  }
  EXPECT_FALSE(std::filesystem::exists(root_ / "out"));
}

TEST_F(Identification, BoundsWithoutALawAreRefused) {
  make_data(3, "ball.position.z@0.5");
  try {
    identify(
        ball_to_identify("uncertainty.bodies.ball.velocity[2].std: {min: -1, max: 1}", height));
    FAIL() << "must be refused";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("there is no such model"));
    EXPECT_THAT(error.what(), HasSubstr("min = -1"));
  }
}

}  // namespace
}  // namespace tumble
