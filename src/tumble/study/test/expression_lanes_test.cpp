// Expressions, drives of formulas and state variables in lanes.
#include <gtest/gtest.h>

#include "lanes_for_tests.hpp"

namespace tumble {
namespace {

/// A body on a hinge under a controller with a filter, a path and friction, and a bushing written
/// down: every kind of input and direction.
Model controlled_arm() {
  Model model;
  model.gravity = {0, 0, -9.81};
  Body arm;
  arm.name = "arm";
  arm.mass = 2;
  arm.position = {0.4, 0, 0};
  arm.inertia = {0.01, 0.1, 0.1, 0, 0, 0};
  Body load = arm;
  load.name = "load";
  load.position = {0.8, 0, 0};
  model.bodies = {arm, load};
  RevoluteJoint hinge;
  hinge.between = {MarkerRef{"ground"}, MarkerRef{"arm"}};
  hinge.point = Vec3d{0, 0, 0};
  hinge.axis = Vec3d{0, 1, 0};
  model.joints = {{"hinge", hinge}};
  ExpressionDrive path;
  path.value = "a*sin(w*time)^2 + 0.1*exp(-time)";
  path.parameters.numbers = {{"a", 0.5}, {"w", 3}};
  model.drives = {{"path", path}};
  model.states.resize(2);
  model.states[0].name = "integral";
  model.states[0].rate = "path - hinge.angle";
  model.states[1].name = "speed";
  model.states[1].rate = "(hinge.angle_rate - speed)/lag";
  model.states[1].parameters.numbers = {{"lag", 0.02}};
  ExpressionForce motor;
  motor.on_joint = JointRef{"hinge"};
  motor.torque = Expression(
      "limit*tanh((kp*(path - angle) + 30*integral + 6*(path.rate - speed))/limit) - "
      "0.1*abs(angle_rate)*angle_rate + 0.02*load.velocity.z*sqrt(1 + arm.position.x^2)");
  motor.parameters.numbers = {{"kp", 60}, {"limit", 80}};
  ExpressionForce held;
  held.ends = std::array{MarkerRef{"arm"}, MarkerRef{"load"}};
  held.place = Vec3d{0.8, 0, 0};
  held.force = std::vector<Expression>{"-k*x - 20*vx", "-k*y - 20*vy", "-k*z - 20*vz"};
  held.torque = std::vector<Expression>{"-wx", "-wy", "-wz"};
  held.moment = std::vector<Expression>{"-90*rx", "-90*ry - 40*ry^3", "-90*rz"};
  held.parameters.numbers = {{"k", 4000}};
  model.forces = {{"motor", motor}, {"held", held}};
  Probe joint, state, force;
  joint.name = "joint";
  joint.joint = JointRef{"hinge"};
  joint.quantities = {Quantity::angle, Quantity::force};
  state.name = "state";
  state.state = StateRef{"speed"};
  state.quantities = {Quantity::value, Quantity::rate};
  force.name = "motor";
  force.force = ForceRef{"motor"};
  force.quantities = {Quantity::value, Quantity::torque};
  model.probes = {joint, state, force};
  model.simulation.duration = 0.3;
  model.simulation.step = 2e-3;
  model.simulation.output_step = 0.05;
  return model;
}

TEST(ExpressionLanes, HaveTheBitsOfTheScalarEngine) {
  expect_bits_of_scalar_engine(
      controlled_arm(),
      {"forces.motor.parameters.kp", "states.speed.parameters.lag", "states.integral.start",
       "drives.path.parameters.w", "forces.held.parameters.k", "bodies.load.mass"},
      [](std::uint64_t r, double* values) {
        const auto x = static_cast<double>(r);
        values[0] = 60 + x, values[1] = 0.02 + 0.001 * x, values[2] = 0.01 * x;
        values[3] = 3 - 0.1 * x, values[4] = 4000 + 50 * x, values[5] = 2 + 0.02 * x;
      });
}

/// A lane in which a formula has no value fails, names why, and leaves its neighbours alone.
TEST(ExpressionLanes, AFormulaWithoutValueFailsItsRealizationAlone) {
  Model model = controlled_arm();
  auto& motor = std::get<ExpressionForce>(model.forces[0].kind);
  motor.torque = Expression("0.1*sqrt(kp - 60*time)");
  const Plan plan = make_plan(compile(model));
  EnsembleInputs inputs;
  inputs.slots = {plan.system->parameters.find("forces.motor.parameters.kp")};
  inputs.fill = [](std::uint64_t r, double* values) { values[0] = r == 5 ? 6 : 60; };
  std::vector<LeafRecord> leaves;
  run_ensemble(plan, inputs, leaf_source(16), {},
               [&](LeafResult&& leaf) { leaves.push_back(std::move(leaf.record)); });
  ASSERT_EQ(leaves.size(), 1u);
  for (std::size_t r = 0; r < 16; ++r) {
    const auto& outcome = leaves[0].outcomes[r];
    EXPECT_EQ(outcome.status == RealizationStatus::ok, r != 5) << r << ": " << outcome.reason;
  }
  EXPECT_NE(leaves[0].outcomes[5].reason.find(
                "expression 'motor': sqrt((kp - (60 * time))) is not a finite number at t = 0.1"),
            std::string::npos)
      << leaves[0].outcomes[5].reason;
}

}  // namespace
}  // namespace tumble
