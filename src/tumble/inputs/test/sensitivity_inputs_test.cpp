// Blocks of runs that share random numbers: who takes what from whom.
#include "tumble/inputs/sensitivity_inputs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace tumble {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A body with a random mass, centre of mass and inertia, and a random velocity whose components
/// are correlated.
Model body_model() {
  Model model;
  Body body;
  body.name = "b";
  body.mass = 3000;
  body.position = {0.6, 0, 0.5};
  body.inertia = {1200, 5000, 6000, 0, 0, 0};
  model.bodies = {body};
  model.simulation.duration = 1;
  model.simulation.step = 0.1;
  return model;
}

Uncertainty of_the_body() {
  BodyUncertainty body;
  body.body = "b";
  body.mass = MassUncertainty{0.3, {}};
  BoxRegion box;
  box.center = {0.6, 0, 0.5};
  box.size = {0.5, 0.2, 0.02};
  body.center_of_mass = CentreUncertainty{box, SamplingMethod::exact, {}, {}};
  InertiaUncertainty inertia;
  inertia.delta = 0.3;
  body.inertia = inertia;
  Uncertainty all;
  all.bodies = {body};
  return all;
}

Uncertainty correlated(double r) {
  Uncertainty all;
  for (int k = 0; k < 3; ++k) {
    const std::string path = "bodies.b.velocity[" + std::to_string(k) + "]";
    all.scalars.push_back({path, {path}, NormalLaw{.mean = 1.0, .std = 2.0}});
  }
  all.correlations.push_back({{"bodies.b.velocity[0]", "bodies.b.velocity[1]"},
                              {{1, r}, {r, 1}},
                              CorrelationOf::variables});
  return all;
}

std::vector<double> numbers(const SensitivityInputs& inputs, std::uint64_t realization) {
  std::vector<double> values(inputs.random().slots().size());
  inputs.fill(realization, values.data());
  return values;
}

SensitivityRequest by(SensitivityMethod method, SensitivityFactors factors) {
  SensitivityRequest request;
  request.method = method;
  request.by = factors;
  return request;
}

TEST(SensitivityInputs, AMixedRunTakesOneGroupFromTheOtherDraw) {
  const SensitivityInputs inputs(body_model(), of_the_body(), {}, 3);
  EXPECT_THAT(inputs.factors(),
              ElementsAre("bodies.b.mass", "bodies.b.position", "bodies.b.inertia"));
  ASSERT_EQ(inputs.block(), 5u);
  const auto a = numbers(inputs, 10), b = numbers(inputs, 11), mass = numbers(inputs, 12),
             centre = numbers(inputs, 13), inertia = numbers(inputs, 14);
  // Mass, three of the centre, six of the inertia, which the mass scales.
  for (std::size_t i = 0; i < 10; ++i) EXPECT_NE(a[i], b[i]) << i;
  EXPECT_EQ(mass[0], b[0]);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(mass[i], a[i]) << i;
  for (std::size_t i = 4; i < 10; ++i) EXPECT_NEAR(mass[i] / mass[0], a[i] / a[0], 1e-12) << i;
  EXPECT_EQ(centre[0], a[0]);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(centre[i], b[i]) << i;
  for (std::size_t i = 4; i < 10; ++i) EXPECT_EQ(centre[i], a[i]) << i;
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(inertia[i], a[i]) << i;
  for (std::size_t i = 4; i < 10; ++i)
    EXPECT_NEAR(inertia[i] / inertia[0], b[i] / b[0], 1e-12) << i;
}

TEST(SensitivityInputs, DrawsAreThoseOfMonteCarlo) {
  const SensitivityInputs inputs(body_model(), of_the_body(), {}, 3);
  const RandomInputs plain(body_model(), of_the_body(), {.seed = 3});
  std::vector<double> first(10), second(10);
  plain.fill(4, first.data());
  plain.fill(5, second.data());
  EXPECT_EQ(numbers(inputs, 10), first);
  EXPECT_EQ(numbers(inputs, 11), second);
}

TEST(SensitivityInputs, GermsAreSingleNumbers) {
  const SensitivityInputs inputs(body_model(), of_the_body(),
                                 by(SensitivityMethod::pick_freeze, SensitivityFactors::germs), 3);
  ASSERT_EQ(inputs.factors().size(), 10u);  // 1 + 3 + 6
  EXPECT_EQ(inputs.factors()[1], "bodies.b.position[0]");
  const auto a = numbers(inputs, 0), b = numbers(inputs, 1), first = numbers(inputs, 3);
  EXPECT_EQ(first[1], b[1]);  // coordinates of a box are independent
  EXPECT_EQ(first[2], a[2]);
}

