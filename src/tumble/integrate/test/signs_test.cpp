// Every sign that docs/theory/forces.md#signs states.
#include <gtest/gtest.h>

#include "test_machines.hpp"

namespace tumble {
namespace {

using namespace testing;

/// A body 1 m along x from the ground's origin, at rest, with one force element between the two.
Model held(const ForceKind& force) {
  Model m = timed(0.01, 1e-3);
  m.bodies = {unit_body("b")};
  m.bodies[0].position = {1, 0, 0};
  m.forces = {{"it", force}};
  return m;
}

Spring spring() {
  Spring s;
  s.between = between("ground", "b");
  s.points = {Vec3d{}, Vec3d{1, 0, 0}};
  return s;
}

void expect_tension(const Spring& s, Model m, double tension) {
  m.forces = {{"it", s}};
  m.probes = {force_probe("it", {Quantity::tension, Quantity::force, Quantity::length})};
  const Trajectory run = simulate(m);
  EXPECT_NEAR(run.series[0].values[0], tension, 1e-12);
  EXPECT_NEAR(run.series[1].values[0], -tension, 1e-12);  // on the second body, towards the first
  EXPECT_LT(run.series[2].values.back(), 1) << "tension must shorten the line";
}

TEST(Signs, OfASpringAreThoseOfATension) {
  Spring s = spring();
  s.stiffness.slope = 100;
  s.length = 0.9;
  expect_tension(s, held(s), 10);
  s = spring();
  s.preload = 3;
  expect_tension(s, held(s), 3);
  s = spring();
  s.actuator = DriveRef{"motor"};
  Model m = held(s);
  m.drives = {{"motor", ConstantDrive{4}}};
  expect_tension(s, m, 4);
  s = spring();
  s.damping.slope = 2;
  m = held(s);
  m.bodies[0].velocity = {0.5, 0, 0};
  m.forces = {{"it", s}};
  m.probes = {force_probe("it", {Quantity::tension, Quantity::length_rate})};
  const Trajectory run = simulate(m);
  EXPECT_NEAR(run.series[0].values[0], 1, 1e-12);
  EXPECT_NEAR(run.series[1].values[0], 0.5, 1e-12);
}

/// The second body, a sphere of 0.3 m, is 0.1 m deep in a plane on the ground that faces it.
PlaneContact wall() {
  PlaneContact c;
  c.between = between("ground", "b");
  c.points = {Vec3d{0.8, 0, 0}, Vec3d{1, 0, 0}};
  c.normal = Vec3d{1, 0, 0};
  c.radius = 0.3;
  c.stiffness = 100;
  c.exponent = 1;
  c.transition_velocity = 1e-3;
  return c;
}

Trajectory run_of(const ForceKind& force, const Vec3d& velocity, std::vector<Quantity> quantities) {
  Model m = held(force);
  m.bodies[0].velocity = velocity;
  m.probes = {force_probe("it", std::move(quantities))};
  return simulate(m);
}

TEST(Signs, OfAContactPushOutAndHoldBack) {
  PlaneContact c = wall();
  c.damping = 0.5;
  c.friction = 0.2;
  const Trajectory run = run_of(c, {-1, 2, 0},
                                {Quantity::force, Quantity::gap, Quantity::normal_force,
                                 Quantity::friction_force, Quantity::sliding_velocity});
  const auto first = [&run](std::size_t series, std::size_t k) {
    return run.series[series].values[k];
  };
  EXPECT_NEAR(first(0, 0), 15, 1e-12);  // 10 N, and half as much because it goes in at 1 m/s
  EXPECT_NEAR(first(0, 1), -3, 1e-12);
  EXPECT_NEAR(first(1, 0), -0.1, 1e-14);
  EXPECT_NEAR(first(2, 0), 15, 1e-12);
  EXPECT_NEAR(first(3, 1), -3, 1e-12);
  EXPECT_NEAR(first(4, 1), 2, 1e-14);
}

TEST(Signs, OfATyreAreThoseOfItsWheel) {
  Tyre t;
  t.between = between("ground", "b");
  t.points = {Vec3d{0, 0, -0.4}, Vec3d{1, 0, 0}};
  t.normal = Vec3d{0, 0, 1};
  t.axis = {0, 1, 0};
  t.radius = 0.5;
  t.stiffness = 100;
  t.friction = 1;
  t.longitudinal_stiffness = t.cornering_stiffness = 50;
  t.contact_length = 0.2;
  Model m = held(t);
  m.bodies[0].velocity = {1.9, 0.1, 0};
  m.bodies[0].angular_velocity = {0, 5, 0};  // forwards, with 2 m/s at the road
  m.probes = {force_probe("it", {Quantity::slip_ratio, Quantity::slip_angle,
                                 Quantity::aligning_moment, Quantity::force})};
  const Trajectory run = simulate(m);
  EXPECT_GT(run.series[0].values[0], 0);  // it drives
  EXPECT_GT(run.series[1].values[0], 0);  // it slides to y, its left
  EXPECT_GT(run.series[2].values[0], 0);  // which turns its front there
  EXPECT_GT(run.series[3].values[0], 0);
  EXPECT_LT(run.series[3].values[1], 0);
  EXPECT_GT(run.series[3].values[2], 0);
}

TEST(Signs, OfACableAreThoseOfATension) {
  Cable c;
  c.between = between("ground", "b");
  c.points = {Vec3d{}, Vec3d{1, 0, 0}};
  c.length = 0.9;
  c.stiffness = 100;
  c.damping = 2;
  const Trajectory run = run_of(c, {0.5, 0, 0}, {Quantity::tension, Quantity::force});
  EXPECT_NEAR(run.series[0].values[0], 11, 1e-12);
  EXPECT_NEAR(run.series[1].values[0], -11, 1e-12);
}

/// A shaft on a hinge along y, so that angles and axes differ.
Model shaft(const TorsionSpring& spring) {
  Model m = timed(0.1, 1e-3);
  m.bodies = {unit_body("b")};
  m.joints = {{"bearing", hinge("ground", "b", {0, 1, 0})}};
  m.drives = {{"motor", ConstantDrive{4}}};
  m.forces = {{"it", spring}};
  m.probes = {force_probe("it", {Quantity::moment, Quantity::torque, Quantity::angle}),
              joint_probe("bearing", {Quantity::angle_rate})};
  return m;
}
TorsionSpring torsion_spring() {
  TorsionSpring s;
  s.between = between("ground", "b");
  s.axis = Vec3d{0, 1, 0};
  return s;
}

TEST(Signs, APositiveActuatorOfATorsionSpringIncreasesTheAngle) {
  TorsionSpring s = torsion_spring();
  s.actuator = DriveRef{"motor"};
  Model m = shaft(s);
  Trajectory run = simulate(m);
  EXPECT_NEAR(run.series[0].values[0], 4, 1e-12);
  EXPECT_NEAR(run.series[1].values[1], 4, 1e-12);  // on the second body, about +y
  // 4 N m on 1 kg m² for 0.1 s.
  EXPECT_NEAR(run.series[2].values.back(), 0.5 * 4 * 0.01, 1e-9);
  EXPECT_NEAR(run.series[3].values.back(), 0.4, 1e-9);
  // The same between the bodies in the other order: the motor turns the ground against the shaft.
  s.between = between("b", "ground");
  m = shaft(s);
  run = simulate(m);
  EXPECT_NEAR(run.series[2].values.back(), 0.5 * 4 * 0.01, 1e-9);
  EXPECT_NEAR(run.series[3].values.back(), -0.4, 1e-9);
}

TEST(Signs, StiffnessDampingAndPreloadOfATorsionSpringAreAgainstTheAngle) {
  TorsionSpring s = torsion_spring();
  s.preload = 3;
  Trajectory run = simulate(shaft(s));
  EXPECT_NEAR(run.series[0].values[0], -3, 1e-12);
  EXPECT_LT(run.series[2].values.back(), 0);
  s = torsion_spring();
  s.stiffness.slope = 10;
  s.angle = -0.2;  // at rest it is wound up by 0.2 rad
  run = simulate(shaft(s));
  EXPECT_NEAR(run.series[0].values[0], -2, 1e-12);
  EXPECT_LT(run.series[2].values.back(), 0);
  s = torsion_spring();
  s.damping.slope = 2;
  Model m = shaft(s);
  m.bodies[0].angular_velocity = {0, 5, 0};
  run = simulate(m);
  EXPECT_NEAR(run.series[0].values[0], -10, 1e-12);
}

TEST(Signs, OfABushing) {
  Bushing b;
  b.between = between("ground", "b");
  b.point = Vec3d{1, 0, 0};
  b.stiffness = {10, 20, 30, 1, 2, 3};
  b.prestress = {1, 2, 3, 4, 5, 6};
  Model m = held(b);
  m.probes = {force_probe("it", {Quantity::force, Quantity::torque})};
  const Trajectory prestressed = simulate(m);
  for (std::size_t k = 0; k < 3; ++k) {  // the first body feels what was given, the second minus it
    EXPECT_NEAR(prestressed.series[0].values[k], -b.prestress[k], 1e-12);
    EXPECT_NEAR(prestressed.series[1].values[k], -b.prestress[k + 3], 1e-12);
  }
  b.prestress = {};
  m = held(b);
  m.bodies[0].velocity = {1, 0, 0};
  m.bodies[0].angular_velocity = {0, 0, 1};
  m.probes = {force_probe("it", {Quantity::force, Quantity::torque, Quantity::displacement})};
  const Trajectory run = simulate(m);
  EXPECT_GT(run.series[2].values[30], 0);  // it has moved along x and turned about z
  EXPECT_LT(run.series[0].values[30], 0);  // and is pulled
  EXPECT_LT(run.series[1].values[32], 0);  // and turned back
}

TEST(Signs, AnAppliedForceActsOnItsBody) {
  AppliedForce f;
  f.body = BodyRef{"b"};
  f.force = {1, 2, 3};
  f.torque = {-1, 2, 4};
  f.drive = DriveRef{"scale"};
  Model m = held(f);
  m.drives = {{"scale", ConstantDrive{-2}}};
  m.probes = {force_probe("it", {Quantity::force, Quantity::torque}),
              body_probe("b", {Quantity::acceleration, Quantity::angular_acceleration})};
  const Trajectory run = simulate(m);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(run.series[0].values[k], -2 * f.force[static_cast<int>(k)], 1e-12);
    EXPECT_NEAR(run.series[1].values[k], -2 * f.torque[static_cast<int>(k)], 1e-12);
    EXPECT_NEAR(run.series[2].values[k], -2 * f.force[static_cast<int>(k)], 1e-12);
    EXPECT_NEAR(run.series[3].values[k], -2 * f.torque[static_cast<int>(k)], 1e-12);
  }
}

TEST(Signs, AnImposedMotionMovesTheSecondBody) {
  for (std::size_t k = 0; k < 6; ++k) {
    Model m = timed(0.1, 1e-2);
    m.bodies = {unit_body("b"), unit_body("free")};
    FixedJoint joint;
    joint.between = between("ground", "b");
    joint.point = Vec3d{};
    joint.motion.drive[k] = "ramp";
    m.joints = {{"guide", joint}};
    m.drives = {{"ramp", PolynomialDrive{{0, 3}, 0}}};
    m.probes = {body_probe("b", {Quantity::position, Quantity::rotation_vector})};
    const Trajectory run = simulate(m);
    const auto& moved = run.series[k / 3].values;
    EXPECT_NEAR(moved[moved.size() - 3 + k % 3], 0.3, 1e-9) << k;
  }
}

TEST(Signs, OfADistanceJoint) {
  Model m = timed(0.1, 1e-3);
  m.bodies = {unit_body("b")};
  m.bodies[0].position = {1, 0, 0};
  DistanceJoint rod;
  rod.between = between("ground", "b");
  rod.points = {Vec3d{}, Vec3d{1, 0, 0}};
  rod.motion = DriveRef{"ramp"};
  m.joints = {{"rod", rod}};
  m.drives = {{"ramp", PolynomialDrive{{0, 0, 5}, 0}}};
  m.probes = {joint_probe("rod", {Quantity::length, Quantity::force})};
  const Trajectory run = simulate(m);
  EXPECT_NEAR(run.series[0].values.back(), 1.05, 1e-9);
  EXPECT_NEAR(run.series[1].values[0], 10, 1e-6);  // pushes the second body away: 1 kg, 10 m/s²
}

TEST(Signs, AJointHoldsItsSecondBody) {
  Model m = timed(0.01, 1e-3);
  m.gravity = {0, 0, -10};
  m.bodies = {unit_body("b")};
  m.bodies[0].position = {2, 0, 0};
  FixedJoint clamp;
  clamp.between = between("ground", "b");
  clamp.point = Vec3d{};
  m.joints = {{"clamp", clamp}};
  m.probes = {joint_probe("clamp", {Quantity::force, Quantity::torque})};
  const Trajectory run = simulate(m);
  EXPECT_NEAR(run.series[0].values[2], 10, 1e-9);   // carries its weight
  EXPECT_NEAR(run.series[1].values[1], -20, 1e-9);  // about the clamp's point, ground axes
}

}  // namespace
}  // namespace tumble
