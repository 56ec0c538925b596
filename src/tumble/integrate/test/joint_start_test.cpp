// Starts of joints with several free motions, in trees and in loops, through any number of turns,
// and what counts turns from there.
#include <gtest/gtest.h>

#include <cmath>

#include "test_machines.hpp"
#include "tumble/integrate/run.hpp"
#include "tumble/integrate/start/start_state.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {
namespace {

constexpr double pi = 3.14159265358979323846, degree = pi / 180;

/// Angles through four turns, the awkward ones among them.
const std::vector<double> turned_by = {-725, -540, -181, -90, -20, 0, 45, 90, 180, 200, 360, 725};

Body solid(const std::string& name, const Vec3d& position) {
  Body body = testing::lopsided_body(name, position);
  body.orientation = {Orientation::Form::rotation_vector, "", {0.3, -0.8, 0.5}};
  return body;
}

Mat3d turn(const Vec3d& by) { return matrix(exp_quaternion(by)); }
Mat3d about(int k, double angle) {
  Vec3d by;
  by[k] = angle;
  return turn(by);
}
const Mat3d described = turn({0.3, -0.8, 0.5});

Probe body_probe(const std::string& body) {
  Probe p;
  p.name = p.body.emplace().name = body;
  p.quantities = {Quantity::position, Quantity::orientation, Quantity::velocity,
                  Quantity::angular_velocity};
  return p;
}
Probe joint_probe(const std::string& joint, std::vector<Quantity> quantities) {
  Probe p;
  p.name = p.joint.emplace().name = joint;
  p.quantities = std::move(quantities);
  return p;
}

/// An arm on the ground by a joint at (0.1, 0, 0), and another arm that hangs on it by a hinge.
template <class J>
Model arm(J joint) {
  Model model;
  model.gravity = {0, 0, -9.81};
  model.simulation.duration = 2e-3;
  model.simulation.step = 1e-3;
  model.bodies = {solid("arm", {0.3, 0.1, 0.2}), solid("hand", {0.7, 0.1, 0.2})};
  joint.between = {MarkerRef{"ground"}, MarkerRef{"arm"}};
  joint.point = Vec3d{0.1, 0, 0};
  RevoluteJoint wrist;
  wrist.between = {MarkerRef{"arm"}, MarkerRef{"hand"}};
  wrist.point = Vec3d{0.5, 0.1, 0.2};
  wrist.axis = Vec3d{0, 1, 0};
  model.joints = {{"joint", joint}, {"wrist", wrist}};
  model.probes = {body_probe("arm"), joint_probe("wrist", {Quantity::angle})};
  return model;
}

struct Start {
  Vec3d position, velocity, omega;
  Mat3d R;
  double wrist = 0;
};
Start start_of_arm(const Model& model) {
  const Trajectory t = simulate(model);
  EXPECT_TRUE(t.warnings.empty());
  const auto at = [&](std::size_t i) { return load3(t.series[i].values.data()); };
  const double* q = t.series[1].values.data();
  return {at(0), at(2), at(3), matrix(Quaternion<double>{q[0], q[1], q[2], q[3]}),
          t.series[4].values[0]};
}

double distance(const Mat3d& a, const Mat3d& b) {
  double largest = 0;
  for (int i = 0; i < 9; ++i) largest = std::max(largest, std::fabs(a.m[i] - b.m[i]));
  return largest;
}

/// The arm is turned by R about the joint, and what hangs on it is carried along.
void expect_turned(const Start& found, const Mat3d& R, const std::string& where) {
  const Vec3d point{0.1, 0, 0};
  EXPECT_LT(distance(found.R, R * described), 1e-11) << where;
  EXPECT_LT(norm(found.position - (point + R * Vec3d{0.2, 0.1, 0.2})), 1e-11) << where;
  EXPECT_NEAR(found.wrist, 0, 1e-10) << where;
}

std::string degrees(double a, double b) {
  return std::to_string(a) + " and " + std::to_string(b) + " degrees";
}

TEST(StartsOfJoints, AUniversalJointStartsAtTwoAngles) {
  UniversalJoint joint;
  joint.axis_first = Vec3d{1, 2, -0.5};
  joint.axis_second = Vec3d{2, -1, 0};
  const Vec3d x = (1 / norm(*joint.axis_first)) * *joint.axis_first;
  const Vec3d y = (1 / norm(*joint.axis_second)) * *joint.axis_second;
  const Mat3d F = Mat3d::from_columns(x, y, cross(x, y));
  for (const double a : turned_by)
    for (const double b : {-725.0, -110.0, 0.0, 90.0, 200.0}) {
      joint.start = CardanStart{a * degree, 3.0, b * degree, -2.0};
      const Start found = start_of_arm(arm(joint));
      const Mat3d R = F * about(0, a * degree) * about(1, b * degree) * transpose(F);
      expect_turned(found, R, degrees(a, b));
      EXPECT_LT(norm(found.omega - (3.0 * x - 2.0 * (R * y))), 1e-10) << degrees(a, b);
    }
  // One angle alone leaves the other as described.
  joint.start = CardanStart{{}, {}, 200 * degree, {}};
  expect_turned(start_of_arm(arm(joint)), F * about(1, 200 * degree) * transpose(F), "second");
  joint.start = CardanStart{200 * degree, {}, {}, {}};
  expect_turned(start_of_arm(arm(joint)), F * about(0, 200 * degree) * transpose(F), "first");
}

TEST(StartsOfJoints, ABallJointStartsAtARotationVector) {
  for (const double a : turned_by)
    for (const Vec3d& direction : {Vec3d{1, 0, 0}, Vec3d{0.3, -0.4, 1.2}}) {
      const Vec3d theta = (a * degree / norm(direction)) * direction, omega{1, -2, 4};
      SphericalJoint joint;
      joint.start = BallStart{theta, omega};
      const Start found = start_of_arm(arm(joint));
      expect_turned(found, turn(theta), degrees(a, 0));
      EXPECT_LT(norm(found.omega - omega), 1e-10);
      EXPECT_LT(norm(found.velocity - cross(omega, turn(theta) * Vec3d{0.2, 0.1, 0.2})), 1e-10);
    }
}

TEST(StartsOfJoints, AGeneralJointStartsInEachFreeMotion) {
  const Vec3d lay{0.4, 0.2, -0.7};
  const Mat3d F = turn(lay);
  for (int k = 0; k < 3; ++k)
    for (const double a : turned_by) {
      const auto motion = static_cast<std::size_t>(3 + k);
      const std::string where = std::to_string(k) + ": " + std::to_string(a) + " degrees";
      GeneralJoint joint;
      joint.orientation =
          Orientation{Orientation::Form::rotation_vector, "", {lay.x, lay.y, lay.z}};
      joint.locked_motions.has = {true, true, true, true, true, true};
      joint.locked_motions.has[motion] = false;
      joint.start.emplace().value[motion] = a * degree;
      joint.start->rate[motion] = 5;
      Start found = start_of_arm(arm(joint));
      expect_turned(found, F * about(k, a * degree) * transpose(F), "free " + where);
      EXPECT_LT(norm(found.omega - 5.0 * F.column(k)), 1e-10) << where;

      // Locked k: angles about the next axis of A, then about the one after it, turned.
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      joint.locked_motions.has = {true, true, true, false, false, false};
      joint.locked_motions.has[motion] = true;
      joint.start = MotionStart{};
      joint.start->value[static_cast<std::size_t>(3 + i)] = a * degree;
      joint.start->value[static_cast<std::size_t>(3 + j)] = 1.9;
      joint.start->rate[static_cast<std::size_t>(3 + i)] = 2;
      joint.start->rate[static_cast<std::size_t>(3 + j)] = -3;
      found = start_of_arm(arm(joint));
      const Mat3d R = F * about(i, a * degree) * about(j, 1.9) * transpose(F);
      expect_turned(found, R, "locked " + where);
      EXPECT_LT(norm(found.omega - (2.0 * F.column(i) - 3.0 * (R * F.column(j)))), 1e-10) << where;

      // Nothing but a direction locked: displacements and a rotation vector in the axes of A.
      joint.locked_motions.has = {};
      joint.locked_motions.has[static_cast<std::size_t>(k)] = true;
      joint.start = MotionStart{};
      const Vec3d theta = (a * degree / std::sqrt(3.0)) * Vec3d{1, 1, -1};
      Vec3d u, rate;
      u[i] = 0.3, u[j] = -0.2, rate[i] = 1.5, rate[j] = 0.5;
      for (int n = 0; n < 3; ++n) {
        joint.start->value[static_cast<std::size_t>(3 + n)] = theta[n];
        joint.start->rate[static_cast<std::size_t>(3 + n)] = n + 1;
        if (n == k) continue;
        joint.start->value[static_cast<std::size_t>(n)] = u[n];
        joint.start->rate[static_cast<std::size_t>(n)] = rate[n];
      }
      found = start_of_arm(arm(joint));
      const Mat3d T = F * turn(theta) * transpose(F);
      const Vec3d arm_of_centre = T * Vec3d{0.2, 0.1, 0.2}, omega = F * Vec3d{1, 2, 3};
      EXPECT_LT(distance(found.R, T * described), 1e-11) << where;
      EXPECT_LT(norm(found.position - (Vec3d{0.1, 0, 0} + F * u + arm_of_centre)), 1e-11) << where;
      EXPECT_LT(norm(found.omega - omega), 1e-10) << where;
      EXPECT_LT(norm(found.velocity - (F * rate + cross(omega, arm_of_centre))), 1e-10) << where;
    }
}

TEST(StartsOfJoints, ACylindricalJointTurnsAndSlides) {
  CylindricalJoint joint;
  joint.axis = Vec3d{0, 3, 4};
  for (const double a : turned_by) {
    joint.start = AngleSlideStart{a * degree, 2.0, -0.5, 1.0};
    const Start found = start_of_arm(arm(joint));
    const Vec3d e{0, 0.6, 0.8};
    const Mat3d R = turn(a * degree * e);
    EXPECT_LT(distance(found.R, R * described), 1e-11) << a;
    EXPECT_LT(norm(found.position - (Vec3d{0.1, 0, 0} - 0.5 * e + R * Vec3d{0.2, 0.1, 0.2})),
              1e-11);
    EXPECT_LT(norm(found.omega - 2.0 * e), 1e-11);
  }
}

template <class J>
void expect_refused(const J& joint, const std::string& field, const std::string& why,
                    const Vec3d* omega = nullptr) {
  Model model = arm(joint);
  model.drives = {{"motor", PolynomialDrive{{0.0, 0.0}}}};
  if (omega != nullptr) model.bodies[0].angular_velocity = *omega;
  try {
    simulate(model);
    FAIL() << field;
  } catch (const InputError& error) {
    EXPECT_EQ(error.diagnostics()[0].element, "joint 'joint'");
    EXPECT_EQ(error.diagnostics()[0].field, field);
    EXPECT_NE(error.diagnostics()[0].expectation.find(why), std::string::npos)
        << error.diagnostics()[0].expectation;
  }
}

TEST(StartsOfJoints, ContradictionsAreErrors) {
  const Vec3d omega{1, 0, 0};
  UniversalJoint universal;
  universal.axis_first = Vec3d{1, 0, 0};
  universal.axis_second = Vec3d{0, 1, 0};
  universal.start = CardanStart{{}, 3.0, {}, {}};
  expect_refused(universal, "start.rate_first", "velocities that are given", &omega);
  SphericalJoint ball;
  ball.start = BallStart{{}, Vec3d{1, 2, 0}};
  expect_refused(ball, "start.angular_velocity[0]", "velocities that are given", &omega);
  ball.start->angular_velocity = omega;
  EXPECT_NO_THROW([&] {
    Model model = arm(ball);
    model.bodies[0].angular_velocity = omega;
    simulate(model);
  }());
  GeneralJoint general;
  general.locked_motions.has = {true, true, true, true, false, false};
  general.start.emplace().value[3] = 0.1;
  expect_refused(general, "start.rx", "locks rx");
  general.start = MotionStart{};
  general.start->rate[4] = 0.1;
  general.motion.drive[4] = "motor";
  expect_refused(general, "start.ry_rate", "drive 'motor'");
  general.start = MotionStart{};
  general.start->value[5] = 0.1;
  expect_refused(general, "start.rz", "turn the axes");
}

// --- rods -------------------------------------------------------------------------------------

TEST(StartsOfJoints, ARodGetsLongerByItsMotionAlone) {
  Model model = arm(SphericalJoint{});
  PolynomialDrive drive;
  drive.coefficients = {0.0, 0.25};
  model.drives = {{"winch", drive}};
  DistanceJoint rod;
  rod.between = {MarkerRef{"ground"}, MarkerRef{"arm"}};
  rod.points = {Vec3d{0, 0, 1}, Vec3d{0.5, 0.1, 0.2}};
  rod.motion = DriveRef{"winch"};
  rod.start = LengthStart{0.8, 0.25};
  model.joints.push_back({"rod", rod});
  model.probes.push_back(joint_probe("rod", {Quantity::length, Quantity::length_rate}));
  const Trajectory t = simulate(model);
  EXPECT_NEAR(t.series[5].values[0], 0.8, 1e-12);
  EXPECT_NEAR(t.series[6].values[0], 0.25, 1e-12);
  std::get<DistanceJoint>(model.joints[2].kind).start->length_rate = 0.5;
  try {
    simulate(model);
    FAIL() << "0.5 m/s of a winch at 0.25 m/s";
  } catch (const InputError& error) {
    EXPECT_EQ(error.diagnostics()[0].element, "joint 'rod'");
    EXPECT_EQ(error.diagnostics()[0].field, "start.length_rate");
  }
}

// --- loops ------------------------------------------------------------------------------------

/// Two shafts at 35 degrees, joined by a Cardan joint. The second is held in its direction alone,
/// so that nothing is redundant.
constexpr double shaft_angle = 35 * degree;
Model cardan_shafts() {
  Model model = arm(RevoluteJoint{});
  model.bodies = {solid("in", {-0.5, 0, 0}),
                  solid("out", {0.5 * std::cos(shaft_angle), 0.5 * std::sin(shaft_angle), 0})};
  RevoluteJoint in;
  in.between = {MarkerRef{"ground"}, MarkerRef{"in"}};
  in.point = Vec3d{-1, 0, 0};
  in.axis = Vec3d{1, 0, 0};
  UniversalJoint cardan;
  cardan.between = {MarkerRef{"in"}, MarkerRef{"out"}};
  cardan.point = Vec3d{0, 0, 0};
  cardan.axis_first = Vec3d{0, 0, 1};
  cardan.axis_second = Vec3d{-std::sin(shaft_angle), std::cos(shaft_angle), 0};
  GeneralJoint out;  // its z axis along the shaft
  out.between = {MarkerRef{"ground"}, MarkerRef{"out"}};
  out.point = Vec3d{std::cos(shaft_angle), std::sin(shaft_angle), 0};
  // Columns: -e_z, across, along the shaft.
  const Mat3d F = Mat3d::from_columns(Vec3d{0, 0, -1}, *cardan.axis_second,
                                      Vec3d{std::cos(shaft_angle), std::sin(shaft_angle), 0});
  const Vec3d lay = rotation_vector(quaternion_of(F));
  out.orientation = Orientation{Orientation::Form::rotation_vector, "", {lay.x, lay.y, lay.z}};
  out.locked_motions.has = {false, false, false, true, true, false};
  model.joints = {{"in", in}, {"cardan", cardan}, {"out", out}};
  model.probes = {joint_probe("in", {Quantity::angle, Quantity::angle_rate}),
                  joint_probe("out", {Quantity::angle, Quantity::angle_rate})};
  return model;
}

// The input's arm is across the plane of the shafts at zero, so tan θ₂ = cos β tan θ₁ and
// ω₂ = ω₁ cos β / (1 - sin²β sin²θ₁); θ₂ - θ₁ stays within a quarter of a turn.
TEST(StartsOfLoops, CardanShaftsTurnAsCardanSays) {
  for (const double a : turned_by) {
    Model model = cardan_shafts();
    const double theta = a * degree, c = std::cos(shaft_angle), s = std::sin(shaft_angle);
    const double sine = std::sin(theta), cosine = std::cos(theta);
    std::get<RevoluteJoint>(model.joints[0].kind).start = AngleStart{theta, 7.0};
    const Trajectory t = simulate(model);
    EXPECT_NEAR(t.series[0].values[0], theta, 1e-10) << a;
    EXPECT_NEAR(t.series[1].values[0], 7, 1e-10) << a;
    const double lag = std::atan2((c - 1) * sine * cosine, cosine * cosine + c * sine * sine);
    EXPECT_NEAR(t.series[2].values[0], theta + lag, 1e-9) << a;
    EXPECT_NEAR(t.series[3].values[0], 7 * c / (1 - s * s * sine * sine), 1e-9) << a;
    EXPECT_TRUE(t.warnings.empty());
  }
}

// The same machine, given by its second angle: the input's arm, seen from the output shaft, is off
// its first place by sin b = sin β sin θ₁, so b goes no further than β.
TEST(StartsOfLoops, AnAngleOfTheCrossMovesTheShafts) {
  for (const double b : {0.1, -0.3, 0.55}) {
    Model model = cardan_shafts();
    std::get<UniversalJoint>(model.joints[1].kind).start = CardanStart{{}, {}, b, 2.0};
    const Trajectory t = simulate(model);
    const double theta = std::asin(std::sin(b) / std::sin(shaft_angle));
    EXPECT_NEAR(t.series[0].values[0], theta, 1e-9) << b;
    EXPECT_NEAR(t.series[1].values[0], 2 * std::cos(b) / (std::sin(shaft_angle) * std::cos(theta)),
                1e-8)
        << b;
    EXPECT_TRUE(t.warnings.empty());
  }
  Model model = cardan_shafts();
  std::get<UniversalJoint>(model.joints[1].kind).start = CardanStart{{}, {}, 2.0, {}};
  try {
    simulate(model);
    FAIL() << "the cross turns over";
  } catch (const InputError& error) {
    EXPECT_EQ(error.diagnostics()[0].field, "start.angle_second");
  }
}

// --- what counts turns ------------------------------------------------------------------------

/// A wheel on a hinge, with a bushing and a torsion spring on the same axis.
Model wound(double angle, bool driven) {
  Model model;
  model.simulation.duration = 0.01;
  model.simulation.step = 1e-3;
  model.bodies = {solid("wheel", {0, 0, 0})};
  model.bodies[0].orientation = {};
  RevoluteJoint hinge;
  hinge.between = {MarkerRef{"ground"}, MarkerRef{"wheel"}};
  hinge.point = Vec3d{0, 0, 0};
  hinge.axis = Vec3d{0, 0, 1};
  if (driven) {
    PolynomialDrive drive;
    drive.coefficients = {angle};
    model.drives = {{"motor", drive}};
    hinge.motion.drive[5] = "motor";
  } else {
    hinge.start = AngleStart{angle, {}};
  }
  model.joints = {{"hinge", hinge}};
  Bushing bushing;
  bushing.between = hinge.between;
  bushing.point = Vec3d{0, 0, 0};
  bushing.stiffness = {0, 0, 0, 1, 1, 3};
  TorsionSpring torsion;
  torsion.between = hinge.between;
  torsion.axis = Vec3d{0, 0, 1};
  torsion.stiffness.slope = 5;
  model.forces = {{"bushing", bushing}, {"torsion", torsion}};
  Probe wheel, all, force;
  wheel.name = wheel.body.emplace().name = "wheel";
  wheel.quantities = {Quantity::euler_123};
  all.name = "all";
  all.system = true;
  all.quantities = {Quantity::potential_energy};
  force.name = force.force.emplace().name = "torsion";
  force.quantities = {Quantity::angle};
  model.probes = {wheel, all, force, joint_probe("hinge", {Quantity::angle})};
  return model;
}

TEST(StartsAndTurns, BushingsAndEulerAnglesSeeTheWholeAngle) {
  for (const bool driven : {false, true})
    for (const double a : turned_by) {
      const double theta = a * degree;
      const Trajectory t = simulate(wound(theta, driven));
      EXPECT_NEAR(t.series[0].values[2], theta, 1e-10) << a << " Euler";
      EXPECT_NEAR(t.series[1].values[0], 0.5 * (3 + 5) * theta * theta, 1e-8) << a << " energy";
      EXPECT_NEAR(t.series[2].values[0], theta, 1e-10) << a << " torsion spring";
      EXPECT_NEAR(t.series[3].values[0], theta, 1e-10) << a << " joint";
      // Both pull it back: J θ'' = -8 θ, with J = 0.05 kg m2.
      if (driven) continue;
      const double then = theta * std::cos(std::sqrt(8 / 0.05) * 0.01);
      EXPECT_NEAR(t.series[0].values.back(), then, 3e-5 * std::fabs(theta) + 1e-12) << a;
    }
}

// Many turns are begun near the end, and counted all the same.
TEST(StartsAndTurns, ManyTurnsAreCounted) {
  for (const double turns : {70.0, -300.25}) {
    const Trajectory t = simulate(wound(2 * pi * turns, false));
    EXPECT_NEAR(t.series[3].values[0], 2 * pi * turns, 1e-8);
    EXPECT_NEAR(t.series[2].values[0], 2 * pi * turns, 1e-8);
    EXPECT_NEAR(t.series[0].values[2], 2 * pi * turns, 1e-8);
  }
}

// --- joints of beams --------------------------------------------------------------------------

/// A body fixed to the end of a clamped beam.
Model tip_body() {
  Model model;
  model.simulation.duration = 0.01;
  model.simulation.step = 1e-3;
  model.beams = {testing::soft_arm("arm")};
  model.bodies = {solid("tip", {0.5, 0, 0})};
  model.bodies[0].orientation = {};
  FixedJoint clamp, tip;
  clamp.between = {MarkerRef{"ground"}, MarkerRef{"arm.start"}};
  tip.between = {MarkerRef{"arm.end"}, MarkerRef{"tip"}};
  model.joints = {{"clamp", clamp}, {"tip", tip}};
  return model;
}

// Turned by half a turn about any axis of its section, a body fixed to a node satisfies every row;
// only its pose tells.
TEST(StartsOfBeams, AJointOfANodeThatHasTurnedOverIsSeen) {
  const Model model = tip_body();
  const auto system = compile(model);
  const Plan plan = make_plan(system);
  const auto constants = prepare(*system, model);
  const InitialState described_state = start_state(plan, model, constants, 0.5e-3);
  Integrator integrator(plan, constants);
  integrator.start(described_state, 0, 0.5e-3);
  EXPECT_GT(integrator.alignment(), 0.99);
  const auto q =
      static_cast<std::size_t>(system->blocks[static_cast<std::size_t>(system->bodies[0].block)].q);
  for (std::size_t k = 0; k < 3; ++k) {
    InitialState over = described_state;
    over.q[q + 3] = 0;
    over.q[q + 4 + k] = 1;
    integrator.start(over, 0, 0.5e-3);
    integrator.restart(1e-3);
    integrator.observe();
    EXPECT_LT(integrator.constraint_residual(), 1e-9) << k;
    EXPECT_LT(integrator.alignment(), -0.99) << k;
  }
  EXPECT_FALSE(run_recorded(plan, model).failure);
}

}  // namespace
}  // namespace tumble
