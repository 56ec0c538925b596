// Perpendicular axes cannot tell a frame from one turned by half a turn: a start must be in the
// root that is meant, however far the described pose is from it.
#include <gtest/gtest.h>

#include <cmath>

#include "test_machines.hpp"
#include "tumble/integrate/run.hpp"
#include "tumble/integrate/start/start_state.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {
namespace {

constexpr double degree = 3.14159265358979323846 / 180;

/// Angles through four turns, the awkward ones among them.
std::vector<double> angles() {
  std::vector<double> list;
  for (double a = -725; a <= 725; a += 58) list.push_back(a);
  for (const double a : {-540.0, -180.0, -91.0, -90.0, 0.0, 89.0, 90.0, 91.0, 179.999, 180.0, 200.0,
                         270.0, 360.0, 725.0})
    list.push_back(a);
  return list;
}

Model base() {
  Model model;
  model.gravity = {0, 0, -9.81};
  model.simulation.duration = 2e-3;
  model.simulation.step = 1e-3;
  return model;
}

Probe probe(const std::string& name, std::vector<Quantity> quantities) {
  Probe p;
  p.name = name;
  p.quantities = std::move(quantities);
  return p;
}

Mat3d axes_of(const Vec3d& rotation) { return matrix(exp_quaternion(rotation)); }

double distance(const Mat3d& a, const Mat3d& b) {
  double largest = 0;
  for (int i = 0; i < 9; ++i) largest = std::max(largest, std::fabs(a.m[i] - b.m[i]));
  return largest;
}

Mat3d orientation(const Trajectory& trajectory, std::size_t series) {
  const auto& q = trajectory.series[series].values;
  return matrix(Quaternion<double>{q[0], q[1], q[2], q[3]});
}

/// A machine in which a joint of kind J imposes rotations on `arm`; with a pendulum on the arm,
/// whose motion is then prescribed, or without, when the joint's own rows hold it.
template <class J>
Model driven(const J& kind, const Vec3d& rotation, bool pendulum) {
  Model model = base();
  model.bodies = {testing::lopsided_body("arm", {0.3, 0.1, 0.2})};
  J joint = kind;
  joint.between = {MarkerRef{"ground"}, MarkerRef{"arm"}};
  joint.point = Vec3d{0.1, 0, 0};
  for (int k = 0; k < 3; ++k) {
    if (rotation[k] == 0) continue;
    const std::string name = std::string("turn") + static_cast<char>('x' + k);
    PolynomialDrive drive;
    drive.coefficients = {rotation[k], 0.1};
    model.drives.push_back({name, drive});
    joint.motion.drive[static_cast<std::size_t>(3 + k)] = name;
  }
  model.joints = {{"joint", joint}};
  if (pendulum) {
    model.bodies.push_back(testing::lopsided_body("pendulum", {0.6, 0.1, 0.2}));
    RevoluteJoint hinge;
    hinge.between = {MarkerRef{"arm"}, MarkerRef{"pendulum"}};
    hinge.point = Vec3d{0.45, 0.1, 0.2};
    hinge.axis = Vec3d{0, 1, 0};
    model.joints.push_back({"hinge", hinge});
  }
  Probe arm = probe("arm", {Quantity::orientation});
  arm.body = BodyRef{"arm"};
  Probe angle = probe("joint", {Quantity::angle});
  angle.joint = JointRef{"joint"};
  model.probes = {arm, angle};
  return model;
}

/// The joint's frame in which an axis joint along `axis` turns its second body.
Mat3d frame_along(const Vec3d& axis) { return axes_along(axis); }

template <class J>
void expect_turns_about_axis(const J& kind, const std::string& name) {
  J joint = kind;
  joint.axis = Vec3d{1, 2, -0.5};
  const Mat3d frame = frame_along(*joint.axis);
  for (const double a : angles())
    for (const bool pendulum : {false, true}) {
      const double theta = a * degree;
      if (theta == 0) continue;
      const Trajectory t = simulate(driven(joint, {0, 0, theta}, pendulum));
      const Mat3d expected = frame * axes_of({0, 0, theta}) * transpose(frame);
      EXPECT_LT(distance(orientation(t, 0), expected), 1e-11) << name << " " << a << " degrees";
      EXPECT_NEAR(t.series[1].values[0], theta, 1e-10) << name << " " << a << " degrees";
      EXPECT_NEAR(t.series[1].values.back(), theta + 0.1 * 2e-3, 1e-10) << name << " " << a;
    }
}

TEST(HalfTurns, ImposedRotationsAboutAnAxisReachTheAngleGiven) {
  expect_turns_about_axis(RevoluteJoint{}, "revolute");
  expect_turns_about_axis(CylindricalJoint{}, "cylindrical");
  expect_turns_about_axis(PrismaticJoint{}, "prismatic");
}

// Several imposed rotations are the components of a rotation vector.
TEST(HalfTurns, ImposedRotationVectorsAreReached) {
  for (const double a : angles())
    for (const Vec3d& direction :
         {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}, Vec3d{1, -2, 0}, Vec3d{0.3, 0.4, 1.2}}) {
      const Vec3d theta = (a * degree / norm(direction)) * direction;
      if (a == 0) continue;
      FixedJoint fixed;
      for (const bool pendulum : {false, true}) {
        const Trajectory t = simulate(driven(fixed, theta, pendulum));
        EXPECT_LT(distance(orientation(t, 0), axes_of(theta)), 1e-10)
            << a << " degrees about " << direction.x << " " << direction.y << " " << direction.z;
      }
      GeneralJoint general;
      general.locked_motions.has = {true, true, true, true, true, true};
      const Trajectory t = simulate(driven(general, theta, true));
      EXPECT_LT(distance(orientation(t, 0), axes_of(theta)), 1e-10) << a << " degrees";
    }
}

