// Where and how fast a run starts: starts of joints, velocities that are given and those that are
// not, and what is said where joints do not allow the description.
#include <gtest/gtest.h>

#include <cmath>

#include "tumble/integrate/run.hpp"
#include "tumble/integrate/start/start_state.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {
namespace {

Body rod(const std::string& name, const Vec3d& position) {
  Body body;
  body.name = name;
  body.mass = 2.5;
  body.position = position;
  body.inertia = {0.001, 0.21, 0.21, 0, 0, 0};
  return body;
}

RevoluteJoint hinge(const std::string& first, const std::string& second, const Vec3d& point) {
  RevoluteJoint joint;
  joint.between = {MarkerRef{first}, MarkerRef{second}};
  joint.point = point;
  joint.axis = Vec3d{0, 1, 0};
  return joint;
}

/// The README's pendulum: horizontal, 0.5 m from its hinge to its centre.
Model pendulum() {
  Model model;
  model.gravity = {0, 0, -9.81};
  model.simulation.duration = 0.01;
  model.simulation.step = 1e-3;
  model.bodies = {rod("rod", {0.5, 0, 0})};
  model.joints = {{"hinge", hinge("ground", "rod", {0, 0, 0})}};
  Probe probe;
  probe.name = "hinge";
  probe.joint = JointRef{"hinge"};
  probe.quantities = {Quantity::angle, Quantity::angle_rate};
  Probe body;
  body.name = "rod";
  body.body = BodyRef{"rod"};
  body.quantities = {Quantity::position, Quantity::velocity, Quantity::angular_velocity};
  model.probes = {probe, body};
  return model;
}

Model double_pendulum() {
  Model model = pendulum();
  model.bodies.push_back(rod("lower", {1.5, 0, 0}));
  model.joints.push_back({"elbow", hinge("rod", "lower", {1, 0, 0})});
  Probe probe;
  probe.name = "elbow";
  probe.joint = JointRef{"elbow"};
  probe.quantities = {Quantity::angle, Quantity::angle_rate};
  model.probes.push_back(probe);
  return model;
}

RevoluteJoint& hinge_of(Model& model, std::size_t joint = 0) {
  return std::get<RevoluteJoint>(model.joints[joint].kind);
}

bool mentions(const std::vector<std::string>& sentences, const std::string& text) {
  for (const std::string& sentence : sentences)
    if (sentence.find(text) != std::string::npos) return true;
  return false;
}

// --- velocities -------------------------------------------------------------------------------

TEST(StartVelocities, AnAngularVelocityAloneHolds) {
  Model model = pendulum();
  model.bodies[0].angular_velocity = {0, 5, 0};
  const Trajectory t = simulate(model);
  EXPECT_NEAR(t.series[1].values[0], 5, 1e-13);     // rate of the hinge
  EXPECT_NEAR(t.series[3].values[2], -2.5, 1e-13);  // the centre moves with it
  EXPECT_TRUE(t.warnings.empty());
  EXPECT_TRUE(t.start_changes.empty());
}

TEST(StartVelocities, AVelocityAloneHolds) {
  Model model = pendulum();
  model.bodies[0].velocity = {0, 0, -2.5};
  const Trajectory t = simulate(model);
  EXPECT_NEAR(t.series[1].values[0], 5, 1e-13);
  EXPECT_TRUE(t.warnings.empty());
}

// What is given as zero is given: the mean of both in the metric of kinetic energy.
TEST(StartVelocities, BothGivenAreWeighedByInertia) {
  Model model = pendulum();
  model.bodies[0].angular_velocity = {0, 5, 0};
  model.bodies[0].velocity = Vec3d{};
  const Trajectory t = simulate(model);
  EXPECT_NEAR(t.series[1].values[0], 5 * 0.21 / (0.21 + 2.5 * 0.25), 1e-12);
  EXPECT_TRUE(mentions(t.warnings, "body 'rod'")) << "a given velocity did not hold";
}

TEST(StartVelocities, AModelWithoutVelocitiesStartsAtRest) {
  const Trajectory t = simulate(double_pendulum());
  EXPECT_EQ(t.series[1].values[0], 0);
  EXPECT_EQ(t.series[6].values[0], 0);
}

TEST(StartVelocities, ThoseAcrossAHingeVanishWithAWarning) {
  Model model = pendulum();
  model.bodies[0].velocity = {0, 3, 0};
  const Trajectory t = simulate(model);
  EXPECT_NEAR(t.series[3].values[1], 0, 1e-13);
  ASSERT_EQ(t.start_changes.size(), 1u);
  EXPECT_EQ(t.start_changes[0].body, "rod");
  EXPECT_EQ(t.start_changes[0].joint, "hinge");
  EXPECT_NEAR(t.start_changes[0].velocity, 3, 1e-12);
  EXPECT_TRUE(mentions(t.warnings, "[0, 3, 0]"));
  EXPECT_TRUE(mentions(t.warnings, "joint 'hinge'"));
}

// Given for the upper rod, free for the lower one, whose energy is then least: with w its rate and
// u the velocity of the elbow, m (u - w r)^2 / 2 + J w^2 / 2 is least at w = m r u / (J + m r^2).
TEST(StartVelocities, TheRestHasTheLeastKineticEnergy) {
  Model model = double_pendulum();
  model.bodies[0].angular_velocity = {0, 2, 0};
  const Trajectory t = simulate(model);
  EXPECT_NEAR(t.series[1].values[0], 2, 1e-12);
  const double m = 2.5, r = 0.5, J = 0.21, u = -2;   // of the elbow along z
  const double w = m * r * u / (J + m * r * r);      // about +y, which moves the centre by -w r
  EXPECT_NEAR(t.series[6].values[0], w - 2, 1e-12);  // relative to the upper rod
  EXPECT_TRUE(t.warnings.empty());
}

TEST(StartVelocities, RatesOfJointsHold) {
  Model model = double_pendulum();
  hinge_of(model, 0).start = AngleStart{{}, 2.0};
  hinge_of(model, 1).start = AngleStart{{}, -7.0};
  const Trajectory t = simulate(model);
  EXPECT_NEAR(t.series[1].values[0], 2, 1e-12);
  EXPECT_NEAR(t.series[6].values[0], -7, 1e-11);
  EXPECT_TRUE(t.warnings.empty());
}

TEST(StartVelocities, BodiesAndJointsMustAgree) {
  Model model = pendulum();
  hinge_of(model).start = AngleStart{{}, 5.0};
  model.bodies[0].angular_velocity = {0, 5, 0};
  EXPECT_NEAR(simulate(model).series[1].values[0], 5, 1e-12);
  model.bodies[0].angular_velocity = {0, 4, 0};
  try {
    simulate(model);
    FAIL() << "5 rad/s and 4 rad/s";
  } catch (const InputError& error) {
    EXPECT_EQ(error.diagnostics()[0].element, "joint 'hinge'");
    EXPECT_EQ(error.diagnostics()[0].field, "start.rate");
  }
}

// --- starts of joints -------------------------------------------------------------------------

TEST(JointStarts, AnAngleTurnsTheMachineAndIsCounted) {
  for (const double angle : {0.3, -2.0, 3.0, 3.5, 12.7, -9.0}) {
    Model model = double_pendulum();
    hinge_of(model).start = AngleStart{angle, 5.0};
    const Trajectory t = simulate(model);
    EXPECT_NEAR(t.series[0].values[0], angle, 1e-11);
    EXPECT_NEAR(t.series[1].values[0], 5, 1e-11);
    EXPECT_NEAR(t.series[2].values[0], 0.5 * std::cos(angle), 1e-11);
    EXPECT_NEAR(t.series[2].values[2], -0.5 * std::sin(angle), 1e-11);
    EXPECT_NEAR(t.series[5].values[0], 0, 1e-11) << "the elbow keeps its angle";
    EXPECT_TRUE(t.warnings.empty());
  }
}

TEST(JointStarts, ASliderStartsDisplaced) {
  Model model = pendulum();
  PrismaticJoint slider;
  slider.between = {MarkerRef{"ground"}, MarkerRef{"rod"}};
  slider.point = Vec3d{0, 0, 0};
  slider.axis = Vec3d{0, 3, 4};
  slider.start = SlideStart{0.5, -2.0};
  model.joints = {{"hinge", slider}};
  model.probes[0].quantities = {Quantity::displacement, Quantity::displacement_rate};
  const Trajectory t = simulate(model);
  EXPECT_NEAR(t.series[0].values[2], 0.5, 1e-14);
  EXPECT_NEAR(t.series[1].values[2], -2, 1e-13);
  EXPECT_NEAR(t.series[2].values[1], 0.3, 1e-14);
  EXPECT_NEAR(t.series[2].values[2], 0.4, 1e-14);
}

// Springs keep the rest length of the described pose, and torsion springs count the turns.
TEST(JointStarts, RestLengthsBelongToTheDescribedPose) {
  Model model = pendulum();
  hinge_of(model).start = AngleStart{7.5, {}};
  Spring spring;
  spring.between = {MarkerRef{"ground"}, MarkerRef{"rod"}};
  spring.points = {Vec3d{0, 0, 1}, Vec3d{1, 0, 0}};
  spring.stiffness.slope = 100;
  TorsionSpring torsion;
  torsion.between = {MarkerRef{"ground"}, MarkerRef{"rod"}};
  torsion.axis = Vec3d{0, 1, 0};
  torsion.stiffness.slope = 3;
  model.forces = {{"spring", spring}, {"torsion", torsion}};
  Probe length, moment;
  length.name = "spring";
  length.force = ForceRef{"spring"};
  length.quantities = {Quantity::length, Quantity::tension};
  moment.name = "torsion";
  moment.force = ForceRef{"torsion"};
  moment.quantities = {Quantity::angle};
  model.probes = {length, moment};
  const Trajectory t = simulate(model);
  const double now = std::hypot(std::cos(7.5), -std::sin(7.5) - 1);
  EXPECT_NEAR(t.series[0].values[0], now, 1e-11);
  EXPECT_NEAR(t.series[1].values[0], 100 * (now - std::sqrt(2)), 1e-9);
  EXPECT_NEAR(t.series[2].values[0], 7.5, 1e-11);
}

/// A planar four-bar: crank, coupler and rocker, closed by a joint of in-plane motions.
Model four_bar() {
  Model model = pendulum();
  model.bodies = {rod("crank", {0.2, 0, 0.1}), rod("coupler", {0.9, 0, 0.5}),
                  rod("rocker", {1.45, 0, 0.4})};
  model.joints = {{"a", hinge("ground", "crank", {0, 0, 0})},
                  {"b", hinge("crank", "coupler", {0.4, 0, 0.2})},
                  {"d", hinge("ground", "rocker", {1.5, 0, 0})}};
  GeneralJoint pin;
  pin.between = {MarkerRef{"coupler"}, MarkerRef{"rocker"}};
  pin.point = Vec3d{1.4, 0, 0.8};
  pin.locked_motions.has = {true, false, true, false, false, false};
  model.joints.push_back({"c", pin});
  Probe a, d;
  a.name = "a", d.name = "d";
  a.joint = JointRef{"a"}, d.joint = JointRef{"d"};
  a.quantities = d.quantities = {Quantity::angle, Quantity::angle_rate};
  model.probes = {a, d};
  return model;
}

// The loop closes with the angle given; the rocker's angle from the loop's equation.
TEST(JointStarts, ALoopFollows) {
  for (const double angle : {0.4, -1.2, 2.5}) {
    Model model = four_bar();
    hinge_of(model, 0).start = AngleStart{angle, 3.0};
    const Trajectory t = simulate(model);
    EXPECT_NEAR(t.series[0].values[0], angle, 1e-10);
    EXPECT_NEAR(t.series[1].values[0], 3, 1e-10);
    const auto turned = [](double x, double z, double by) {
      return Vec3d{x * std::cos(by) + z * std::sin(by), 0, z * std::cos(by) - x * std::sin(by)};
    };
    const Vec3d b = turned(0.4, 0.2, angle);
    const Vec3d c = Vec3d{1.5, 0, 0} + turned(-0.1, 0.8, t.series[2].values[0]);
    EXPECT_NEAR(norm(c - b), std::hypot(1.0, 0.6), 1e-10) << angle;
    EXPECT_TRUE(t.warnings.empty());
  }
}

TEST(JointStarts, OutOfReachIsAnError) {
  Model model = four_bar();
  hinge_of(model, 2).start = AngleStart{3.0, {}};  // the rocker cannot turn over
  try {
    simulate(model);
    FAIL() << "a rocker turned over";
  } catch (const InputError& error) {
    EXPECT_EQ(error.diagnostics()[0].element, "joint 'd'");
    EXPECT_EQ(error.diagnostics()[0].field, "start.angle");
  }
}

TEST(JointStarts, ADriveGivesTheMotionAlready) {
  Model model = pendulum();
  hinge_of(model).start = AngleStart{0.3, {}};
  hinge_of(model).motion.drive[5] = "motor";
  model.drives = {{"motor", PolynomialDrive{}}};
  EXPECT_THROW(compile(model), InputError);
}

// --- changed places ---------------------------------------------------------------------------

TEST(ChangedStarts, AMarkerMistypedMovesTheBodyWithAWarning) {
  Model model = pendulum();
  Marker pin, end;
  pin.name = "pin", end.name = "end";
  end.position = {30, 0, 0};
  model.ground_markers = {pin};
  model.bodies[0].markers = {end};
  RevoluteJoint joint = hinge("ground.pin", "rod.end", {});
  joint.point.reset();
  model.joints = {{"hinge", joint}};
  const Trajectory t = simulate(model);
  ASSERT_EQ(t.start_changes.size(), 1u);
  EXPECT_NEAR(t.start_changes[0].displacement, 30, 0.5);
  EXPECT_EQ(t.start_changes[0].joint, "hinge");
  EXPECT_TRUE(mentions(t.warnings, "is moved by"));
}

Model hung_rod(double length) {
  Model model = pendulum();
  DistanceJoint joint;
  joint.between = {MarkerRef{"ground"}, MarkerRef{"rod"}};
  joint.points = {Vec3d{0.5, 0, 1}, Vec3d{0.5, 0, 0}};
  joint.length = length;
  model.joints = {{"link", joint}};
  model.probes = {model.probes[1]};
  return model;
}

TEST(ChangedStarts, ALengthThatDoesNotFitMovesBodiesWithAWarning) {
  const Trajectory t = simulate(hung_rod(1.25));
  ASSERT_EQ(t.start_changes.size(), 1u);
  EXPECT_NEAR(t.start_changes[0].displacement, 0.25, 1e-12);
  EXPECT_EQ(t.start_changes[0].joint, "link");
  EXPECT_TRUE(mentions(t.warnings, "0.25 m"));
  EXPECT_TRUE(simulate(hung_rod(1.0)).warnings.empty());
}

TEST(ChangedStarts, CanBeRefused) {
  Model model = hung_rod(1.25);
  const auto system = compile(model);
  const Plan plan = make_plan(system);
  const std::vector<double> constants = prepare(*system, model);
  Integrator integrator(plan, constants);
  integrator.start(start_state(plan, model, constants, 0.5e-3), 0, 0.5e-3);
  integrator.restart(1e-3);
  const auto changes = start_changes(plan, model, constants, 0.5e-3, integrator);
  EXPECT_NO_THROW(refuse_changed_start(model, changes));
  model.simulation.on_changed_start = OnChangedStart::refuse;
  EXPECT_THROW(refuse_changed_start(model, changes), InputError);
  EXPECT_NO_THROW(refuse_changed_start(model, {}));
}

// A drive that does not begin at zero moves the machine, and that is what it is for.
TEST(ChangedStarts, DrivesDoNotWarn) {
  Model model = pendulum();
  hinge_of(model).motion.drive[5] = "motor";
  PolynomialDrive motor;
  motor.coefficients = {2.0, 1.0};
  model.drives = {{"motor", motor}};
  const Trajectory t = simulate(model);
  EXPECT_NEAR(t.series[0].values[0], 2, 1e-12);
  EXPECT_TRUE(t.warnings.empty());
}

}  // namespace
}  // namespace tumble
