// The box of a worst-case study: its ends, its points, and what has no interval.
#include "tumble/inputs/worst_case_inputs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace tumble {
namespace {

using testing::HasSubstr;

Model one_body() {
  Model model;
  Body body;
  body.name = "a";
  body.mass = 2;
  body.inertia = {1, 2, 2.5, 0, 0, 0};
  model.bodies.push_back(body);
  model.simulation.duration = 1;
  model.simulation.step = 0.1;
  return model;
}

Uncertainty of_laws(std::vector<ScalarLawParameters> laws) {
  Uncertainty all;
  const std::vector<std::string> paths{"bodies.a.mass", "bodies.a.position[0]",
                                       "bodies.a.position[1]"};
  for (std::size_t i = 0; i < laws.size(); ++i)
    all.scalars.push_back({paths[i], {paths[i]}, std::move(laws[i])});
  return all;
}

TEST(WorstCaseInputs, GoFromOneEndOfEachLawToTheOther) {
  const WorstCaseInputs inputs(
      one_body(),
      of_laws({UniformLaw{.min = 1.8, .max = 2.3},
               TriangularLaw{.min = -0.1, .mode = 0, .max = 0.3},
               TruncatedNormalLaw{.normal_mean = 0, .normal_std = 1, .min = -0.2, .max = 0.7}}),
      {}, 1, 64);
  EXPECT_EQ(inputs.plan().runs(), 125U);
  EXPECT_EQ(inputs.points().rows() % 64, 0U);
  EXPECT_GE(inputs.points().rows(), 125U + 64U);
  double values[3];
  inputs.fill(std::vector<double>{-1, -1, -1}, values);
  EXPECT_EQ(values[0], 1.8);
  EXPECT_EQ(values[1], -0.1);
  EXPECT_EQ(values[2], -0.2);
  inputs.fill(std::vector<double>{1, 1, 1}, values);
  EXPECT_EQ(values[0], 2.3);
  EXPECT_EQ(values[1], 0.3);
  EXPECT_EQ(values[2], 0.7);
  inputs.fill(std::vector<double>{0, 0.5, 0}, values);
  EXPECT_DOUBLE_EQ(values[0], 2.05);
  EXPECT_DOUBLE_EQ(values[1], 0.2);
  // Those of the fit, then all eight corners.
  std::set<std::vector<double>> corners;
  for (std::size_t i = 125; i < 133; ++i) {
    for (const double x : inputs.points().row(i)) EXPECT_EQ(std::fabs(x), 1);
    corners.insert({inputs.points().row(i).begin(), inputs.points().row(i).end()});
  }
  EXPECT_EQ(corners.size(), 8U);
  for (std::size_t i = 133; i < inputs.points().rows(); ++i)
    for (const double x : inputs.points().row(i)) EXPECT_LT(std::fabs(x), 1);
  ASSERT_EQ(inputs.announcements().size(), 2U);
  EXPECT_THAT(inputs.announcements()[0],
              HasSubstr("of its law (triangular) the ends alone count, -0.1 and 0.3"));
}

TEST(WorstCaseInputs, RefuseEverythingWithoutAnInterval) {
  Uncertainty all = of_laws({NormalLaw{.mean = 2, .std = 0.1}, GammaLaw{.mean = 1, .cv = 0.1},
                             DiscreteLaw{.values = {1, 2}}});
  BodyUncertainty body;
  body.body = "a";
  body.mass = MassUncertainty{0.1, {}};
  all.bodies.push_back(body);
  all.correlations.push_back({{"bodies.a.mass", "bodies.a.position[0]"}, {{1, 0.5}, {0.5, 1}}});
  try {
    const WorstCaseInputs inputs(one_body(), all, {}, 1, 64);
    FAIL();
  } catch (const InputError& error) {
    ASSERT_EQ(error.diagnostics().size(), 5U);
    EXPECT_THAT(error.diagnostics()[0].expectation, HasSubstr("bodies.a.mass: {law: uniform"));
    EXPECT_THAT(error.diagnostics()[1].expectation, HasSubstr("do not depend on each other"));
    EXPECT_THAT(error.diagnostics()[2].expectation, HasSubstr("a normal law has no lower end"));
    EXPECT_THAT(error.diagnostics()[3].expectation, HasSubstr("a gamma law has no upper end"));
    EXPECT_THAT(error.diagnostics()[4].expectation, HasSubstr("min: 1, max: 2"));
  }
}

}  // namespace
}  // namespace tumble
