// Runs of machines with expressions and state variables, against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "test_machines.hpp"
#include "tumble/integrate/statics/equilibrium.hpp"

namespace tumble {
namespace {

using namespace testing;

ExpressionForce on_joint(const char* joint, const char* force, const char* torque) {
  ExpressionForce f;
  f.on_joint = JointRef{joint};
  if (*force != 0) f.force = Expression(force);
  if (*torque != 0) f.torque = Expression(torque);
  return f;
}

Probe state_probe(const std::string& state) {
  Probe probe;
  probe.name = "state-" + state;
  probe.state = StateRef{state};
  probe.quantities = {Quantity::value, Quantity::rate};
  return probe;
}

/// A body 1 m along x from the ground's origin, at rest.
Model free_body(const ExpressionForce& force) {
  Model m = timed(0.1, 1e-3);
  m.bodies = {unit_body("b")};
  m.bodies[0].position = {1, 0, 0};
  m.forces = {{"it", force}};
  m.probes = {body_probe("b", {Quantity::position, Quantity::rotation_vector}),
              force_probe("it", {Quantity::force, Quantity::torque})};
  return m;
}

TEST(ExpressionSigns, ATensionPullsTheEndsTogether) {
  ExpressionForce f;
  f.ends = between("ground", "b");
  f.line = std::array{Vec3d{}, Vec3d{1, 0, 0}};
  f.tension = "3*length";
  const Trajectory run = simulate(free_body(f));
  EXPECT_LT(run.series[0].values[run.series[0].values.size() - 3], 1);
  EXPECT_NEAR(run.series[2].values[0], -3, 1e-12);
}

TEST(ExpressionSigns, ForceAndTorqueActOnTheSecondBody) {
  ExpressionForce f;
  f.ends = between("ground", "b");
  f.place = Vec3d{1, 0, 0};
  f.force = std::vector<Expression>{"0", "4", "0"};
  f.torque = std::vector<Expression>{"0", "0", "2"};
  f.moment = std::vector<Expression>{"1", "0", "0"};
  const Trajectory run = simulate(free_body(f));
  const auto& position = run.series[0].values;
  const auto& turn = run.series[1].values;
  // 4 N on 1 kg for 0.1 s; 1 and 2 N m on 1 kg m^2.
  EXPECT_NEAR(position[position.size() - 2], 0.5 * 4 * 0.01, 1e-9);
  EXPECT_NEAR(turn[turn.size() - 1], 0.5 * 2 * 0.01, 1e-5);
  EXPECT_NEAR(turn[turn.size() - 3], 0.5 * 1 * 0.01, 1e-5);
  EXPECT_NEAR(run.series[2].values[1], 4, 1e-12);
  EXPECT_NEAR(run.series[3].values[2], 2, 1e-12);
  EXPECT_NEAR(run.series[3].values[0], 1, 1e-12);
}

TEST(ExpressionSigns, OnAJointTheyIncreaseAngleAndDisplacement) {
  Model m = timed(0.1, 1e-3);
  m.bodies = {unit_body("b")};
  m.joints = {{"hinge", hinge("ground", "b", {0, 1, 0})}};
  m.forces = {{"it", on_joint("hinge", "", "4")}};
  m.probes = {joint_probe("hinge", {Quantity::angle, Quantity::angle_rate}),
              force_probe("it", {Quantity::value})};
  Trajectory run = simulate(m);
  EXPECT_NEAR(run.series[0].values.back(), 0.5 * 4 * 0.01, 1e-9);
  EXPECT_NEAR(run.series[1].values.back(), 0.4, 1e-9);
  EXPECT_EQ(run.series[2].values.back(), 4);
  PrismaticJoint slider;
  slider.between = between("ground", "b");
  slider.point = Vec3d{};
  slider.axis = Vec3d{0, 0, -1};
  m.joints = {{"slider", slider}};
  m.forces = {{"it", on_joint("slider", "4", "")}};
  m.probes = {joint_probe("slider", {Quantity::displacement})};
  run = simulate(m);
  EXPECT_NEAR(run.series[0].values.back(), 0.5 * 4 * 0.01, 1e-9);
}

/// dx/dt = -x/T + sin t beside a body that rests: x = (x0 + w) e^(-t/T) + ... in closed form.
Model filter(IntegrationMethod method, double step) {
  Model m = timed(1, step);
  m.simulation.output_step = 0.1;
  m.simulation.integrator = method;
  m.bodies = {unit_body("b")};
  m.states.resize(1);
  m.states[0].name = "x";
  m.states[0].rate = "-x/T + sin(time)";
  m.states[0].start = 2;
  m.states[0].parameters.numbers = {{"T", 0.2}};
  m.probes = {state_probe("x")};
  return m;
}
double filter_error(IntegrationMethod method, double step) {
  const Trajectory run = simulate(filter(method, step));
  const double a = 5, d = a * a + 1;  // x' = -a x + sin t
  double largest = 0;
  for (std::size_t k = 0; k < run.times.size(); ++k) {
    const double t = run.times[k];
    const double x = (2 + 1 / d) * std::exp(-a * t) + (a * std::sin(t) - std::cos(t)) / d;
    largest = std::max(largest, std::fabs(run.series[0].values[k] - x));
    EXPECT_NEAR(run.series[1].values[k], -a * run.series[0].values[k] + std::sin(t), 1e-6);
  }
  return largest;
}

TEST(StateVariables, AreIntegratedToSecondOrder) {
  const double coarse = filter_error(IntegrationMethod::generalized_alpha, 4e-3),
               fine = filter_error(IntegrationMethod::generalized_alpha, 2e-3);
  EXPECT_LT(fine, 2e-5);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
  for (const auto method : {IntegrationMethod::baumgarte, IntegrationMethod::multistep}) {
    const double other = filter_error(method, 4e-3), half = filter_error(method, 2e-3);
    EXPECT_LT(half, 1e-4) << static_cast<int>(method);
    EXPECT_NEAR(std::log2(other / half), 2, 0.3) << static_cast<int>(method);
  }
}

/// Faster than the step by far: implicit, so it rests on what it follows.
TEST(StateVariables, MayBeStiff) {
  Model m = filter(IntegrationMethod::generalized_alpha, 0.01);
  m.states[0].start = 0;
  m.states[0].rate = "(time - x)/T";
  m.states[0].parameters.numbers = {{"T", 1e-6}};
  const Trajectory run = simulate(m);
  EXPECT_NEAR(run.series[0].values.back(), 1, 1e-4);
}

/// Joints that start with a rate leave the start of states alone.
TEST(StateVariables, StartWhereTheyAreSaidTo) {
  Model m = filter(IntegrationMethod::generalized_alpha, 1e-3);
  RevoluteJoint turning = hinge("ground", "b", {0, 1, 0});
  turning.start = AngleStart{{}, 3.0};
  m.joints = {{"hinge", turning}};
  m.states[0].rate = "hinge.angle_rate - 3";
  const Trajectory run = simulate(m);
  EXPECT_EQ(run.series[0].values.front(), 2);
  EXPECT_NEAR(run.series[0].values.back(), 2, 1e-9);
}

/// A mass on a spring written as a formula: its energy is work, and the account closes.
TEST(ExpressionRuns, FollowClosedForms) {
  Model m = timed(2, 1e-3);
  m.simulation.output_step = 0.1;
  m.bodies = {unit_body("b")};
  ExpressionForce f;
  f.on_body = BodyRef{"b"};
  f.force = std::vector<Expression>{"-k*(b.position.x - 0.5)", "0", "0"};
  f.parameters.numbers = {{"k", 9}};
  m.forces = {{"it", f}};
  m.probes = {body_probe("b", {Quantity::position})};
  const Trajectory run = simulate(m);
  for (std::size_t k = 0; k < run.times.size(); ++k)
    EXPECT_NEAR(run.series[0].values[3 * k], 0.5 - 0.5 * std::cos(3 * run.times[k]), 2e-5);
  EXPECT_TRUE(run.warnings.empty()) << run.warnings.front();
}

/// Motions that are imposed can be read as well: there are no unknowns behind them.
TEST(ExpressionRuns, ReadImposedMotions) {
  Model m = timed(0.5, 1e-3);
  m.bodies = {unit_body("a"), unit_body("b")};
  RevoluteJoint driven = hinge("ground", "a", {0, 1, 0});
  driven.motion.drive[5] = "turn";
  ExpressionDrive turn;
  turn.value = "time^2";
  m.drives = {{"turn", turn}};
  m.joints = {{"driven", driven}};
  ExpressionForce f;
  f.on_body = BodyRef{"b"};
  f.force = std::vector<Expression>{"driven.angle", "a.angular_velocity.y", "turn.rate"};
  m.forces = {{"it", f}};
  m.probes = {force_probe("it", {Quantity::force})};
  const Trajectory run = simulate(m);
  const auto& force = run.series[0].values;
  const double t = run.times.back();
  EXPECT_NEAR(force[force.size() - 3], t * t, 1e-9);
  EXPECT_NEAR(force[force.size() - 2], 2 * t, 1e-9);
  EXPECT_NEAR(force[force.size() - 1], 2 * t, 1e-12);
}

TEST(ExpressionRuns, EndWhereAFormulaHasNoValue) {
  ExpressionForce f;
  f.on_body = BodyRef{"b"};
  f.force = std::vector<Expression>{"sqrt(0.0505 - time)", "0", "0"};
  try {
    simulate(free_body(f));
    FAIL() << "nothing was said";
  } catch (const SimulationError& error) {
    EXPECT_NE(
        std::string(error.what())
            .find("expression 'it': sqrt((0.0505 - time)) is not a finite number at t = 0.05"),
        std::string::npos)
        << error.what();
  }
}

TEST(ExpressionRuns, StatesHaveNoEquilibrium) {
  const Model m = filter(IntegrationMethod::generalized_alpha, 1e-3);
  const Plan plan = make_plan(m);
  EXPECT_EQ(plan.degrees_of_freedom(), 6);
  EXPECT_THROW(find_equilibrium(plan, m), InputError);
}

}  // namespace
}  // namespace tumble
