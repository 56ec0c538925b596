// Point masses and laminae: closed forms, and what a body without rotation refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "test_machines.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {
namespace {

using namespace testing;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr double pi = std::numbers::pi;

TEST(PointMass, HasThreeCoordinatesAndFalls) {
  Model m = timed(1, 0.01);
  m.gravity = {0, 0, -10};
  m.bodies = {point_mass("m", 2, {1, 2, 3})};
  m.bodies[0].velocity = {1, 0, 4};
  m.probes = {body_probe("m", {Quantity::position, Quantity::velocity, Quantity::acceleration,
                               Quantity::kinetic_energy, Quantity::angular_momentum})};
  EXPECT_EQ(compile(m)->nv, 3);
  const Trajectory run = simulate(m);
  const auto last = [&](std::size_t series, std::size_t k) {
    const auto& v = run.series[series];
    return v.values[v.values.size() - static_cast<std::size_t>(v.size) + k];
  };
  EXPECT_NEAR(last(0, 0), 2, 1e-12);
  EXPECT_NEAR(last(0, 2), 3 + 4 - 5, 1e-12);
  EXPECT_NEAR(last(1, 2), -6, 1e-12);
  EXPECT_NEAR(last(2, 2), -10, 1e-12);
  EXPECT_NEAR(last(3, 0), 37, 1e-10);
  // (2, 2, 2) × 2 (1, 0, -6) = (-24, 28, -4)
  EXPECT_NEAR(last(4, 0), -24, 1e-10);
  EXPECT_NEAR(last(4, 1), 28, 1e-10);
}

// T = 4 √(L/g) K(sin(α/2)): 60 degrees, K(0.5) = 1.6857503548.
TEST(PointMass, SwingsOnARodWithThePeriodOfThePendulum) {
  Model m = timed(2, 1e-3);
  m.gravity = {0, 0, -9.81};
  const double length = 0.7, alpha = pi / 3;
  m.bodies = {point_mass("bob", 3, {length * std::sin(alpha), 0, -length * std::cos(alpha)})};
  DistanceJoint rod;
  rod.between = between("ground", "bob");
  rod.points = {Vec3d{}, m.bodies[0].position};
  m.joints = {{"rod", rod}};
  m.probes = {body_probe("bob", {Quantity::position}), energy_probe(),
              joint_probe("rod", {Quantity::force})};
  const Trajectory run = simulate(m);
  const auto& p = run.series[0].values;
  // The first zero of x is a quarter of the period.
  std::size_t k = 0;
  while (p[3 * k] > 0) ++k;
  const double crossing = run.times[k - 1] + 1e-3 * p[3 * k - 3] / (p[3 * k - 3] - p[3 * k]);
  EXPECT_NEAR(crossing, std::sqrt(length / 9.81) * 1.6857503548, 2e-6);
  // At the bottom the rod carries m g (3 - 2 cos α).
  EXPECT_NEAR(run.series[2].values[3 * k + 2], 3 * 9.81 * 2, 0.01);
  for (const double e : run.series[1].values) EXPECT_NEAR(e, run.series[1].values[0], 1e-4);
}

// A bead in a tube that turns at ω: r = r₀ cosh ωt, and the tube pushes it with 2 m ω ṙ.
TEST(PointMass, SlidesInATurningTube) {
  const double omega = 3, r0 = 0.4, mass = 0.5;
  Model m = timed(0.6, 1e-3);
  m.bodies = {unit_body("tube"), point_mass("bead", mass, {r0, 0, 0})};
  RevoluteJoint bearing = hinge("ground", "tube", {0, 0, 1});
  bearing.motion.drive[5] = "turn";
  GeneralJoint bore;
  bore.between = between("tube", "bead");
  bore.point = Vec3d{r0, 0, 0};
  bore.locked_motions.has = {false, true, true, false, false, false};
  m.joints = {{"bearing", bearing}, {"bore", bore}};
  m.drives = {{"turn", PolynomialDrive{{0, omega}, 0}}};
  m.bodies[1].velocity = {0, omega * r0, 0};
  m.probes = {body_probe("bead", {Quantity::position}),
              joint_probe("bore", {Quantity::force, Quantity::displacement, Quantity::torque})};
  const Trajectory run = simulate(m);
  for (std::size_t k = 0; k < run.times.size(); ++k) {
    const double t = run.times[k], r = r0 * std::cosh(omega * t),
                 push = 2 * mass * omega * r0 * omega * std::sinh(omega * t);
    EXPECT_NEAR(run.series[0].values[3 * k], r * std::cos(omega * t), 2e-5);
    EXPECT_NEAR(run.series[0].values[3 * k + 1], r * std::sin(omega * t), 2e-5);
    EXPECT_NEAR(run.series[1].values[3 * k], -push * std::sin(omega * t), 1e-3);
    EXPECT_NEAR(run.series[1].values[3 * k + 1], push * std::cos(omega * t), 1e-3);
    EXPECT_NEAR(run.series[2].values[3 * k], r - r0, 2e-5);
    EXPECT_EQ(run.series[3].values[3 * k], 0);
  }
}

// Two masses and a spring: ω² = k (1/m₁ + 1/m₂), seen from the spring's length.
TEST(PointMass, TwoOnASpringHaveTheReducedMass) {
  Model m = timed(1, 1e-3);
  m.bodies = {point_mass("a", 2, {0, 0, 0}), point_mass("b", 3, {1, 0, 0})};
  Spring s;
  s.between = between("a", "b");
  s.points = {Vec3d{}, Vec3d{1, 0, 0}};
  s.length = 0.9;
  s.stiffness.slope = 120;
  m.forces = {{"s", s}};
  m.probes = {force_probe("s", {Quantity::length})};
  const Trajectory run = simulate(m);
  const double omega = std::sqrt(120 * (0.5 + 1.0 / 3));
  for (std::size_t k = 0; k < run.times.size(); ++k)
    EXPECT_NEAR(run.series[0].values[k], 0.9 + 0.1 * std::cos(omega * run.times[k]), 1e-5);
}

// At the end of a beam it is what a body on a ball joint at its centre is.
TEST(PointMass, AtTheEndOfABeamMovesLikeABodyOnABallJoint) {
  const auto tip = [](bool rotates) {
    Model m = timed(0.2, 1e-3);
    m.gravity = {0, 0, -9.81};
    m.beams = {soft_arm("arm")};
    m.bodies = {point_mass("tip", 0.2, {0.5, 0, 0})};
    m.bodies[0].rotates = rotates;
    m.bodies[0].inertia = {1e-3, 1e-3, 1e-3, 0, 0, 0};
    FixedJoint clamp;
    clamp.between = between("ground", "arm.start");
    SphericalJoint ball;
    ball.between = between("arm.end", "tip");
    m.joints = {{"clamp", clamp}, {"ball", ball}};
    m.probes = {body_probe("tip", {Quantity::position}), joint_probe("ball", {Quantity::force})};
    return simulate(m);
  };
  const Trajectory point = tip(false), body = tip(true);
  double lowest = 0;
  for (std::size_t i = 2; i < point.series[0].values.size(); i += 3)
    lowest = std::min(lowest, point.series[0].values[i]);
  EXPECT_LT(lowest, -0.005);
  for (std::size_t i = 0; i < point.series[0].values.size(); ++i) {
    EXPECT_NEAR(point.series[0].values[i], body.series[0].values[i], 1e-10);
    EXPECT_NEAR(point.series[1].values[i], body.series[1].values[i], 1e-5);
  }
}

/// A lamina of 1 kg in its own x-y plane, free: its ω_z² - ... obeys Euler's equations, and with
/// Izz = Ixx + Iyy the known invariant ω_x² + ω_y² is kept (Goldstein, exercise 5.13).
TEST(Lamina, KeepsTheInvariantOfEulersEquations) {
  Model m = timed(5, 1e-3);
  m.bodies = {unit_body("plate")};
  m.bodies[0].inertia = {0.3, 0.5, 0.8, 0, 0, 0};
  m.bodies[0].angular_velocity = {0.2, 2, 0.4};
  m.probes = {body_probe("plate", {Quantity::angular_velocity_body}), energy_probe()};
  const Trajectory run = simulate(m);
  const auto& w = run.series[0].values;
  const double start = w[0] * w[0] + w[1] * w[1];
  double change = 0;
  for (std::size_t k = 0; k < run.times.size(); ++k) {
    EXPECT_NEAR(w[3 * k] * w[3 * k] + w[3 * k + 1] * w[3 * k + 1], start, 2e-5);
    change = std::max(change, std::abs(w[3 * k] - w[0]));
  }
  EXPECT_GT(change, 1);  // it does tumble
}

std::string mistakes(const Model& m) {
  std::string text;
  for (const Diagnostic& d : check(m)) text += to_string(d) + "\n";
  return text;
}

TEST(Lamina, IsAcceptedAndWhatIsBeyondItIsNot) {
  Model m = timed(1, 0.1);
  m.bodies = {unit_body("plate")};
  for (const std::array<double, 6>& good :
       {std::array<double, 6>{0.234375, 0.46875, 0.234375, 0, 0, 0},
        {0.1, 0.2, 0.3, 0, 0, 0},
        {1. / 3, 1. / 7, 1. / 3 + 1. / 7, 0, 0, 0}}) {
    m.bodies[0].inertia = good;
    EXPECT_EQ(mistakes(m), "");
  }
  m.bodies[0].inertia = {0.1, 0.2, 0.3001, 0, 0, 0};
  EXPECT_THAT(mistakes(m), AllOf(HasSubstr("body 'plate'"), HasSubstr("triangle inequality"),
                                 HasSubstr("must not exceed")));
  m.bodies[0].inertia = {0, 0.3, 0.3, 0, 0, 0};
  EXPECT_THAT(mistakes(m),
              AllOf(HasSubstr("is zero about [1, 0, 0]"), HasSubstr("small positive")));
  m.bodies[0].inertia = {};
  EXPECT_THAT(mistakes(m), HasSubstr("inertia: none"));
}

Model with_point_mass() {
  Model m = timed(1, 0.1);
  m.bodies = {point_mass("m", 1, {1, 0, 0}), unit_body("b")};
  return m;
}

TEST(PointMass, RefusesJointsThatHoldItsRotation) {
  const auto told = [](JointKind kind, const char* first, const char* second) {
    Model m = with_point_mass();
    std::visit([&](auto& joint) { joint.between = between(first, second); }, kind);
    std::visit(
        [](auto& joint) {
          if constexpr (requires { joint.point; }) joint.point = Vec3d{1, 0, 0};
        },
        kind);
    m.joints = {{"it", kind}};
    return mistakes(m);
  };
  RevoluteJoint revolute;
  revolute.axis = Vec3d{0, 0, 1};
  const auto refused = AllOf(HasSubstr("joint 'it'"), HasSubstr("between[1] = 'm'"),
                             HasSubstr("point mass"), HasSubstr("locks rotations"));
  EXPECT_THAT(told(revolute, "ground", "m"), refused);
  EXPECT_THAT(told(FixedJoint{}, "b", "m"), refused);
  PrismaticJoint slider;
  slider.axis = Vec3d{0, 0, 1};
  EXPECT_THAT(told(slider, "ground", "m"), refused);
  EXPECT_EQ(told(SphericalJoint{}, "b", "m"), "");
  EXPECT_EQ(told(SphericalJoint{}, "m", "b"), "");
  GeneralJoint plane;
  plane.locked_motions.has = {false, false, true, false, false, false};
  EXPECT_EQ(told(plane, "b", "m"), "");
  EXPECT_THAT(told(plane, "m", "b"), HasSubstr("name it second"));
}

TEST(PointMass, RefusesPlacesBesideItsCentre) {
  Model m = with_point_mass();
  SphericalJoint ball;
  ball.between = between("b", "m");
  ball.point = Vec3d{1, 0.1, 0};
  m.joints = {{"ball", ball}};
  Spring s;
  s.between = between("ground", "m");
  s.points = {Vec3d{}, Vec3d{1, 0, 0.2}};
  m.forces = {{"s", s}};
  Probe p = body_probe("m", {Quantity::position});
  p.point = Vec3d{2, 0, 0};
  m.probes = {p};
  m.bodies[0].markers = {{"tip", {1.5, 0, 0}, {}}};
  const std::string told = mistakes(m);
  for (const char* part : {"joint 'ball': point = [1, 0.1, 0] m", "spring 's': points[1]",
                           "probe 'body_m': point", "marker 'm.tip': position"})
    EXPECT_THAT(told, HasSubstr(part)) << told;
  EXPECT_THAT(told, HasSubstr("must be the centre of body 'm', [1, 0, 0] m"));
}

TEST(PointMass, RefusesForcesAndProbesOfARotation) {
  Model m = with_point_mass();
  TorsionSpring torsion;
  torsion.between = between("b", "m");
  torsion.axis = Vec3d{0, 0, 1};
  Bushing bushing;
  bushing.between = between("b", "m");
  bushing.point = Vec3d{1, 0, 0};
  bushing.stiffness = {1, 1, 1, 0, 2, 0};
  AppliedForce force;
  force.body = BodyRef{"m"};
  force.torque = {0, 0, 1};
  force.axes = Axes::body;
  m.forces = {{"t", torsion}, {"r", bushing}, {"f", force}};
  m.probes = {
      body_probe("m", {Quantity::position, Quantity::euler_123, Quantity::angular_velocity})};
  m.bodies[0].angular_velocity = {1, 0, 0};
  const std::string told = mistakes(m);
  for (const char* part : {"'t': between[1] = 'm'", "'r': stiffness[4] = 2",
                           "'f': torque = [0, 0, 1]", "'f': axes", "quantities[1] = euler_123",
                           "quantities[2] = angular_velocity", "body 'm': angular_velocity"})
    EXPECT_THAT(told, HasSubstr(part)) << told;
  EXPECT_THAT(told, ::testing::Not(HasSubstr("quantities[0]")));
}

// Translations alone: a bushing holds a point mass like three springs.
TEST(PointMass, SwingsInABushingWithoutRotationalStiffness) {
  Model m = timed(1, 1e-3);
  m.bodies = {point_mass("m", 2, {1, 0, 0})};
  m.bodies[0].velocity = {0.3, 0.2, 0};
  Bushing b;
  b.between = between("ground", "m");
  b.point = Vec3d{1, 0, 0};
  b.stiffness = {50, 200, 1, 0, 0, 0};
  m.forces = {{"r", b}};
  m.probes = {body_probe("m", {Quantity::position})};
  const Trajectory run = simulate(m);
  for (std::size_t k = 0; k < run.times.size(); ++k) {
    EXPECT_NEAR(run.series[0].values[3 * k], 1 + 0.06 * std::sin(5 * run.times[k]), 1e-5);
    EXPECT_NEAR(run.series[0].values[3 * k + 1], 0.02 * std::sin(10 * run.times[k]), 1e-5);
  }
}

TEST(PointMass, HasNoSlotsOfARotation) {
  const auto system = compile(with_point_mass());
  EXPECT_GE(system->parameters.find("bodies.m.mass"), 0);
  EXPECT_GE(system->parameters.find("bodies.m.position[2]"), 0);
  EXPECT_LT(system->parameters.find("bodies.m.inertia[0]"), 0);
  EXPECT_LT(system->parameters.find("bodies.m.angular_velocity[0]"), 0);
  EXPECT_GE(system->parameters.find("bodies.b.inertia[0]"), 0);
}

}  // namespace
}  // namespace tumble
