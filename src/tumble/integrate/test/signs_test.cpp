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
