// What probes report, against values worked out by hand.
#include "tumble/integrate/probe_recorder.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "tumble/integrate/run.hpp"
#include "tumble/math/euler_angles.hpp"
#include "tumble/model/compile.hpp"

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

/// The values of each quantity of the model's probes at the start, in a machine with the numbers of
/// `realised`.
std::vector<std::vector<double>> at_start(const Model& model, const Model& realised) {
  const auto system = compile(model);
  const std::vector<double> constants = prepare(*system, realised);
  Integrator integrator(make_plan(system), constants);
  integrator.start(initial_state(*system, realised), 0, 0.5 * *model.simulation.step);
  integrator.restart(*model.simulation.step);
  const std::vector<double> offsets = probe_offsets(*system, realised);
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

void expect_values(const Model& model, const Model& realised,
                   const std::vector<std::vector<double>>& expected) {
  const auto found = at_start(model, realised);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    SCOPED_TRACE(info(model.probes[0].quantities[i]).name);
    ASSERT_EQ(found[i].size(), expected[i].size());
    // Numbers of order 100 at most, after one linear solve.
    for (std::size_t k = 0; k < found[i].size(); ++k)
      EXPECT_NEAR(found[i][k], expected[i][k], 1e-12);
  }
}
void expect_values(const Model& model, const std::vector<std::vector<double>>& expected) {
  expect_values(model, model, expected);
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

// The reference point of a body is its nominal centre of mass. Where a realisation has it
// elsewhere, c, energy and momentum are still ½ m v² + ½ ω·J ω, m v and c × m v + J ω of its own
// centre.
TEST(BodyProbe, EnergyAndMomentumOfACentreOfMassElsewhere) {
  Model m = spinning();
  m.gravity = {0.5, -1, -10};
  m.probes = {probe(
      "p", {Quantity::kinetic_energy, Quantity::linear_momentum, Quantity::angular_momentum})};
  m.probes[0].body = BodyRef{"b"};
  Model realised = m;
  const Vec3d c{1.3, -0.2, 3.4}, v{1, -2, 0.5}, w{0.3, -0.4, 2};
  for (Model* each : {&m, &realised}) {
    each->bodies[0].velocity = v;
    each->bodies[0].angular_velocity = w;
  }
  realised.bodies[0].position = c;
  // Moments of 2, 3 and 4 about body axes that are turned by 90 degrees about z.
  const Vec3d spin{3 * w.x, 2 * w.y, 4 * w.z}, p = 2.0 * v, moment = cross(c, p) + spin;
  const double kinetic = dot(v, v) + 0.5 * dot(w, spin);
  expect_values(m, realised, {{kinetic}, {p.x, p.y, p.z}, {moment.x, moment.y, moment.z}});
  Model whole = m;
  whole.probes[0].body.reset();
  whole.probes[0].system = true;
  whole.probes[0].quantities = {Quantity::kinetic_energy, Quantity::potential_energy,
                                Quantity::angular_momentum};
  expect_values(whole, realised,
                {{kinetic}, {-2 * dot(m.gravity, c)}, {moment.x, moment.y, moment.z}});
}

// A free beam under a load that is the same everywhere, f per length, moves without any strain:
// r̈ = f/(ρ A). Three beams of different sizes, so that each has its own place among coordinates.
TEST(BeamProbe, AccelerationsAreThoseOfTheBeamItself) {
  Model m = base();
  for (const int elements : {1, 3, 2}) {
    Beam beam;
    beam.name = "beam" + std::to_string(elements);
    beam.elements = elements;
    beam.section.rectangle = RectangleSection{0.02, 0.01};
    beam.youngs_modulus = 1e6;
    beam.density = 1000;
    const double y = elements;
    beam.line = std::array<Vec3d, 2>{Vec3d{0, y, 0}, Vec3d{0.5, y, 0}};
    if (elements == 2) beam.dimension = BeamDimension::planar;
    m.beams.push_back(beam);
  }
  const std::vector<Vec3d> load{{0.2, 0.4, -0.6}, {-1, 2, 3}, {5, -7, 0}};
  std::vector<std::vector<double>> expected;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string& name = m.beams[i].name;
    m.forces.push_back({"load" + name, LineLoad{{name}, load[i], {}, {}}});
    m.probes.push_back(probe(name, {Quantity::acceleration}));
    m.probes[i].beam = BeamRef{name};
    m.probes[i].at = ArcFraction{0.8};
    const Vec3d a = (1 / (1000 * 0.02 * 0.01)) * load[i];
    expected.push_back({a.x, a.y, a.z});
  }
  const auto found = at_start(m, m);
  ASSERT_EQ(found.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(found[i][k], expected[i][k], 1e-9) << m.beams[i].name;
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

// A frame that turns at 2 rad/s sees a body that goes straight at 0.5 m/s: in its axes the body is
// at (1 + 0.5 t) (cos 2t, -sin 2t), and moves by the derivative.
TEST(ForceProbe, DisplacementsAreSeenFromTheFirstBody) {
  Model m = base();
  m.bodies = {body("turntable", 1, {}), body("walker", 1, {1, 0, 0})};
  m.bodies[0].inertia = {1, 1, 1, 0, 0, 0};
  m.bodies[0].angular_velocity = {0, 0, 2};
  m.bodies[1].velocity = {0.5, 0, 0};
  Bushing slack;
  slack.between = {MarkerRef{"turntable"}, MarkerRef{"walker"}};
  slack.point = Vec3d{1, 0, 0};
  slack.stiffness = {0, 0, 0, 0, 0, 0};
  m.forces = {{"slack", slack}};
  m.probes = {probe("p", {Quantity::displacement, Quantity::displacement_rate})};
  m.probes[0].force = ForceRef{"slack"};
  const Trajectory run = simulate(m);
  ASSERT_EQ(run.times.size(), 101u);
  for (std::size_t k = 0; k < run.times.size(); ++k) {
    const double t = run.times[k], r = 1 + 0.5 * t, c = std::cos(2 * t), s = std::sin(2 * t);
    const Vec3d place{r * c - 1, -r * s, 0}, rate{0.5 * c - 2 * r * s, -0.5 * s - 2 * r * c, 0};
    EXPECT_LT(norm(load3(&run.series[0].values[3 * k]) - place), 1e-9) << t;
    EXPECT_LT(norm(load3(&run.series[1].values[3 * k]) - rate), 1e-9) << t;
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
