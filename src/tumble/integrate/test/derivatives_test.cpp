// Derivatives of runs against closed forms and against differences of runs.
#include "tumble/integrate/derivatives.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string_view>

#include "test_machines.hpp"
#include "tumble/base/diagnostic.hpp"
#include "tumble/model/model.hpp"

namespace tumble::testing {
namespace {

/// x(t) = x₀ cos ωt + v₀/ω sin ωt, ω² = k/m, from a point mass on a spring along x.
TEST(Derivatives, OscillatorHasThoseOfItsClosedForm) {
  constexpr double m = 2, k = 50, x0 = 0.1, v0 = 0.3;
  Model model = timed(1, 2e-4);
  model.simulation.output_step = 0.05;
  model.bodies.push_back(point_mass("bob", m, {x0, 0, 0}));
  model.bodies[0].velocity = {v0, 0, 0};
  Spring spring;
  spring.between = between("ground", "bob");
  spring.points = std::array<Vec3d, 2>{Vec3d{-1, 0, 0}, Vec3d{x0, 0, 0}};
  spring.stiffness.slope = k;
  spring.length = 1;
  model.forces.push_back({"spring", spring});
  model.probes.push_back(body_probe("bob", {Quantity::position}));
  const Plan plan = make_plan(model);
  const auto by = [&](const char* path) { return differentiate(plan, model, path); };
  const Derivatives by_mass = by("bodies.bob.mass"), by_stiffness = by("forces.spring.stiffness"),
                    by_velocity = by("bodies.bob.velocity[0]");
  EXPECT_EQ(by_mass.unit, "kg");
  ASSERT_EQ(by_mass.times.size(), 21u);
  const double w = std::sqrt(k / m);
  for (std::size_t i = 0; i < by_mass.times.size(); ++i) {
    const double t = by_mass.times[i], c = std::cos(w * t), s = std::sin(w * t);
    const double by_w = -x0 * t * s - v0 / (w * w) * s + v0 / w * t * c;
    EXPECT_NEAR(by_mass.series[0].values[3 * i], -w / (2 * m) * by_w, 3e-7) << t;
    EXPECT_NEAR(by_stiffness.series[0].values[3 * i], w / (2 * k) * by_w, 3e-8) << t;
    EXPECT_NEAR(by_velocity.series[0].values[3 * i], s / w, 1e-6) << t;
  }
}

/// A lopsided body on a hinge askew, hung on a bushing from another that a drive shakes and stops:
/// something of everything, with a break.
Model shaken_machine(IntegrationMethod method) {
  Model m = timed(0.2, 1e-3);
  m.simulation.output_step = 0.02;
  m.simulation.integrator = method;
  m.simulation.newton_tolerance = 1e-13;
  m.simulation.max_iterations = 40;
  m.gravity = {0, 0, -9.81};
  m.bodies = {lopsided_body("base", {0, 0, 0}), lopsided_body("arm", {0.3, 0.1, -0.2}),
              lopsided_body("end", {0.8, 0.2, -0.3})};
  m.bodies[1].angular_velocity = {0, 0.4, 0};
  m.drives.push_back({"shake", PiecewiseLinearDrive{{0, 0.05, 0.15}, {0, 0, 0.2}}});
  FixedJoint foot;
  foot.between = between("ground", "base");
  foot.point = Vec3d{};
  foot.motion.drive[0] = "shake";
  m.joints.push_back({"foot", foot});
  RevoluteJoint pin = hinge("base", "arm", {0, 1, 0});
  m.joints.push_back({"pin", pin});
  Bushing bushing;
  bushing.between = between("arm", "end");
  bushing.point = Vec3d{0.6, 0.15, -0.25};
  bushing.stiffness = {4000, 5000, 6000, 200, 300, 250};
  bushing.damping = {20, 30, 25, 2, 3, 2};
  m.forces.push_back({"bushing", bushing});
  m.probes.push_back(
      body_probe("end", {Quantity::position, Quantity::velocity, Quantity::acceleration,
                         Quantity::angular_velocity, Quantity::rotation_vector}));
  m.probes.push_back(joint_probe("pin", {Quantity::force, Quantity::angle}));
  m.probes.push_back(energy_probe());
  return m;
}

/// By central differences of fourth order of whole runs.
std::vector<ProbeSeries> differences(const Plan& plan, const Model& model, const std::string& path,
                                     double spacing) {
  Realization realization(model);
  const int slot = plan.parameters().find(path);
  const double x = realization.get(slot);
  std::vector<Trajectory> runs;
  for (const int k : {-2, -1, 1, 2}) {
    realization.set(slot, x + k * spacing);
    RunOptions options;
    options.start_changes = false;
    runs.push_back(run(plan, realization.model(), options));
  }
  std::vector<ProbeSeries> result = runs[0].series;
  const auto combine = [&](std::vector<double> ProbeSeries::*list) {
    for (std::size_t q = 0; q < result.size(); ++q)
      for (std::size_t i = 0; i < (result[q].*list).size(); ++i) {
        const auto f = [&](std::size_t k) { return (runs[k].series[q].*list)[i]; };
        (result[q].*list)[i] = (8 * (f(2) - f(1)) - (f(3) - f(0))) / (12 * spacing);
      }
  };
  combine(&ProbeSeries::values);
  combine(&ProbeSeries::right_values);
  return result;
}

TEST(Derivatives, AreTheLimitsOfDifferences) {
  // A mass, a moment, centres of mass, stiffness and damping, a starting velocity, the values of a
  // drive, gravity, the place of a joint.
  const std::pair<const char*, double> numbers[] = {{"bodies.end.mass", 1e-2},
                                                    {"bodies.arm.inertia[3]", 1e-4},
                                                    {"bodies.end.position[0]", 1e-3},
                                                    {"bodies.arm.position[2]", 1e-3},
                                                    {"forces.bushing.stiffness[2]", 30},
                                                    {"forces.bushing.damping[0]", 0.3},
                                                    {"bodies.arm.angular_velocity[1]", 1e-2},
                                                    {"drives.shake.values[2]", 1e-3},
                                                    {"gravity[2]", 0.1},
                                                    {"forces.bushing.point[2]", 1e-3}};
  for (const auto method : {IntegrationMethod::generalized_alpha, IntegrationMethod::baumgarte,
                            IntegrationMethod::multistep}) {
    const Model model = shaken_machine(method);
    const Plan plan = make_plan(model);
    for (const auto& [path, spacing] : numbers) {
      // What the methods share is looked at once.
      const bool drive_or_mass =
          std::string_view(path).starts_with("drives") || path == numbers[0].first;
      if (method != IntegrationMethod::generalized_alpha && !drive_or_mass) continue;
      const Derivatives found = differentiate(plan, model, path);
      const auto expected = differences(plan, model, path, spacing);
      ASSERT_EQ(found.breaks.size(), 2u);
      for (std::size_t q = 0; q < expected.size(); ++q) {
        double peak = 0;
        for (const double x : expected[q].values) peak = std::max(peak, std::fabs(x));
        const auto compare = [&, path = path](const std::vector<double>& a,
                                              const std::vector<double>& b) {
          ASSERT_EQ(a.size(), b.size());
          for (std::size_t i = 0; i < a.size(); ++i)
            EXPECT_NEAR(a[i], b[i], 5e-6 * peak + 1e-9)
                << path << " " << info(expected[q].quantity).name << " " << i << ", method "
                << static_cast<int>(method);
        };
        compare(found.series[q].values, expected[q].values);
        compare(found.series[q].right_values, expected[q].right_values);
      }
    }
  }
}

// A beam that bends visibly, by its material and its density.
TEST(Derivatives, OfBeamsToo) {
  Model m = timed(0.05, 5e-4);
  m.simulation.output_step = 0.01;
  m.simulation.newton_tolerance = 1e-13;
  m.gravity = {0, 0, -9.81};
  m.beams.push_back(soft_arm("arm"));
  FixedJoint clamp;
  clamp.between = between("ground", "arm.start");
  m.joints.push_back({"clamp", clamp});
  Probe tip;
  tip.name = "tip";
  tip.beam = BeamRef{"arm"};
  tip.at = ArcFraction{1};
  tip.quantities = {Quantity::position, Quantity::strain_energy};
  m.probes = {tip};
  const Plan plan = make_plan(m);
  for (const auto& [path, spacing] :
       {std::pair{"beams.arm.youngs_modulus", 5e4}, std::pair{"beams.arm.density", 0.2}}) {
    const Derivatives found = differentiate(plan, m, path);
    const auto expected = differences(plan, m, path, spacing);
    for (std::size_t q = 0; q < expected.size(); ++q) {
      double peak = 0;
      for (const double x : expected[q].values) peak = std::max(peak, std::fabs(x));
      for (std::size_t i = 0; i < expected[q].values.size(); ++i)
        EXPECT_NEAR(found.series[q].values[i], expected[q].values[i], 1e-5 * peak) << path;
    }
  }
}

TEST(Derivatives, WhatHasNoneIsRefused) {
  const Model model = shaken_machine(IntegrationMethod::generalized_alpha);
  const Plan plan = make_plan(model);
  const auto message = [&](const char* path) -> std::string {
    try {
      differentiate(plan, model, path);
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_NE(message("drives.shake.times[1]").find("moves a break point"), std::string::npos);
  EXPECT_NE(message("bodies.end.mas").find("bodies.end.mass"), std::string::npos);
}

}  // namespace
}  // namespace tumble::testing
