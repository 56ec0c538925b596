// Forces worked out by hand, one simple case for each element.
#include "tumble/dynamics/test/hand_model.hpp"

namespace tumble {
namespace {

using testing::expect_vector;
using testing::ground_to_b;
using testing::Placed;
using testing::unit_model;

constexpr double pi = std::numbers::pi;

Model with(const ForceKind& kind) {
  Model m = unit_model();
  m.forces.push_back({"it", kind});
  return m;
}

Characteristic linear(double slope) { return {Characteristic::Form::linear, slope, {}, {}}; }

/// From (-1, 0, 0) on the ground to the body's centre; its free length is 1 m.
Spring unit_spring() {
  Spring s;
  s.between = ground_to_b;
  s.points = {Vec3d{-1, 0, 0}, Vec3d{0, 0, 0}};
  s.stiffness = linear(200);
  return s;
}

TEST(HandSpring, StretchedByATenth) {
  Placed p(with(unit_spring()));
  p.move({0.1, 0, 0}, {});
  expect_vector(p.wrench().force, {-20, 0, 0});  // 200 N/m times 0.1 m, back to the anchor
  EXPECT_NEAR(p.potential(), 1.0, 1e-14);        // ½ 200 0.1²
}

TEST(HandSpring, InclinedPullsAlongItsLine) {
  Placed p(with(unit_spring()));
  p.move({2, 4, 0}, {});  // the line is (3, 4, 0): 5 m long, 4 m stretched
  expect_vector((1.0 / 800) * p.wrench().force, {-0.6, -0.8, 0});
}

TEST(HandSpring, EndAwayFromTheCentreHasAMoment) {
  Spring s = unit_spring();
  s.points = {Vec3d{-1, 1, 0}, Vec3d{0, 1, 0}};
  Placed p(with(s));
  p.move({0.1, 0, 0}, {});
  expect_vector(p.wrench().torque, {0, 0, 20});  // (0, 1, 0) × (-20, 0, 0)
}

TEST(HandSpring, DampingPreloadAndActuatorAddUp) {
  Spring s = unit_spring();
  s.damping = linear(7);
  s.preload = 3;
  s.actuator = DriveRef{"push"};
  Model m = with(s);
  m.drives = {{"push", PolynomialDrive{{0, -4}, 0}}};
  Placed p(m);
  p.move({0.1, 0, 0}, {}).speed({2, 5, 0}, {}).at_time(0.5);
  expect_vector(p.wrench().force, {-(20 + 14 + 3 - 2), 0, 0});  // only 2 m/s is along the line
}

Bushing unit_bushing() {
  Bushing b;
  b.between = ground_to_b;
  b.point = Vec3d{};
  b.stiffness = {10, 20, 30, 4, 5, 6};
  return b;
}

TEST(HandBushing, PureRotationAboutZ) {
  Placed p(with(unit_bushing()));
  p.move({}, {0, 0, 0.3});
  expect_vector(p.wrench().force, {0, 0, 0});
  expect_vector(p.wrench().torque, {0, 0, -1.8});  // 6 N m/rad times 0.3 rad
  EXPECT_NEAR(p.potential(), 0.27, 1e-15);         // ½ 6 0.3²
}

TEST(HandBushing, PureTranslation) {
  Placed p(with(unit_bushing()));
  p.move({0.1, -0.2, 0.3}, {});
  expect_vector(p.wrench().force, {-1, 4, -9});
  expect_vector(p.wrench().torque, {0, 0, 0});
}

TEST(HandBushing, ItsAxesAreThoseGiven) {
  Bushing b = unit_bushing();
  b.orientation = Orientation{Orientation::Form::rotation_vector, "", {0, 0, pi / 2}};
  Placed p(with(b));
  p.move({0.1, 0, 0}, {});  // ground x is minus the bushing's y: stiffness 20 N/m
  expect_vector(p.wrench().force, {-2, 0, 0});
}

TEST(HandBushing, DampingAndPrestress) {
  Bushing b = unit_bushing();
  b.damping = {1, 2, 3, 0.4, 0.5, 0.6};
  b.prestress = {7, 0, 0, 0, 0, 8};  // what the first body feels: the second feels the opposite
  Placed p(with(b));
  p.speed({1, 1, 1}, {2, 2, 2});
  expect_vector(p.wrench().force, {-8, -2, -3});
  expect_vector(p.wrench().torque, {-0.8, -1.0, -9.2});
}

TEST(HandBushing, CouplesTranslationAndRotation) {
  Bushing b = unit_bushing();
  b.stiffness.assign(36, 0.0);
  for (std::size_t i = 0; i < 6; ++i) b.stiffness[7 * i] = 10;
  b.stiffness[6 * 1 + 5] = b.stiffness[6 * 5 + 1] = 2;  // y with rz
  Placed p(with(b));
  p.move({0, 0.5, 0}, {0, 0, 0.1});
  expect_vector(p.wrench().force, {0, -5.2, 0});   // 10 0.5 + 2 0.1
  expect_vector(p.wrench().torque, {0, 0, -2.0});  // 10 0.1 + 2 0.5
}

TorsionSpring unit_torsion_spring() {
  TorsionSpring s;
  s.between = ground_to_b;
  s.axis = Vec3d{0, 0, 1};
  s.angle = 0.5;
  s.stiffness = linear(4);
  return s;
}

TEST(HandTorsionSpring, AfterOneTurnAndAQuarter) {
  Placed p(with(unit_torsion_spring()));
  p.move({}, {0, 0, pi / 2});
  p.w.angle[0].value = 2 * pi + 1.4;  // the last accepted angle, just before
  expect_vector(p.wrench().force, {0, 0, 0});
  expect_vector(p.wrench().torque, {0, 0, -4 * (2.5 * pi - 0.5)});
  EXPECT_NEAR(p.potential(), 2 * (2.5 * pi - 0.5) * (2.5 * pi - 0.5), 1e-12);
}

TEST(HandTorsionSpring, BackwardsThroughFullTurns) {
  Placed p(with(unit_torsion_spring()));
  p.move({}, {0, 0, pi / 2});
  p.w.angle[0].value = -3.4 * pi;  // -3.5 π is a quarter turn too
  expect_vector(p.wrench().torque, {0, 0, 4 * (3.5 * pi + 0.5)});
}

// The spring's own torque is against the angle, an actuator's along it.
TEST(HandTorsionSpring, DampingPreloadAndActuatorAddUp) {
  TorsionSpring s = unit_torsion_spring();
  s.damping = linear(3);
  s.preload = 1;
  s.actuator = DriveRef{"twist"};
  Model m = with(s);
  m.drives = {{"twist", ConstantDrive{-6}}};
  Placed p(m);
  p.move({}, {0, 0, 0.75}).speed({}, {0, 0, 2});
  expect_vector(p.wrench().torque, {0, 0, -(4 * 0.25 + 3 * 2 + 1) - 6});
}

AppliedForce unit_applied(Axes axes) {
  AppliedForce f;
  f.body = {"b"};
  f.point = Vec3d{1, 0, 0};
  f.force = {0, 3, 0};
  f.torque = {5, 0, 0};
  f.axes = axes;
  return f;
}

TEST(HandAppliedForce, BodyAxesTurnWithTheBody) {
  Placed p(with(unit_applied(Axes::body)));
  p.move({7, 8, 9}, {0, 0, pi / 2});
  expect_vector(p.wrench().force, {-3, 0, 0});
  expect_vector(p.wrench().torque, {0, 5, 3});  // the torque turns too; r × f is 3 about z
}

TEST(HandAppliedForce, GroundAxesStayWhileThePointTurns) {
  Placed p(with(unit_applied(Axes::ground)));
  p.move({7, 8, 9}, {0, 0, pi / 2});
  expect_vector(p.wrench().force, {0, 3, 0});
  expect_vector(p.wrench().torque, {5, 0, 0});  // the point is at (0, 1, 0) now, along the force
}

TEST(HandAppliedForce, IsMultipliedByItsDrive) {
  AppliedForce f = unit_applied(Axes::ground);
  f.drive = DriveRef{"ramp"};
  Model m = with(f);
  m.drives = {{"ramp", PolynomialDrive{{0, 2}, 0}}};
  Placed p(m);
  p.at_time(0.25);
  expect_vector(p.wrench().force, {0, 1.5, 0});
  expect_vector(p.wrench().torque, {2.5, 0, 1.5});
}

TEST(HandBody, FallsWithGravity) {
  Model m = unit_model();
  m.gravity = {0, 0, -9.81};
  Placed p(m);
  p.vdot = {0, 0, -9.81, 0, 0, 0};
  for (const double r : p.residual()) EXPECT_EQ(r, 0);
  p.vdot[2] = 0;
  EXPECT_DOUBLE_EQ(p.residual()[2], 2 * 9.81);  // at rest it takes its weight to hold it
  p.move({0, 0, 3}, {});
  EXPECT_DOUBLE_EQ(p.potential(), 2 * 9.81 * 3);
}

TEST(HandBody, GyroscopicTorque) {
  Placed p(unit_model());
  p.move({}, {0.3, -0.4, 0.5}).speed({}, {2, 3, 5});
  const auto r = p.residual();
  // ω × J ω with J = (2, 3, 4): ω = (2, 3, 5), J ω = (4, 9, 20).
  expect_vector(load3(&r[3]), {15.0, -20.0, 6.0});
  EXPECT_EQ(load3(&r[0]).x, 0);
  EXPECT_NEAR(kinetic_energy(p.system->bodies[0], p.constants.data(), p.w.body[1]),
              0.5 * (2 * 4 + 3 * 9 + 4 * 25), 1e-14);
}

TEST(HandBody, CentreOfMassAwayFromTheReferencePoint) {
  // 2 kg at (0, 1, 0) from the point, spinning about z at 3 rad/s: 2 1 9 N of centripetal force.
  Model realized = unit_model();
  realized.bodies[0].position = {0, 1, 0};
  Placed p(unit_model());
  p.constants = prepare(*p.system, realized);
  p.speed({}, {0, 0, 3});
  const auto r = p.residual();
  expect_vector(load3(&r[0]), {0, -18, 0});
  expect_vector(load3(&r[3]), {0, 0, 0});
  const auto& body = p.system->bodies[0];
  // The centre of mass moves at (-3, 0, 0): momentum (-6, 0, 0), which has 6 about the origin; the
  // spin adds 4 times 3.
  expect_vector(linear_momentum(body, p.constants.data(), p.w.body[1]), {-6, 0, 0});
  expect_vector(angular_momentum(body, p.constants.data(), p.w.body[1]), {0, 0, 6 + 12});
}

}  // namespace
}  // namespace tumble
