// The points of polynomial chaos as parameters of a model.
#include "tumble/inputs/chaos_inputs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tumble {
namespace {

using testing::HasSubstr;

Model two_bodies() {
  Model model;
  for (const char* name : {"a", "b"}) {
    Body body;
    body.name = name;
    body.mass = name[0] == 'a' ? 2 : 6;
    body.inertia = {1, 2, 2.5, 0, 0, 0};
    model.bodies.push_back(body);
  }
  model.simulation.duration = 1;
  model.simulation.step = 0.1;
  return model;
}

BodyUncertainty mass_of(const std::string& body, double cv, const std::string& variable) {
  BodyUncertainty u;
  u.body = body;
  u.mass = MassUncertainty{cv, variable};
  return u;
}

Uncertainty uncertain(std::vector<BodyUncertainty> bodies) {
  Uncertainty all;
  all.bodies = std::move(bodies);
  return all;
}

ChaosRequest of_degree(int degree) {
  ChaosRequest request;
  request.degree = degree;
  return request;
}

std::vector<double> values_at(const ChaosInputs& inputs, std::uint64_t realization) {
  std::vector<double> values(inputs.slots().size());
  inputs.fill(realization, values.data());
  return values;
}

/// The mass of a gamma law with cv = 0.5 is mean / 4 times a gamma number of shape 4, whose
/// two-point Gauss-Laguerre rule has the roots of x^2 - 2 (s + 1) x + s (s + 1) with s = 4:
/// x = 5 -+ sqrt(5).
TEST(ChaosInputs, GammaMassIsAtGaussLaguerrePointsAndScalesTheInertia) {
  const ChaosInputs inputs(two_bodies(), uncertain({mass_of("a", 0.5, {})}), of_degree(1), 1);
  ASSERT_EQ(inputs.plan().runs(), 2u);
  ASSERT_EQ(inputs.paths().size(), 7u);
  for (const int i : {0, 1}) {
    const std::vector<double> values = values_at(inputs, static_cast<std::uint64_t>(i));
    const double mass = 2.0 / 4 * (5 + (i == 0 ? -1 : 1) * std::sqrt(5.0));
    EXPECT_NEAR(values[0], mass, 1e-13);
    EXPECT_NEAR(values[1], mass / 2 * 1, 1e-13);
    EXPECT_NEAR(values[3], mass / 2 * 2.5, 1e-13);
  }
}

/// Runs that measure errors are behind the points, at masses that both germs reach, and none is
/// there if none was asked for. A normal germ is a score of the same mass.
TEST(ChaosInputs, ValidationIsBehindThePoints) {
  for (const ChaosGerms germs : {ChaosGerms::matching, ChaosGerms::normal}) {
    ChaosRequest request = of_degree(3);
    request.germs = germs;
    const ChaosInputs inputs(two_bodies(), uncertain({mass_of("a", 0.5, {})}), request, 1);
    ASSERT_EQ(inputs.realizations(), 4u + 64u);
    const ScalarLaw law(GammaLaw{.mean = 2, .cv = 0.5});
    double weighted = 0, lowest = 1;
    for (std::size_t i = 0; i < 64; ++i) {
      const double mass = values_at(inputs, 4 + i)[0];
      lowest = std::min(lowest, law.cdf(mass));
      weighted += inputs.validation().weights[i] * mass / 64;
    }
    EXPECT_NEAR(weighted, 2, 0.05);  // 64 strata of a smooth function
    EXPECT_LT(lowest, 1e-4);
    request.validation = 0;
    EXPECT_EQ(
        ChaosInputs(two_bodies(), uncertain({mass_of("a", 0.5, {})}), request, 1).realizations(),
        4u);
  }
}

/// One germ for both; the other law takes the same place in its own distribution.
TEST(ChaosInputs, SharedVariablesHaveOneGerm) {
  const ChaosInputs inputs(two_bodies(),
                           uncertain({mass_of("a", 0.5, "lot"), mass_of("b", 0.5, "lot")}),
                           of_degree(4), 1);
  ASSERT_EQ(inputs.plan().runs(), 5u);
  for (std::uint64_t i = 0; i < 5; ++i) {
    const std::vector<double> values = values_at(inputs, i);
    EXPECT_NEAR(values[7], 3 * values[0], 1e-9 * values[7]);
  }
}

/// To the last bit: a law that is made twice is one law.
TEST(ChaosInputs, EqualMassesOfOneVariableAreTheSame) {
  Model model = two_bodies();
  model.bodies[1].mass = model.bodies[0].mass;
  const ChaosInputs inputs(model, uncertain({mass_of("a", 0.3, "lot"), mass_of("b", 0.3, "lot")}),
                           of_degree(9), 1);
  ASSERT_EQ(inputs.realizations(), 10u + 64u);
  for (std::uint64_t i = 0; i < 74; ++i) {
    const std::vector<double> values = values_at(inputs, i);
    ASSERT_EQ(values[0], values[7]) << i;
  }
}

/// Legendre points of the three uniform numbers, in a box whose mean is its centre: uniform.
TEST(ChaosInputs, CentreOfMassIsMappedFromTheCube) {
  BodyUncertainty u;
  u.body = "a";
  BoxRegion box;
  box.size = {2, 4, 6};
  u.center_of_mass = CentreUncertainty{box, SamplingMethod::exact, {}, {}};
  const ChaosInputs inputs(two_bodies(), uncertain({u}), of_degree(1), 1);
  ASSERT_EQ(inputs.plan().runs(), 8u);
  const std::vector<double> first = values_at(inputs, 0);
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(std::abs(first[static_cast<std::size_t>(k)]), (k + 1) / std::sqrt(3.0), 1e-12);
}

/// Six normal germs in a group of their own. Gauss points of degree 2 integrate E{J} = J, of which
/// they are no polynomial, to some thousandths.
TEST(ChaosInputs, InertiaIsMadeOfSixNormalGerms) {
  BodyUncertainty u;
  u.body = "a";
  InertiaUncertainty inertia;
  inertia.delta = 0.2;
  u.inertia = inertia;
  const ChaosInputs inputs(two_bodies(), uncertain({u}), of_degree(2), 1);
  ASSERT_EQ(inputs.plan().runs(), 729u);
  ASSERT_EQ(inputs.plan().space().groups().size(), 1u);
  EXPECT_EQ(inputs.plan().space().groups()[0].name, "bodies.a.inertia");
  ASSERT_EQ(inputs.germ_maps().size(), 1u);
  EXPECT_LT(inputs.germ_maps()[0].error, 1e-6);
  const std::vector<double> middle = values_at(inputs, 364);  // all germs zero
  EXPECT_NEAR(middle[0], 1, 0.05);
  EXPECT_NEAR(middle[2], 2.5, 0.05);
  EXPECT_NEAR(middle[4], 0, 1e-12);
}

/// The Gauss points of two normal scores, through the copula, scale the inertias.
TEST(ChaosInputs, MassesMayBeCorrelated) {
  Uncertainty u = uncertain({mass_of("a", 0.3, {}), mass_of("b", 0.2, {})});
  u.correlations = {
      {{"bodies.a.mass", "bodies.b.mass"}, {{1, 0.8}, {0.8, 1}}, CorrelationOf::normal_scores}};
  const ChaosInputs inputs(two_bodies(), u, of_degree(1), 1);
  ASSERT_EQ(inputs.plan().runs(), 4u);
  ASSERT_EQ(inputs.plan().space().groups().size(), 1u);
  const ScalarLaw a(GammaLaw{.mean = 2, .cv = 0.3}), b(GammaLaw{.mean = 6, .cv = 0.2});
  for (std::uint64_t i = 0; i < 4; ++i) {
    const std::vector<double> values = values_at(inputs, i);
    const double first = values[0] > 2 ? 1 : -1;  // Gauss points of degree 1 are -1 and 1
    EXPECT_NEAR(values[0], a.from_normal_score(first), 1e-12);
    const double up = b.from_normal_score(0.8 * first + 0.6),
                 down = b.from_normal_score(0.8 * first - 0.6);
    EXPECT_LT(std::min(std::abs(values[7] - up), std::abs(values[7] - down)), 1e-11);
    EXPECT_NEAR(values[8], 1 * values[7] / 6, 1e-12);
  }
}

TEST(ChaosInputs, CentreOfMassMayBeInACylinder) {
  BodyUncertainty u;
  u.body = "a";
  CylinderRegion cylinder;
  cylinder.radius = 1, cylinder.length = 2;
  u.center_of_mass = CentreUncertainty{cylinder, SamplingMethod::exact, {}, {}};
  EXPECT_EQ(ChaosInputs(two_bodies(), uncertain({u}), of_degree(1), 1).plan().runs(), 8u);
}

TEST(ChaosInputs, WhatIsNoFunctionOfGermsIsRefusedAllAtOnce) {
  BodyUncertainty u = mass_of("a", 0.5, {});
  InertiaUncertainty inertia;
  inertia.delta = 0.2;
  inertia.sampler = SamplingMethod::metropolis;
  u.inertia = inertia;
  BoxRegion box;
  box.size = {2, 2, 2};
  u.center_of_mass = CentreUncertainty{box, SamplingMethod::metropolis, {}, {}};
  try {
    const ChaosInputs inputs(two_bodies(), uncertain({u}), ChaosRequest{}, 1);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    ASSERT_EQ(error.diagnostics().size(), 2u);
    EXPECT_THAT(error.what(), HasSubstr("bodies.a.position is drawn by a Markov chain"));
    EXPECT_THAT(error.what(), HasSubstr("bodies.a.inertia is drawn by a Markov chain"));
  }
}

}  // namespace
}  // namespace tumble