TEST(SensitivityInputs, WhatIsCorrelatedIsOneGroup) {
  const SensitivityInputs inputs(body_model(), correlated(0.5), {}, 1);
  EXPECT_THAT(inputs.factors(),
              ElementsAre("bodies.b.velocity[0], bodies.b.velocity[1]", "bodies.b.velocity[2]"));
  const auto b = numbers(inputs, 1), mixed = numbers(inputs, 2);
  EXPECT_EQ(mixed[0], b[0]);
  EXPECT_EQ(mixed[1], b[1]);
  SensitivityRequest request;
  request.groups.list = {{"pair", {"bodies.b.velocity[0]", "bodies.b.velocity[2]"}}};
  const auto refusal = [&] {
    try {
      SensitivityInputs(body_model(), correlated(0.5), request, 1);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(refusal(), HasSubstr("are correlated and must be in one group"));
  request.groups.list = {
      {"all", {"bodies.b.velocity[0]", "bodies.b.velocity[1]", "bodies.b.mass"}}};
  EXPECT_THAT(refusal(), HasSubstr("no variable is named 'bodies.b.mass'"));
  request.groups.list = {
      {"all", {"bodies.b.velocity[0]", "bodies.b.velocity[1]", "bodies.b.velocity[2]"}}};
  EXPECT_EQ(refusal(), "accepted");
  request.groups.list.push_back({"more", {"bodies.b.velocity[2]"}});
  EXPECT_THAT(refusal(), HasSubstr("is in a group already"));
}

TEST(SensitivityInputs, ShapleyRunsAreDrawnOnConditionOfWhatIsKept) {
  constexpr double r = 0.8;
  const SensitivityInputs inputs(body_model(), correlated(r),
                                 by(SensitivityMethod::shapley, SensitivityFactors::groups), 1);
  ASSERT_EQ(inputs.block(), 8u);
  // Member 1 keeps the second and draws the first again: normal with mean 1 + r (x2 - 1) and
  // variance 4 (1 - r^2), whatever the first was.
  constexpr int blocks = 4000;
  double residual = 0, squares = 0, with_kept = 0, with_old = 0;
  for (int j = 0; j < blocks; ++j) {
    const auto first = static_cast<std::uint64_t>(8 * j);
    const auto a = numbers(inputs, first), again = numbers(inputs, first + 1);
    ASSERT_EQ(again[1], a[1]);
    ASSERT_EQ(again[2], a[2]);
    const double e = again[0] - 1 - r * (a[1] - 1), old = a[0] - 1 - r * (a[1] - 1);
    residual += e, squares += e * e, with_kept += e * (a[1] - 1), with_old += e * old;
  }
  const double variance = 4 * (1 - r * r), error = 1 / std::sqrt(blocks);
  EXPECT_NEAR(residual / blocks, 0, 4 * std::sqrt(variance) * error);
  EXPECT_NEAR(squares / blocks, variance, 4 * std::sqrt(2.0) * variance * error);
  EXPECT_NEAR(with_kept / blocks, 0, 4 * std::sqrt(4 * variance) * error);
  EXPECT_NEAR(with_old / blocks, 0, 4 * variance * error);
}

TEST(SensitivityInputs, WalksMoveOneNumberAtATime) {
  SensitivityRequest request = by(SensitivityMethod::morris, SensitivityFactors::groups);
  request.levels = 6;
  Uncertainty uniform;
  for (int k = 0; k < 3; ++k) {
    const std::string path = "bodies.b.velocity[" + std::to_string(k) + "]";
    uniform.scalars.push_back({path, {path}, UniformLaw{.min = 0.0, .max = 1.0}});
  }
  const SensitivityInputs inputs(body_model(), uniform, request, 9);
  ASSERT_EQ(inputs.block(), 4u);
  for (std::uint64_t walk = 0; walk < 50; ++walk) {
    std::vector<int> moved(3, 0);
    for (std::size_t step = 0; step < 3; ++step) {
      const auto from = numbers(inputs, 4 * walk + step), to = numbers(inputs, 4 * walk + step + 1);
      const auto [factor, jump] = inputs.move(walk, step);
      ++moved[factor];
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(to[i] - from[i], i == factor ? jump : 0, 1e-12);
        EXPECT_NEAR(6 * from[i] - 0.5, std::round(6 * from[i] - 0.5), 1e-9);  // on the grid
      }
    }
    EXPECT_THAT(moved, ElementsAre(1, 1, 1));
  }
}

TEST(SensitivityInputs, RefusesChains) {
  Uncertainty chained = of_the_body();
  chained.bodies[0].center_of_mass->sampler = SamplingMethod::metropolis;
  EXPECT_THROW(SensitivityInputs(body_model(), chained, {}, 1), std::invalid_argument);
}

}  // namespace
}  // namespace tumble
