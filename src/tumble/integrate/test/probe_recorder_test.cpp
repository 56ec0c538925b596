// What probes report, against values worked out by hand.
#include "tumble/integrate/probe_recorder.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "tumble/integrate/run.hpp"
#include "tumble/math/euler_angles.hpp"

namespace tumble {
namespace {

constexpr double pi = std::numbers::pi;

TEST(Euler123, IsR1R2R3) {
  for (const double a : {-2.9, -0.4, 0.0, 1.3, 3.1})
    for (const double b : {-1.5, -0.7, 0.0, 0.2, 1.55})
      for (const double c : {-3.0, -1.1, 0.0, 0.8, 2.7}) {
        const Vec3d found =
            euler_123(rotation_matrix({Orientation::Form::euler, "123", {a, b, c}}));
        // Close to b = π/2 the outer angles lose 1/cos b of their digits: 50 at b = 1.55.
        EXPECT_NEAR(found.x, a, 4e-14);
        EXPECT_NEAR(found.y, b, 4e-14);
        EXPECT_NEAR(found.z, c, 4e-14);
      }
}

TEST(Euler123, AnglesNearAndAtGimbalLockStillMakeTheRotation) {
  // There only the sum or difference of the outer angles is defined; together they must be right.
  for (const double gap : {1e-3, 1e-6, 1e-9, 1e-15, 0.0})
    for (const double sign : {-1.0, 1.0})
      for (const double a : {0.3, -2.0}) {
        // By the quaternion, as bodies have it: its matrix is off by rounding in every entry.
        const Mat3d R = matrix(exp_quaternion(Vec3d{a, 0, 0}) *
                               exp_quaternion(Vec3d{0, sign * (pi / 2 - gap), 0}) *
                               exp_quaternion(Vec3d{0, 0, 1.2}));
        const Vec3d e = euler_123(R);
        const Mat3d back = rotation_matrix({Orientation::Form::euler, "123", {e.x, e.y, e.z}});
        for (int i = 0; i < 9; ++i) EXPECT_NEAR(back.m[i], R.m[i], 2e-15) << gap;
      }
}

Body body(const std::string& name, double mass, const Vec3d& position) {
  Body b;
  b.name = name;
  b.mass = mass;
  b.position = position;
  b.inertia = {2, 3, 4, 0, 0, 0};
  return b;
}

Probe probe(const std::string& name, std::vector<Quantity> quantities) {
  Probe p;
  p.name = name;
  p.quantities = std::move(quantities);
  return p;
}

/// The values of each quantity of the model's only probe at the start.
std::vector<std::vector<double>> at_start(const Model& model) {
  const auto system = compile(model);
  const std::vector<double> constants = prepare(*system, model);
  Integrator integrator(make_plan(system), constants);
  integrator.start(initial_state(*system, model), 0, 0.5 * *model.simulation.step);
  integrator.restart(*model.simulation.step);
  const std::vector<double> offsets = probe_offsets(*system, model);
  const ProbeRecorder recorder(*system, offsets.data(), constants.data());
  std::vector<double> measured(static_cast<std::size_t>(recorder.size()));
  recorder.measure(integrator, measured.data());
  std::vector<std::vector<double>> values;
  const double* next = measured.data();
  for (const auto& s : make_series(model)) {
    values.emplace_back(next, next + s.size);
    next += s.size;
  }
  return values;
}

void expect_values(const Model& model, const std::vector<std::vector<double>>& expected) {
  const auto found = at_start(model);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    SCOPED_TRACE(info(model.probes[0].quantities[i]).name);
    ASSERT_EQ(found[i].size(), expected[i].size());
    // Numbers of order 100 at most, after one linear solve.
    for (std::size_t k = 0; k < found[i].size(); ++k)
      EXPECT_NEAR(found[i][k], expected[i][k], 1e-12);
  }
}

Model base() {
  Model m;
  m.simulation.duration = 1;
  m.simulation.step = 0.01;
  return m;
}

/// A body that has been turned by 90 degrees about z and spins about that axis at 2 rad/s.
Model spinning() {
  Model m = base();
  m.gravity = {0, 0, -10};
  m.bodies = {body("b", 2, {1, 0, 3})};
  m.bodies[0].orientation = {Orientation::Form::rotation_vector, "", {0, 0, pi / 2}};
  m.bodies[0].velocity = {1, 0, 0};
  m.bodies[0].angular_velocity = {0, 0, 2};
  return m;
}

TEST(BodyProbe, APointAwayFromTheCentre) {
  Model m = spinning();
  m.probes = {probe("p", {Quantity::position, Quantity::velocity, Quantity::acceleration})};
  m.probes[0].body = BodyRef{"b"};
  m.probes[0].point = Vec3d{1, 0.5, 3};  // 0.5 m along ground y
  expect_values(m, {{1, 0.5, 3}, {1 - 2 * 0.5, 0, 0}, {0, -4 * 0.5, -10}});
}

TEST(BodyProbe, OrientationInEveryForm) {
  Model m = spinning();
  m.bodies[0].angular_velocity = {0, 2, 0};  // about the body's x axis, which is ground y
  m.probes = {probe("p", {Quantity::orientation, Quantity::rotation_vector, Quantity::euler_123,
                          Quantity::angular_velocity, Quantity::angular_velocity_body})};
  m.probes[0].body = BodyRef{"b"};
  const double half = std::sqrt(0.5);
  expect_values(m, {{half, 0, 0, half}, {0, 0, pi / 2}, {0, 0, pi / 2}, {0, 2, 0}, {2, 0, 0}});
}

TEST(BodyProbe, AngularAccelerationOfATumblingBody) {
  // Body axes: ω = (2, 3, 5), J = (2, 3, 4): J ω̇ = -ω × J ω = (-15, 20, -6).
  Model m = spinning();
  m.bodies[0].angular_velocity = {-3, 2, 5};
  m.probes = {probe("p", {Quantity::angular_velocity_body, Quantity::angular_acceleration_body,
                          Quantity::angular_acceleration})};
  m.probes[0].body = BodyRef{"b"};
  expect_values(m, {{2, 3, 5}, {-7.5, 20.0 / 3, -1.5}, {-20.0 / 3, -7.5, -1.5}});
}

TEST(BodyProbe, EnergyAndMomentum) {
  Model m = spinning();
  m.probes = {probe(
      "p", {Quantity::kinetic_energy, Quantity::linear_momentum, Quantity::angular_momentum})};
  m.probes[0].body = BodyRef{"b"};
  // ½ 2 1² + ½ 4 2²; (1, 0, 3) × (2, 0, 0) = (0, 6, 0), and the spin's 8.
  expect_values(m, {{9}, {2, 0, 0}, {0, 6, 8}});
}

TEST(SystemProbe, SumsOverTheBodies) {
  Model m = spinning();
  m.bodies.push_back(body("c", 3, {0, 0, 1}));
  m.bodies[1].velocity = {0, 2, 0};
  m.probes = {
      probe("p", {Quantity::kinetic_energy, Quantity::potential_energy, Quantity::total_energy,
                  Quantity::linear_momentum, Quantity::angular_momentum})};
  m.probes[0].system = true;
  expect_values(m, {{15}, {90}, {105}, {2, 6, 0}, {-6, 6, 8}});
}

TEST(JointProbe, ReactionOfABeamHeldAtItsEnd) {
  // 2 kg, 3 m from the clamp: it carries 20 N and, against (3, 0, 0) × (0, 0, -20), 60 N m.
  Model m = base();
  m.gravity = {0, 0, -10};
  m.bodies = {body("beam", 2, {3, 0, 0})};
  FixedJoint clamp;
  clamp.between = {MarkerRef{"ground"}, MarkerRef{"beam"}};
  clamp.point = Vec3d{};
  m.joints = {{"clamp", clamp}};
  m.probes = {probe("p", {Quantity::force, Quantity::torque, Quantity::displacement})};
  m.probes[0].joint = JointRef{"clamp"};
  expect_values(m, {{0, 0, 20}, {0, -60, 0}, {0, 0, 0}});
  // The other way round the second body is the ground, which feels the opposite.
  clamp.between = {MarkerRef{"beam"}, MarkerRef{"ground"}};
  m.joints = {{"clamp", clamp}};
  expect_values(m, {{0, 0, -20}, {0, 60, 0}, {0, 0, 0}});
}

TEST(JointProbe, AngleIsCountedThroughFullTurns) {
  Model m = base();
  m.bodies = {body("rotor", 1, {})};
  RevoluteJoint bearing;
  bearing.between = {MarkerRef{"ground"}, MarkerRef{"rotor"}};
  bearing.point = Vec3d{};
  bearing.axis = Vec3d{0, 0, 1};
  bearing.motion.drive[5] = "turn";
  m.joints = {{"bearing", bearing}};
  m.drives = {{"turn", PolynomialDrive{{0, -20}, 0}}};
  m.probes = {probe("p", {Quantity::angle, Quantity::angle_rate})};
  m.probes[0].joint = JointRef{"bearing"};
  const Trajectory run = simulate(m);
  ASSERT_EQ(run.times.size(), 101u);
  // More than three turns back, at every output. The imposed angle holds to the rounding of
  // Newton's last iteration.
  for (std::size_t k = 0; k < run.times.size(); ++k) {
    EXPECT_NEAR(run.series[0].values[k], -20 * run.times[k], 1e-9);
    EXPECT_NEAR(run.series[1].values[k], -20, 1e-9);
  }
}

TEST(ForceProbe, SpringAndItsEnd) {
  Model m = base();
  m.bodies = {body("b", 2, {})};
  m.bodies[0].velocity = {0.5, 0, 0};
  Spring spring;
  spring.between = {MarkerRef{"ground"}, MarkerRef{"b"}};
  spring.points = {Vec3d{-1, 0, 0}, Vec3d{}};
  spring.length = 0.9;
  spring.stiffness.slope = 200;
  spring.damping.slope = 4;
  m.forces = {{"spring", spring}};
  m.probes = {probe("p", {Quantity::length, Quantity::length_rate, Quantity::tension,
                          Quantity::force, Quantity::torque})};
  m.probes[0].force = ForceRef{"spring"};
  expect_values(m, {{1}, {0.5}, {22}, {-22, 0, 0}, {0, 0, 0}});
}

}  // namespace
}  // namespace tumble
