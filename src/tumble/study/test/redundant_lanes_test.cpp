// Redundant conditions in lanes: the bits of the scalar engine at every width, reactions of least
// norm included, and realisations that fail where conditions contradict each other.
#include <gtest/gtest.h>

#include "ensemble_for_tests.hpp"
#include "lanes_for_tests.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {
namespace {

Joint hinge(const std::string& name, const char* first, const char* second, const Vec3d& point) {
  RevoluteJoint joint;
  joint.between = {MarkerRef{first}, MarkerRef{second}};
  joint.point = point;
  joint.axis = Vec3d{0, 0, 1};
  return {name, joint};
}

/// Crank, coupler and rocker on four hinges: three of their conditions are redundant.
Model loop() {
  Model m;
  m.gravity = {1, -9.81, 0};
  const std::array<Vec3d, 3> place{Vec3d{0, 0.5, 0}, Vec3d{1, 1.1, 0}, Vec3d{2, 0.6, 0}};
  const std::array<const char*, 3> name{"crank", "coupler", "rocker"};
  for (std::size_t i = 0; i < 3; ++i) {
    Body b;
    b.name = name[i];
    b.mass = 1;
    b.position = place[i];
    b.inertia = {0.1, 0.1, 0.1, 0, 0, 0};
    m.bodies.push_back(b);
  }
  m.joints = {hinge("a", "ground", "crank", {0, 0, 0}), hinge("b", "crank", "coupler", {0, 1, 0}),
              hinge("c", "coupler", "rocker", {2, 1.2, 0}),
              hinge("d", "ground", "rocker", {2, 0, 0})};
  Probe reaction, motion;
  reaction.name = "c";
  reaction.joint = JointRef{"c"};
  reaction.quantities = {Quantity::force, Quantity::torque};
  motion.name = "coupler";
  motion.body = BodyRef{"coupler"};
  motion.quantities = {Quantity::position, Quantity::acceleration};
  m.probes = {reaction, motion};
  m.simulation.duration = 0.5;
  m.simulation.step = 0.005;
  m.simulation.output_step = 0.05;
  return m;
}

TEST(RedundantLanes, HaveTheBitsOfTheScalarEngine) {
  expect_bits_of_scalar_engine(
      loop(),
      {"bodies.coupler.mass", "joints.c.point[0]", "joints.c.point[1]", "bodies.crank.position[2]"},
      [](std::uint64_t r, double* x) {
        x[0] = 0.5 + 3 * uniform(4 * r);
        x[1] = 1.8 + 0.4 * uniform(4 * r + 1);
        x[2] = 1 + 0.4 * uniform(4 * r + 2);
        x[3] = 0.1 * uniform(4 * r + 3);  // out of the plane: the hinges carry moments
      });
}

TEST(RedundantLanes, AxesOutOfParallelFailWithTheReason) {
  const Plan plan = make_plan(compile(loop()));
  EnsembleInputs inputs;
  inputs.slots = {plan.system->parameters.find("joints.b.axis[0]")};
  inputs.fill = [](std::uint64_t r, double* x) { x[0] = r % 2 == 0 ? 0.0 : 0.01; };
  EnsembleOptions options;
  run_ensemble(plan, inputs, leaf_source(16), options, [&](LeafResult&& leaf) {
    for (std::size_t r = 0; r < 16; ++r) {
      const RealizationOutcome& outcome = leaf.record.outcomes[r];
      if (r % 2 == 0) {
        EXPECT_EQ(outcome.status, RealizationStatus::ok) << outcome.reason;
      } else {
        EXPECT_EQ(outcome.status, RealizationStatus::failed);
        EXPECT_NE(outcome.reason.find("contradict each other"), std::string::npos)
            << outcome.reason;
      }
    }
  });
}

}  // namespace
}  // namespace tumble
