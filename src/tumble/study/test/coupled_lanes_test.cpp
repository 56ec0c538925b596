// Couplers, limits, friction by reactions, constant velocity joints and integrals in lanes: the
// bits of the scalar engine at every width.
#include <gtest/gtest.h>

#include "lanes_for_tests.hpp"

namespace tumble {
namespace {

Body rotor(const char* name, const Vec3d& position) {
  Body b;
  b.name = name;
  b.mass = 1.3;
  b.position = position;
  b.inertia = {0.2, 0.3, 0.25, 0.01, 0, 0.02};
  return b;
}
std::array<MarkerRef, 2> between(const char* first, const char* second) {
  return {MarkerRef{first}, MarkerRef{second}};
}

/// A driven shaft, bent, with a gear to a wheel that runs against a stop, and a block that a rack
/// moves down a guide on which it rubs.
Model coupled() {
  Model m;
  m.gravity = {0.3, -1, -9.6};
  m.bodies = {rotor("in", {-0.5, 0, 0}), rotor("out", {0.4, 0.3, 0}), rotor("wheel", {0, 1, 0}),
              rotor("block", {0, -1, 0})};
  RevoluteJoint motor, bearing;
  motor.between = between("ground", "in");
  motor.point = Vec3d{-0.5, 0, 0};
  motor.axis = Vec3d{1, 0, 0};
  motor.motion.drive[5] = "angle";
  ConstantVelocityJoint middle{{between("in", "out"), Vec3d{}}, Vec3d{1, 0, 0}, Vec3d{0.8, 0.6, 0}};
  PointOnLineJoint end;
  end.between = between("ground", "out");
  end.point = Vec3d{0.8, 0.6, 0};
  end.axis = Vec3d{0.8, 0.6, 0};
  bearing.between = between("ground", "wheel");
  bearing.point = Vec3d{0, 1, 0.1};
  bearing.axis = Vec3d{0.2, 0.3, 0.9};
  CylindricalJoint guide;
  guide.between = between("ground", "block");
  guide.point = Vec3d{0, -1, 0};
  guide.axis = Vec3d{0.6, 0.1, -0.7};
  m.joints = {
      {"motor", motor}, {"middle", middle}, {"end", end}, {"bearing", bearing}, {"guide", guide}};
  m.couplers = {{"rack", RackCoupler{{CoordinateRef{"bearing"}, CoordinateRef{"guide"}}, 0.3, {}}}};
  m.forces = {{"stop", JointLimit{{"guide.z"}, {}, 0.4, 2000, 30, 0.02}},
              {"rubbing", JointFriction{{"guide.z"}, 0.3, 0.4, 0.2, 0.05, 1, 2, 0.1}}};
  m.drives = {{"speed", HarmonicDrive{6, 1.5, 0.2, 10, 0}},
              {"angle", IntegralDrive{{"speed"}, 0.3}}};
  Probe turn, rack, stop, rub, shaft;
  turn.name = "bearing";
  turn.joint = JointRef{"bearing"};
  turn.quantities = {Quantity::angle, Quantity::force};
  rack.name = "rack";
  rack.coupler = CouplerRef{"rack"};
  rack.quantities = {Quantity::moment, Quantity::axial_force};
  stop.name = "stop";
  stop.force = ForceRef{"stop"};
  stop.quantities = {Quantity::axial_force};
  rub.name = "rubbing";
  rub.force = ForceRef{"rubbing"};
  rub.quantities = {Quantity::axial_force};
  shaft.name = "out";
  shaft.body = BodyRef{"out"};
  shaft.quantities = {Quantity::angular_velocity, Quantity::acceleration};
  m.probes = {turn, rack, stop, rub, shaft};
  m.simulation.duration = 1;
  m.simulation.step = 0.002;
  m.simulation.output_step = 0.05;
  return m;
}

TEST(CoupledLanes, HaveTheBitsOfTheScalarEngine) {
  expect_bits_of_scalar_engine(
      coupled(),
      {"couplers.rack.radius", "forces.stop.stiffness", "forces.stop.upper",
       "forces.rubbing.coefficient", "forces.rubbing.transition_rate", "drives.speed.amplitude",
       "drives.angle.initial", "bodies.block.mass"},
      [](std::uint64_t r, double* x) {
        const double s = static_cast<double>(r) / 16;
        x[0] = 0.3 + 0.1 * s, x[1] = 2000 - 900 * s, x[2] = 0.4 - 0.2 * s, x[3] = 0.1 + 0.25 * s;
        x[4] = 0.05 + 0.02 * s, x[5] = 6 + s, x[6] = 0.3 - s, x[7] = 1.3 + s;
      });
}

}  // namespace
}  // namespace tumble
