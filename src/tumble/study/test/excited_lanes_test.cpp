// Random drives in lanes, with germs that somebody else than a stream supplies.
#include <gtest/gtest.h>

#include <cmath>

#include "lanes_for_tests.hpp"
#include "tumble/model/excitation.hpp"

namespace tumble {
namespace {

/// A free body that noise pushes, on a spring to a place that a road moves.
Model pushed_body() {
  Model model;
  Body body;
  body.name = "body";
  body.mass = 2;
  body.inertia = {1, 2, 2.5, 0, 0, 0};
  model.bodies = {body};
  WhiteNoiseDrive noise;
  noise.intensity = 3;
  noise.bandwidth = 10;
  RoadDrive road;
  road.road_class = RoadClass::E;
  road.speed = 10;
  road.to = 1;
  model.drives = {{"noise", noise}, {"road", road}, {"rear", DelayedDrive{{"road"}, {}, 2.0}}};
  AppliedForce push;
  push.body.name = "body";
  push.point = Vec3d{0, 0.1, 0.2};
  push.force = {1, 0.5, 0};
  push.drive = DriveRef{"noise"};
  AppliedForce lift = push;
  lift.force = {0, 0, 40};
  lift.drive = DriveRef{"rear"};
  model.forces = {{"push", push}, {"lift", lift}};
  Probe probe;
  probe.name = "body";
  probe.body = BodyRef{"body"};
  probe.quantities = {Quantity::position, Quantity::acceleration};
  model.probes = {probe};
  model.simulation.duration = 0.5;
  model.simulation.step = 5e-3;
  model.simulation.output_step = 0.05;
  return model;
}

TEST(ExcitedLanes, HaveTheBitsOfTheScalarEngine) {
  const Model model = pushed_body();
  const std::size_t germs = excitation_germs(model);
  expect_bits_of_scalar_engine(
      model, {"bodies.body.mass"},
      [](std::uint64_t r, double* values) { values[0] = 2 + 0.1 * static_cast<double>(r); },
      [germs](std::uint64_t r, double* z) {
        for (std::size_t i = 0; i < germs; ++i)
          z[i] = std::sin(1 + 3.7 * static_cast<double>(i * (r + 1) % 97));
      });
}

TEST(ExcitedLanes, AnswerInProportionToTheirGerms) {
  const Model model = pushed_body();
  const Plan plan = make_plan(compile(model));
  // Realisation r has r times the same germs: what moves the centre of mass is linear in them.
  EnsembleInputs inputs;
  inputs.fill = [](std::uint64_t, double*) {};
  inputs.excite = [n = excitation_germs(model)](std::uint64_t r, double* z) {
    for (std::size_t i = 0; i < n; ++i)
      z[i] = 0.1 * static_cast<double>(r) * std::cos(2.3 * static_cast<double>(i));
  };
  const auto none = run_realization(plan, inputs, 0), once = run_realization(plan, inputs, 1),
             thrice = run_realization(plan, inputs, 3);
  const std::size_t last = once.values.size() - 6;
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(none.values[last + k], 0);
    EXPECT_NE(once.values[last + k], 0);
    EXPECT_NEAR(thrice.values[last + k], 3 * once.values[last + k],
                1e-9 * std::fabs(once.values[last + k]) + 1e-13);
  }
}

}  // namespace
}  // namespace tumble
