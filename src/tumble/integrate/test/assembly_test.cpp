// Consistent initial values: positions, velocities and accelerations from a rough description.
#include <gtest/gtest.h>

#include <cmath>

#include "tumble/integrate/run.hpp"
#include "tumble/integrate/step/integrator.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {
namespace {

Body rod(const std::string& name, const Vec3d& position) {
  Body body;
  body.name = name;
  body.mass = 2;
  body.position = position;
  body.inertia = {0.02, 0.2, 0.2, 0, 0, 0};
  return body;
}

Marker marker(const std::string& name, const Vec3d& position) {
  Marker m;
  m.name = name;
  m.position = position;
  return m;
}

Model base() {
  Model model;
  model.gravity = {0, 0, -9.81};
  model.simulation.duration = 0.1;
  model.simulation.step = 1e-3;
  return model;
}

struct Started {
  std::shared_ptr<const System> system;
  std::vector<double> constants;
  std::unique_ptr<Integrator> integrator;
};

Started start(const Model& model) {
  Started s;
  s.system = compile(model);
  s.constants = prepare(*s.system, model);
  s.integrator = std::make_unique<Integrator>(make_plan(s.system), s.constants);
  s.integrator->start(initial_state(*s.system, model), 0, 0.5e-3);
  s.integrator->restart(1e-3);
  return s;
}

// A ball joint between markers that are 0.1 m apart moves the free body onto the ground's marker.
// A pull on the end of a free rod moves and turns it; what it turns about is the centre of
// percussion, which is where the least mass-weighted motion leaves it.
TEST(Assembly, PullsMarkersTogetherWithLeastMotion) {
  Model model = base();
  model.ground_markers = {marker("pin", {0, 0, 0.1})};
  Body body = rod("rod", {0.5, 0, 0});
  body.markers = {marker("end", {0, 0, 0})};
  model.bodies = {body};
  SphericalJoint joint;
  joint.between = {MarkerRef{"ground.pin"}, MarkerRef{"rod.end"}};
  model.joints = {{"pin", joint}};
  Started s = start(model);
  EXPECT_LT(s.integrator->constraint_residual(), 1e-15);
  // To first order the impulse P at distance r gives  δz = P/m, δθ = P r/J, and δz + r δθ = 0.1.
  const double m = 2, J = 0.2, r = 0.5;
  const double impulse = 0.1 / (1 / m + r * r / J);
  const auto& q = s.integrator->state().q;
  EXPECT_NEAR(q[2], impulse / m, 2e-3);  // the finite rotation adds second-order terms
  const Vec3d turn = rotation_vector(Quaternion<double>{q[3], q[4], q[5], q[6]});
  EXPECT_NEAR(turn.y, impulse * r / J, 2e-3);
  EXPECT_NEAR(q[1], 0, 1e-15);
}

TEST(Assembly, ProjectsVelocitiesOntoTheConstraints) {
  Model model = base();
  Body body = rod("rod", {0.5, 0, 0});
  body.velocity = {0.3, 0.4, -1};  // the component along the rod cannot be
  model.bodies = {body};
  SphericalJoint joint;
  joint.between = {MarkerRef{"ground"}, MarkerRef{"rod"}};
  joint.point = Vec3d{0, 0, 0};
  model.joints = {{"pin", joint}};
  Started s = start(model);
  const auto& v = s.integrator->state().v;
  // The pinned end is at rest: v + w x r = 0 with r = (-0.5, 0, 0).
  EXPECT_NEAR(v[0], 0, 1e-15);
  EXPECT_NEAR(v[1] - 0.5 * v[5], 0, 1e-15);
  EXPECT_NEAR(v[2] + 0.5 * v[4], 0, 1e-15);
  // An impulse at the pin keeps the angular momentum about it: m r v_given = (J + m r^2) w.
  const double m = 2, J = 0.2, r = 0.5;
  EXPECT_NEAR(v[4], -m * r * -1 / (J + m * r * r), 1e-14);
  EXPECT_NEAR(v[5], m * r * 0.4 / (J + m * r * r), 1e-14);
}

// A rod released from the horizontal: its end accelerates with 3/2 g for a thin uniform rod, here
// m g r / (J + m r^2) in angle, and the pin carries the rest of the weight.
TEST(Assembly, StartsWithTheTrueAccelerationAndReaction) {
  Model model = base();
  model.bodies = {rod("rod", {0.5, 0, 0})};
  RevoluteJoint joint;
  joint.between = {MarkerRef{"ground"}, MarkerRef{"rod"}};
  joint.point = Vec3d{0, 0, 0};
  joint.axis = Vec3d{0, 1, 0};
  model.joints = {{"hinge", joint}};
  Probe probe;
  probe.name = "hinge";
  probe.joint = JointRef{"hinge"};
  probe.quantities = {Quantity::force, Quantity::torque};
  model.probes = {probe};
  const double m = 2, J = 0.2, r = 0.5, g = 9.81;
  const double angular = m * g * r / (J + m * r * r);
  const Started s = start(model);
  EXPECT_NEAR(s.integrator->state().vdot[4], angular, 1e-13);
  EXPECT_NEAR(s.integrator->state().vdot[2], -r * angular, 1e-13);
  const Trajectory trajectory = simulate(model);
  EXPECT_NEAR(trajectory.series[0].values[2], m * (g - r * angular), 1e-12);
  EXPECT_NEAR(trajectory.series[1].values[1], 0, 1e-12);
}

TEST(Assembly, SaysWhichJointCannotBeClosed) {
  Model model = base();
  model.ground_markers = {marker("left", {0, 0, 0}), marker("right", {5, 0, 0})};
  Body body = rod("rod", {0.5, 0, 0});
  body.markers = {marker("a", {0, 0, 0}), marker("b", {1, 0, 0.2})};
  model.bodies = {body};
  SphericalJoint left, right;
  left.between = {MarkerRef{"ground.left"}, MarkerRef{"rod.a"}};
  right.between = {MarkerRef{"ground.right"}, MarkerRef{"rod.b"}};
  model.joints = {{"left", left}};
  GeneralJoint pull;
  pull.between = right.between;
  pull.locked_motions.has = {true, false, false, false, false, false};
  model.joints.push_back({"right", pull});
  try {
    start(model);
    FAIL() << "a rod of 1 m does not span 5 m";
  } catch (const SimulationError& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.find("joint 'left'") != std::string::npos ||
                message.find("joint 'right'") != std::string::npos)
        << message;
    EXPECT_EQ(error.time(), 0);
  }
}

// A motion imposed with a speed at t = 0 on a machine described at rest starts with that speed.
TEST(Assembly, TakesUpAnImposedVelocity) {
  Model model = base();
  model.bodies = {rod("cart", {0, 0, 0})};
  PrismaticJoint rail;
  rail.between = {MarkerRef{"ground"}, MarkerRef{"cart"}};
  rail.point = Vec3d{0, 0, 0};
  rail.axis = Vec3d{1, 0, 0};
  rail.motion.drive[2] = "ramp";
  model.joints = {{"rail", rail}};
  PolynomialDrive ramp;
  ramp.coefficients = {0, 0.7, 1.5};
  model.drives = {{"ramp", ramp}};
  const Started s = start(model);
  EXPECT_NEAR(s.integrator->state().v[0], 0.7, 1e-15);
  EXPECT_NEAR(s.integrator->state().vdot[0], 3.0, 1e-14);
  EXPECT_NEAR(s.integrator->state().vdot[2], 0.0, 1e-14);
}

}  // namespace
}  // namespace tumble
