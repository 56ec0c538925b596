// Couplers and joints of shafts on textbook problems at odd angles, against closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "test_machines.hpp"

namespace tumble {
namespace {

using namespace testing;
using ::testing::HasSubstr;

constexpr double pi = std::numbers::pi;
/// A direction along no axis, of length 1, and one across it.
const Vec3d tilted{2.0 / 7, 3.0 / 7, 6.0 / 7}, across{6.0 / 7, 2.0 / 7, -3.0 / 7};

CoordinateRef coordinate(const char* name) { return {name}; }

/// A rotor on a hinge along `tilted`, round about that axis with the moment given.
Body rotor(const char* name, double moment, const Vec3d& position = {}) {
  Body b;
  b.name = name;
  b.mass = 1.5;
  b.position = position;
  b.inertia = {moment, moment, moment, 0, 0, 0};
  return b;
}
RevoluteJoint bearing(const char* first, const char* second, const Vec3d& point,
                      const Vec3d& axis = tilted) {
  RevoluteJoint joint = hinge(first, second, axis);
  joint.point = point;
  return joint;
}
TorsionSpring motor(const char* first, const char* second, const Vec3d& axis = tilted) {
  TorsionSpring m;
  m.between = between(first, second);
  m.axis = axis;
  m.actuator = DriveRef{"torque"};
  return m;
}
Probe coupler_probe(const char* coupler, std::vector<Quantity> quantities) {
  Probe p;
  p.name = std::string("coupler_") + coupler;
  p.coupler = CouplerRef{coupler};
  p.quantities = std::move(quantities);
  return p;
}

const std::vector<double>& of(const Trajectory& run, const std::string& probe, Quantity quantity) {
  for (const auto& series : run.series)
    if (series.probe == probe && series.quantity == quantity) return series.values;
  throw std::logic_error("not recorded: " + probe);
}

/// Every value within `relative` of a function of time, measured by its largest value.
template <class F>
void expect_motion(const Trajectory& run, const std::string& probe, Quantity quantity, F f,
                   double relative) {
  const auto& found = of(run, probe, quantity);
  double size = 0;
  for (const double t : run.times) size = std::max(size, std::fabs(f(t)));
  for (std::size_t k = 0; k < run.times.size(); ++k)
    EXPECT_NEAR(found[k], f(run.times[k]), relative * size) << probe << " at " << run.times[k];
}

Model two_rotors() {
  Model m = timed(4, 0.01);
  m.bodies = {rotor("one", 0.7), rotor("two", 0.2, {3, 1, -2})};
  m.joints = {{"first", bearing("ground", "one", {})},
              {"second", bearing("ground", "two", {3, 1, -2}, across)}};
  m.forces = {{"motor", motor("ground", "one")}};
  m.drives = {{"torque", ConstantDrive{300}}};
  m.probes = {joint_probe("first", {Quantity::angle}), joint_probe("second", {Quantity::angle})};
  return m;
}

// I1 θ̈1 = T + M, I2 θ̈2 = -M/i, θ2 = i θ1: θ̈1 = T / (I1 + i² I2). Crossed axes, 350 turns and more.
TEST(Gear, TurnsAsItsRatioSaysThroughHundredsOfTurns) {
  Model m = two_rotors();
  m.couplers = {{"mesh", GearCoupler{{coordinate("first"), coordinate("second")}, -2.5, {}}}};
  m.probes.push_back(coupler_probe("mesh", {Quantity::moment}));
  const Trajectory run = simulate(m);
  const double alpha = 300 / (0.7 + 6.25 * 0.2);
  expect_motion(
      run, "joint_first", Quantity::angle, [&](double t) { return alpha * t * t / 2; }, 1e-9);
  expect_motion(
      run, "joint_second", Quantity::angle, [&](double t) { return -2.5 * alpha * t * t / 2; },
      1e-9);
  EXPECT_GT(of(run, "joint_second", Quantity::angle).back() / (-2 * pi), 350);
  expect_motion(
      run, "coupler_mesh", Quantity::moment, [&](double) { return -6.25 * 0.2 * alpha; }, 1e-8);
  EXPECT_LT(run.statistics.energy.relative_mismatch, 1e-5);
}

// r1 θ1 = r2 θ2: θ̈1 = T / (I1 + (r1/r2)² I2); crossed, the second turns the other way.
TEST(Belt, JoinsTwoPulleysToOneInertia) {
  for (const bool crossed : {false, true}) {
    Model m = two_rotors();
    m.couplers = {
        {"belt",
         BeltCoupler{{coordinate("first"), coordinate("second")}, {0.12, 0.3}, crossed, {}}}};
    const Trajectory run = simulate(m);
    const double alpha = 300 / (0.7 + 0.16 * 0.2), turn = crossed ? -0.4 : 0.4;
    expect_motion(
        run, "joint_first", Quantity::angle, [&](double t) { return alpha * t * t / 2; }, 1e-9);
    expect_motion(
        run, "joint_second", Quantity::angle, [&](double t) { return turn * alpha * t * t / 2; },
        1e-9);
  }
}

/// A sun, a carrier with one planet 0.4 m off its axis, and a ring that stands still.
Model planetary(bool sun_on_carrier) {
  Model m = timed(2, 0.001);
  m.simulation.output_step = 0.05;
  const Vec3d arm = 0.4 * across;
  m.bodies = {rotor("sun", 0.3), rotor("carrier", 0.9), rotor("planet", 0.05, arm)};
  m.joints = {{"sun", bearing(sun_on_carrier ? "carrier" : "ground", "sun", {})},
              {"carrier", bearing("ground", "carrier", {})},
              {"planet", bearing("carrier", "planet", arm)}};
  m.forces = {{"motor", motor("ground", "sun")}};
  m.drives = {{"torque", ConstantDrive{5}}};
  m.probes = {joint_probe("sun", {Quantity::angle}), joint_probe("carrier", {Quantity::angle}),
              joint_probe("planet", {Quantity::angle}),
              body_probe("planet", {Quantity::angular_velocity})};
  return m;
}

// Willis: (ω_s - ω_c) z_s = -ω_p z_p and (0 - ω_c) z_r = ω_p z_p with ω_p relative to the carrier,
// so ω_s = (1 + z_r/z_s) ω_c. In the motion of the carrier the inertias count by their speeds
// squared.
TEST(PlanetaryGear, ObeysWillisSlow) {
  const double z_s = 30, z_p = 18, z_r = 66, n = 1 + z_r / z_s, p = z_r / z_p;
  const double inertia = 0.3 * n * n + 0.9 + 1.5 * 0.16 + 0.05 * (1 - p) * (1 - p);
  const double alpha = 5 * n / inertia;
  for (const bool sun_on_carrier : {false, true}) {
    SCOPED_TRACE(sun_on_carrier);
    Model m = planetary(sun_on_carrier);
    if (sun_on_carrier)
      m.couplers = {
          {"sun_planet", GearCoupler{{coordinate("sun"), coordinate("planet")}, -z_s / z_p, {}}}};
    else
      m.couplers = {
          {"sun_planet", LinearCoupler{{{"sun"}, {"carrier"}, {"planet"}}, {z_s, -z_s, z_p}, {}}}};
    m.couplers.push_back(
        {"planet_ring", GearCoupler{{coordinate("carrier"), coordinate("planet")}, -p, {}}});
    const Trajectory run = simulate(m);
    EXPECT_TRUE(run.redundancy.empty()) << run.redundancy;
    const double sun = sun_on_carrier ? n - 1 : n;
    expect_motion(
        run, "joint_carrier", Quantity::angle, [&](double t) { return alpha * t * t / 2; }, 1e-6);
    expect_motion(
        run, "joint_sun", Quantity::angle, [&](double t) { return sun * alpha * t * t / 2; }, 1e-6);
    expect_motion(
        run, "joint_planet", Quantity::angle, [&](double t) { return -p * alpha * t * t / 2; },
        1e-6);
    const auto& omega = of(run, "body_planet", Quantity::angular_velocity);
    const double expected = (1 - p) * alpha * 2;
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(omega[omega.size() - 3 + static_cast<std::size_t>(k)], expected * tilted[k],
                  1e-6 * std::fabs(expected));
    EXPECT_LT(run.statistics.energy.relative_mismatch, 1e-5);
  }
}

// Two halves of an axle on a turning case: 2 θ_case = θ_left + θ_right. The case is driven, the
// wheels have unequal moments and resist unequally; both get the same torque M:
// M - T_l = I_l α_l, M - T_r = I_r α_r, α_l + α_r = 0.
TEST(Differential, GivesBothSidesTheSameTorque) {
  Model m = timed(2, 0.01);
  m.bodies = {rotor("case", 0.5), rotor("left", 0.8, -1.0 * tilted), rotor("right", 0.3, tilted)};
  auto driven = bearing("ground", "case", {});
  driven.motion.drive[5] = "turn";
  m.joints = {{"case", driven},
              {"left", bearing("ground", "left", -1.0 * tilted)},
              {"right", bearing("ground", "right", tilted)}};
  m.couplers = {{"differential", LinearCoupler{{{"case"}, {"left"}, {"right"}}, {2, -1, -1}, {}}}};
  m.forces = {{"brake", motor("left", "ground")}};
  m.drives = {{"torque", ConstantDrive{4}}, {"turn", PolynomialDrive{{0, 30}, 0}}};
  for (int i : {1, 2}) m.bodies[static_cast<std::size_t>(i)].angular_velocity = 30.0 * tilted;
  m.probes = {joint_probe("left", {Quantity::angle}), joint_probe("right", {Quantity::angle}),
              coupler_probe("differential", {Quantity::moment}),
              joint_probe("case", {Quantity::torque})};
  const Trajectory run = simulate(m);
  const double alpha = -4 / (0.8 + 0.3), torque = -0.3 * alpha;  // the left one is braked
  expect_motion(
      run, "joint_left", Quantity::angle, [&](double t) { return 30 * t + alpha * t * t / 2; },
      1e-9);
  expect_motion(
      run, "joint_right", Quantity::angle, [&](double t) { return 30 * t - alpha * t * t / 2; },
      1e-9);
  // The moment on the case is minus twice that on each side, and its motor holds against that.
  expect_motion(
      run, "coupler_differential", Quantity::moment, [&](double) { return -2 * torque; }, 1e-8);
  const auto& holding = of(run, "joint_case", Quantity::torque);
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(holding[holding.size() - 3 + static_cast<std::size_t>(k)], 2 * torque * tilted[k],
                1e-8);
}

// With the lead L, p = L/2π: (I + m p²) θ̈ = T + m g_e p, whatever the angle of the jack.
TEST(Screw, JackLiftsItsLoad) {
  Model m = timed(3, 0.005);
  m.gravity = {0, 0, -9.81};
  m.bodies = {rotor("nut", 0.02)};
  m.bodies[0].mass = 80;
  CylindricalJoint thread;
  thread.between = between("ground", "nut");
  thread.point = Vec3d{};
  thread.axis = tilted;
  m.joints = {{"thread", thread}};
  const double lead = 0.05, p = lead / (2 * pi);
  m.couplers = {{"screw", ScrewCoupler{{"thread"}, lead, {}}}};
  m.forces = {{"motor", motor("ground", "nut")}};
  m.drives = {{"torque", ConstantDrive{9}}};
  m.probes = {joint_probe("thread", {Quantity::angle, Quantity::displacement}),
              coupler_probe("screw", {Quantity::moment, Quantity::axial_force})};
  const Trajectory run = simulate(m);
  const double g = -9.81 * tilted.z, alpha = (9 + 80 * g * p) / (0.02 + 80 * p * p);
  EXPECT_GT(alpha, 10);  // it does lift
  expect_motion(
      run, "joint_thread", Quantity::angle, [&](double t) { return alpha * t * t / 2; }, 1e-9);
  const auto& slid = of(run, "joint_thread", Quantity::displacement);
  EXPECT_NEAR(slid.back(), p * alpha * 4.5, 1e-9 * p * alpha);
  const double lift = 80 * (p * alpha - g);
  expect_motion(
      run, "coupler_screw", Quantity::axial_force, [&](double) { return lift; }, 1e-8);
  expect_motion(
      run, "coupler_screw", Quantity::moment, [&](double) { return -p * lift; }, 1e-8);
  EXPECT_LT(run.statistics.energy.relative_mismatch, 1e-5);
}

Model rack_and_pinion() {
  Model m = timed(2, 0.005);
  m.gravity = {0.5, -2, -9.3};
  m.bodies = {rotor("pinion", 0.06), rotor("rack", 0.4, {0.3, 0.2, 0.1})};
  PrismaticJoint guide;
  guide.between = between("ground", "rack");
  guide.point = Vec3d{0.3, 0.2, 0.1};
  guide.axis = tilted;
  m.joints = {{"pinion", bearing("ground", "pinion", {}, across)}, {"guide", guide}};
  m.couplers = {{"teeth", RackCoupler{{coordinate("pinion"), coordinate("guide")}, 0.2, {}}}};
  m.probes = {joint_probe("pinion", {Quantity::angle}),
              joint_probe("guide", {Quantity::displacement})};
  return m;
}

// The rack slides down its guide and turns the pinion: (I + m r²) θ̈ = m g_e r.
TEST(Rack, OnAnInclinedGuideTurnsThePinion) {
  Model m = rack_and_pinion();
  const Trajectory run = simulate(m);
  const double alpha = 1.5 * dot(m.gravity, tilted) * 0.2 / (0.06 + 1.5 * 0.04);
  expect_motion(
      run, "joint_pinion", Quantity::angle, [&](double t) { return alpha * t * t / 2; }, 1e-9);
  EXPECT_NEAR(of(run, "joint_guide", Quantity::displacement).back(), 0.2 * alpha * 2, 1e-9);
}

// A start of one joint takes the other along, through as many turns as it takes; an offset moves
// both, and a start that contradicts the relation is refused by name.
TEST(Coupler, StartsWhereItsRelationHolds) {
  Model m = rack_and_pinion();
  m.gravity = {};
  std::get<PrismaticJoint>(m.joints[1].kind).start = SlideStart{2, 0.3};
  Trajectory run = simulate(m);
  EXPECT_NEAR(of(run, "joint_pinion", Quantity::angle).front(), 10, 1e-9);
  EXPECT_NEAR(of(run, "joint_pinion", Quantity::angle).back(), 10 + 1.5 * 2, 1e-8);

  std::get<RackCoupler>(m.couplers[0].kind).offset = 1;
  run = simulate(m);
  EXPECT_NEAR(of(run, "joint_pinion", Quantity::angle).front(), 5, 1e-9);

  std::get<RevoluteJoint>(m.joints[0].kind).start = AngleStart{3, {}};
  EXPECT_ANY_THROW(simulate(m));
}

TEST(Coupler, BetweenCoordinatesThatAreCoupledAlreadyIsRedundant) {
  Model m = two_rotors();
  m.couplers = {{"one", GearCoupler{{coordinate("first"), coordinate("second")}, 2, {}}},
                {"other", GearCoupler{{coordinate("second"), coordinate("first")}, 0.5, {}}}};
  const Trajectory run = simulate(m);
  EXPECT_THAT(run.redundancy, HasSubstr("coupler 'one'"));
  EXPECT_THAT(run.redundancy, HasSubstr("coupler 'other'"));
  expect_motion(
      run, "joint_first", Quantity::angle,
      [&](double t) { return 300 / (0.7 + 4 * 0.2) * t * t / 2; }, 1e-6);
}

/// A driven shaft along `tilted`, and one bent away by `bend`, held by the joint and at its far
/// end.
Model bent_shafts(double bend, const JointKind& joint) {
  Model m = timed(1, 0.001);
  const Vec3d second = std::cos(bend) * tilted + std::sin(bend) * across;
  m.bodies = {rotor("in", 0.2, -0.5 * tilted), rotor("out", 0.3, 0.5 * second)};
  auto driven = bearing("ground", "in", -0.5 * tilted);
  driven.motion.drive[5] = "turn";
  PointOnLineJoint end;
  end.between = between("ground", "out");
  end.point = 1.0 * second;
  end.axis = second;
  m.joints = {{"in", driven}, {"middle", joint}, {"end", end}};
  m.drives = {{"turn", PolynomialDrive{{0, 12}, 0}}};
  m.bodies[1].angular_velocity = 12.0 * second;
  m.probes = {body_probe("out", {Quantity::angular_velocity}),
              joint_probe("middle", {Quantity::torque})};
  return m;
}

TEST(ConstantVelocity, IsHomokineticWhereACardanJointIsNotSlow) {
  for (const double bend : {0.0, 0.3, 0.8, 1.3}) {
    SCOPED_TRACE(bend);
    const Vec3d second = std::cos(bend) * tilted + std::sin(bend) * across;
    const Trajectory run = simulate(
        bent_shafts(bend, ConstantVelocityJoint{{between("in", "out"), Vec3d{}}, tilted, second}));
    EXPECT_TRUE(run.redundancy.empty()) << run.redundancy;
    const auto& omega = of(run, "body_out", Quantity::angular_velocity);
    for (std::size_t i = 0; i < run.times.size(); ++i)
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(omega[3 * i + static_cast<std::size_t>(k)], 12 * second[k], 1e-6);
  }
  // A Cardan joint with its first arm across both shafts at t = 0: the driven angle θ is that from
  // there, and ω2/ω1 = cos β / (1 - sin²β cos²θ).
  const double bend = 0.8;
  const Vec3d second = std::cos(bend) * tilted + std::sin(bend) * across;
  const Vec3d arm = cross(tilted, across);
  Model m = bent_shafts(
      bend, UniversalJoint{{between("in", "out"), Vec3d{}}, arm, cross(second, arm), {}});
  const auto ratio = [&](double t) {
    const double s = std::sin(bend), c = std::sin(12 * t);
    return std::cos(bend) / (1 - s * s * c * c);
  };
  m.bodies[1].angular_velocity = (12 * ratio(0)) * second;
  const Trajectory run = simulate(m);
  const auto& omega = of(run, "body_out", Quantity::angular_velocity);
  for (std::size_t i = 0; i < run.times.size(); ++i)
    EXPECT_NEAR(dot(Vec3d{omega[3 * i], omega[3 * i + 1], omega[3 * i + 2]}, second),
                12 * ratio(run.times[i]), 2e-2);  // of second order in the step
}

// A ball on a link about an axis is a pendulum in the plane across it, and nothing holds its body
// from turning about the ball.
TEST(RevoluteSpherical, SwingsAboutItsAxis) {
  Model m = timed(2, 0.001);
  m.gravity = 9.81 * cross(tilted, across);
  m.bodies = {unit_body("bob")};
  m.bodies[0].position = 0.2 * tilted + 0.5 * across;
  RevoluteSphericalJoint link;
  link.between = between("ground", "bob");
  link.points = {Vec3d{}, m.bodies[0].position};
  link.axis = tilted;
  m.joints = {{"link", link}};
  m.probes = {body_probe("bob", {Quantity::position, Quantity::velocity})};
  const Trajectory run = simulate(m);
  const auto& p = of(run, "body_bob", Quantity::position);
  const auto& v = of(run, "body_bob", Quantity::velocity);
  const Vec3d down = cross(tilted, across);
  for (std::size_t i = 0; i < run.times.size(); ++i) {
    const Vec3d at{p[3 * i], p[3 * i + 1], p[3 * i + 2]},
        speed{v[3 * i], v[3 * i + 1], v[3 * i + 2]};
    EXPECT_NEAR(dot(at, tilted), 0.2, 1e-10);
    EXPECT_NEAR(norm(at - 0.2 * tilted), 0.5, 1e-10);
    EXPECT_NEAR(dot(speed, speed) / 2, 9.81 * dot(at, down), 1e-4);
  }
  EXPECT_LT(run.statistics.energy.relative_mismatch, 5e-5);
}

// Sliding on a tilted plane with a spin about its normal: g in the plane, and the rate stays.
TEST(Planar, MovesInItsPlaneAlone) {
  Model m = timed(1, 0.01);
  m.gravity = {0.4, -1.3, -9.6};
  m.bodies = {unit_body("puck")};
  PlanarJoint plane;
  plane.between = between("ground", "puck");
  plane.point = Vec3d{};
  plane.axis = tilted;
  PlanarStart start;
  start.x = 0.3, start.y_rate = 2, start.angle = 9, start.rate = 5;
  plane.start = start;
  m.joints = {{"plane", plane}};
  m.probes = {joint_probe("plane", {Quantity::displacement, Quantity::angle, Quantity::force})};
  const Trajectory run = simulate(m);
  expect_motion(
      run, "joint_plane", Quantity::angle, [](double t) { return 9 + 5 * t; }, 1e-10);
  const auto& d = of(run, "joint_plane", Quantity::displacement);
  const auto& f = of(run, "joint_plane", Quantity::force);
  const double across_size = norm(m.gravity - dot(m.gravity, tilted) * tilted);
  const std::size_t last = 3 * (run.times.size() - 1);
  EXPECT_NEAR(std::hypot(d[last] - 0.3, d[last + 1] - 2), 0.5 * across_size, 1e-10);
  EXPECT_NEAR(d[last + 2], 0, 1e-12);
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(f[last + static_cast<std::size_t>(k)], -dot(m.gravity, tilted) * tilted[k], 1e-9);
}

}  // namespace
}  // namespace tumble
