// What a callback sees after each step, and that looking changes nothing.
#include <gtest/gtest.h>

#include <stdexcept>

#include "tumble/integrate/test/test_machines.hpp"

namespace tumble::testing {
namespace {

/// A lopsided body on an oblique hinge, and a point mass that is thrown.
Model swing_and_throw() {
  Model model;
  model.gravity = {0, 0, -9.81};
  model.bodies = {lopsided_body("swing", {0.3, 0.1, -0.2}), point_mass("ball", 0.5, {1, 2, 3})};
  model.bodies[1].velocity = {4, 5, 6};
  model.joints.push_back({"pivot", hinge("ground", "swing", Vec3d{1, 2, -0.5})});
  for (const char* name : {"swing", "ball"}) {
    Probe probe;
    probe.name = name;
    probe.body = BodyRef{name};
    probe.quantities = {Quantity::position, Quantity::velocity};
    model.probes.push_back(probe);
  }
  model.simulation.duration = 0.2;
  model.simulation.step = 1e-3;
  model.simulation.output_step = 0.01;
  return model;
}

TEST(StepView, ShowsWhatProbesRecordAndChangesNoBit) {
  const Model model = swing_and_throw();
  const Trajectory unwatched = simulate(model);
  std::vector<double> times;
  std::vector<std::vector<Vec3d>> seen;
  RunOptions options;
  options.after_step = [&](const StepView& step) {
    times.push_back(step.time);
    seen.push_back({});
    for (const BodyView& body : step.bodies) {
      seen.back().push_back(body.p_W);
      seen.back().push_back(body.v_W);
    }
    return true;
  };
  const Trajectory watched = simulate(model, options);

  ASSERT_EQ(times.size(), 201U);
  ASSERT_EQ(seen[0].size(), 4U);
  EXPECT_EQ(times[0], 0);
  EXPECT_NEAR(times[37], 0.037, 1e-15);
  ASSERT_EQ(watched.series.size(), 4U);
  for (std::size_t s = 0; s < watched.series.size(); ++s) {
    EXPECT_EQ(watched.series[s].values, unwatched.series[s].values);
    for (std::size_t output = 0; output < watched.times.size(); ++output)
      for (int axis = 0; axis < 3; ++axis)
        EXPECT_EQ(seen[10 * output][s][axis],
                  watched.series[s].values[3 * output + static_cast<std::size_t>(axis)]);
  }
}

TEST(StepView, RotationAndAngularVelocityGoWithTheVelocityOfTheHinge) {
  RunOptions options;
  int looked = 0;
  options.after_step = [&](const StepView& step) {
    // The hinge is the origin: a material point at rest.
    const BodyView& swing = step.bodies[0];
    const Vec3d to_hinge_B = transpose(swing.R_WB) * (Vec3d{} - swing.p_W);
    EXPECT_LT(norm(to_hinge_B - Vec3d{-0.3, -0.1, 0.2}), 1e-9);
    // Joints are kept in their positions; velocities follow to the order of the method, h² = 1e-6.
    EXPECT_LT(norm(swing.point_velocity(to_hinge_B)), 1e-5);
    ++looked;
    return true;
  };
  simulate(swing_and_throw(), options);
  EXPECT_EQ(looked, 201);
}

TEST(StepView, FalseEndsTheRunAtTheOutputBefore) {
  RunOptions options;
  options.after_step = [](const StepView& step) { return step.time < 0.0545; };
  const Trajectory ended = simulate(swing_and_throw(), options);
  const Trajectory whole = simulate(swing_and_throw());
  ASSERT_EQ(ended.times.size(), 6U);
  EXPECT_EQ(ended.statistics.steps, 55);
  for (std::size_t i = 0; i < 18; ++i)
    EXPECT_EQ(ended.series[0].values[i], whole.series[0].values[i]);

  options.after_step = [](const StepView&) { return false; };
  EXPECT_EQ(simulate(swing_and_throw(), options).times.size(), 1U);
}

TEST(StepView, WhatItThrowsComesOut) {
  RunOptions options;
  options.after_step = [](const StepView& step) -> bool {
    throw std::out_of_range(step.time > 0 ? "late" : "at the start");
  };
  EXPECT_THROW(simulate(swing_and_throw(), options), std::out_of_range);
}

}  // namespace
}  // namespace tumble::testing