// A general joint that imposes rx and leaves rz free: its z axis is that of the turned frame.
TEST(HalfTurns, ImposedTiltOfAFreeAxisIsReached) {
  for (const double a : angles()) {
    if (a == 0) continue;
    GeneralJoint joint;
    joint.locked_motions.has = {true, true, true, true, true, false};
    const Trajectory t = simulate(driven(joint, {a * degree, 0, 0}, false));
    const Vec3d z = orientation(t, 0).column(2), expected = axes_of({a * degree, 0, 0}).column(2);
    EXPECT_LT(norm(z - expected), 1e-11) << a << " degrees";
  }
}

// --- frames that markers lay apart ------------------------------------------------------------

/// Two bodies; the joint is laid by markers whose axes are `rotation` apart.
template <class J>
Model apart(const J& kind, const Vec3d& rotation) {
  Model model = base();
  model.bodies = {testing::lopsided_body("a", {0, 0, 0}),
                  testing::lopsided_body("b", {0.5, 0.1, 0})};
  Marker on_a, on_b;
  on_a.name = on_b.name = "m";
  on_a.position = on_b.position = {0.2, 0, 0};
  on_b.orientation = {Orientation::Form::rotation_vector, "", {rotation.x, rotation.y, rotation.z}};
  model.bodies[0].markers = {on_a};
  model.bodies[1].markers = {on_b};
  J joint = kind;
  joint.between = {MarkerRef{"a.m"}, MarkerRef{"b.m"}};
  model.joints = {{"joint", joint}};
  return model;
}

/// The rotation of the joint's second frame in its first, after the start.
Mat3d relative_rotation(const Model& model, const Vec3d& rotation) {
  const auto system = compile(model);
  const Plan plan = make_plan(system);
  const std::vector<double> constants = prepare(*system, model);
  Integrator integrator(plan, constants);
  integrator.start(start_state(plan, model, constants, 0.5e-3), 0, 0.5e-3);
  integrator.restart(1e-3);
  EXPECT_LT(integrator.constraint_residual(), 1e-12);
  const auto& w = integrator.observe();
  EXPECT_GT(integrator.alignment(), 0.999999);
  return transpose_times(w.body[1].R_WB, w.body[2].R_WB * axes_of(rotation));
}

TEST(HalfTurns, FramesThatMarkersLayApartAreBroughtTogether) {
  GeneralJoint tilt;  // leaves the rotation about x free
  tilt.locked_motions.has = {true, true, true, false, true, true};
  for (const double a : angles())
    for (const Vec3d& direction :
         {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}, Vec3d{1, -2, 0.5}}) {
      const Vec3d rotation = (a * degree / norm(direction)) * direction;
      const auto where = [&] {
        return ::testing::Message()
               << a << " degrees about " << direction.x << " " << direction.y << " " << direction.z;
      };
      EXPECT_LT(
          distance(relative_rotation(apart(FixedJoint{}, rotation), rotation), Mat3d::identity()),
          1e-11)
          << "fixed, " << where();
      EXPECT_LT(distance(relative_rotation(apart(PrismaticJoint{}, rotation), rotation),
                         Mat3d::identity()),
                1e-11)
          << "prismatic, " << where();
      const Vec3d z{0, 0, 1}, x{1, 0, 0};
      EXPECT_LT(norm(relative_rotation(apart(RevoluteJoint{}, rotation), rotation).column(2) - z),
                1e-11)
          << "revolute, " << where();
      EXPECT_LT(
          norm(relative_rotation(apart(CylindricalJoint{}, rotation), rotation).column(2) - z),
          1e-11)
          << "cylindrical, " << where();
      EXPECT_LT(norm(relative_rotation(apart(tilt, rotation), rotation).column(0) - x), 1e-11)
          << "general, " << where();
      EXPECT_NEAR(relative_rotation(apart(UniversalJoint{}, rotation), rotation)(0, 1), 0, 1e-11)
          << "universal, " << where();
      // Nothing to do: a ball joint leaves every rotation.
      EXPECT_LT(distance(relative_rotation(apart(SphericalJoint{}, rotation), rotation),
                         axes_of(rotation)),
                1e-11)
          << "spherical, " << where();
    }
}

// --- while running ----------------------------------------------------------------------------

// A motor that turns by 170 degrees from one step to the next, unforeseeably, ends in the other
// root.
TEST(HalfTurns, ATurnTooLargeForAStepEndsTheRun) {
  Model model = base();
  model.bodies = {testing::lopsided_body("arm", {0.3, 0, 0})};
  RevoluteJoint joint;
  joint.between = {MarkerRef{"ground"}, MarkerRef{"arm"}};
  joint.point = Vec3d{0, 0, 0};
  joint.axis = Vec3d{0, 0, 1};
  joint.motion.drive[5] = "motor";
  model.joints = {{"joint", joint}};
  HarmonicDrive drive;
  drive.amplitude = 2.9;
  drive.frequency = 1 / 0.022;
  model.drives = {{"motor", drive}};
  model.simulation.duration = 0.1;
  model.simulation.step = 0.01;
  model.simulation.max_halvings = 0;
  const RunOutcome outcome = run_recorded(make_plan(compile(model)), model);
  ASSERT_TRUE(outcome.failure);
  // Turned over or not closed at all: either way the joint is named, and what to do.
  EXPECT_NE(outcome.failure->reason.find("joint 'joint'"), std::string::npos)
      << outcome.failure->reason;
  EXPECT_NE(outcome.failure->reason.find("smaller"), std::string::npos);
  // A step that follows the motion is right.
  model.simulation.step = 5e-5;
  EXPECT_FALSE(run_recorded(make_plan(compile(model)), model).failure);
}

}  // namespace
}  // namespace tumble
