// Angles, bushings and Euler angles through many turns, also where a step is longer than half a
// turn: against closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "test_machines.hpp"
#include "tumble/math/euler_angles.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {
namespace {

using namespace testing;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr double pi = std::numbers::pi;

/// A rotor on a hinge along `axis`.
Model rotor(double rate, double duration, double step, const Vec3d& axis = {0, 0, 1}) {
  Model m = timed(duration, step);
  m.bodies = {unit_body("rotor")};
  m.bodies[0].angular_velocity = (rate / norm(axis)) * axis;
  m.joints = {{"bearing", hinge("ground", "rotor", axis)}};
  m.probes = {joint_probe("bearing", {Quantity::angle})};
  return m;
}

TEST(Turns, AFreeRotorMayTurnBySeveralTurnsInAStep) {
  // 10, 3.2 and -25 rad a step; half a turn is 3.14.
  for (const double rate : {1000.0, 320.0, -2500.0}) {
    const Trajectory run = simulate(rotor(rate, 1, 0.01, {0.6, 0, 0.8}));
    for (std::size_t k = 0; k < run.times.size(); ++k)
      EXPECT_NEAR(run.series[0].values[k], rate * run.times[k], 1e-8 * std::abs(rate));
  }
}

// The angle of a driven joint is known: 0.3 + 700 t + 900 t² is up to 25 rad a step of 0.01 s.
TEST(Turns, ADrivenJointHasTheAngleOfItsDrive) {
  for (const bool with_freedom : {true, false}) {
    Model m = rotor(0, 1, 0.01);
    std::get<RevoluteJoint>(m.joints[0].kind).motion.drive[5] = "turn";
    m.drives = {{"turn", PolynomialDrive{{0.3, 700, 900}, 0}}};
    if (with_freedom) m.bodies.push_back(unit_body("free"));
    const Trajectory run = simulate(m);
    for (std::size_t k = 0; k < run.times.size(); ++k) {
      const double t = run.times[k];
      EXPECT_NEAR(run.series[0].values[k], 0.3 + 700 * t + 900 * t * t, 1e-6) << with_freedom;
    }
  }
}

// A sawtooth-like drive turns back and forth faster than steps could tell.
TEST(Turns, ADriveMayDoWhatNoRateTells) {
  Model m = rotor(0, 1, 0.05);
  std::get<RevoluteJoint>(m.joints[0].kind).motion.drive[5] = "shake";
  HarmonicDrive shake;
  shake.amplitude = 50;
  shake.frequency = 7.3;
  m.drives = {{"shake", shake}};
  m.bodies.push_back(unit_body("free"));
  const Trajectory run = simulate(m);
  for (std::size_t k = 0; k < run.times.size(); ++k)
    EXPECT_NEAR(run.series[0].values[k], 50 * std::sin(2 * pi * 7.3 * run.times[k]), 1e-9);
}

TEST(Turns, ATorsionSpringActsThroughManyTurnsAStep) {
  // 1 N m/rad and 1 kg m²: 300 rad of amplitude at 1 rad/s, up to 15 rad a step of 0.05 s.
  Model m = rotor(300, 20, 0.05);
  TorsionSpring spring;
  spring.between = between("ground", "rotor");
  spring.axis = Vec3d{0, 0, 1};
  spring.stiffness.slope = 1;
  m.forces = {{"spring", spring}};
  m.probes.push_back(energy_probe());
  m.simulation.spectral_radius = 0.95;
  const Trajectory run = simulate(m);
  // The phase error of the method is h²/12 a radian of phase: 300 20 2e-4 = 1.25 rad at most.
  for (std::size_t k = 0; k < run.times.size(); ++k) {
    EXPECT_NEAR(run.series[0].values[k], 300 * std::sin(run.times[k]), 1.5);
    EXPECT_NEAR(run.series[1].values[k], 45000, 100);
  }
}

/// A rotational bushing at the origin.
Bushing twist_bushing(double kx, double ky, double kz) {
  Bushing b;
  b.between = between("ground", "rotor");
  b.point = Vec3d{};
  b.stiffness = {0, 0, 0, kx, ky, kz};
  return b;
}

double largest(const std::vector<double>& x) {
  return *std::ranges::max_element(x, {}, [](double v) { return std::abs(v); });
}

// 12.5 J against 1 N m/rad wind a rotor up to 5 rad, beyond half a turn.
TEST(Turns, ABushingIsWoundUpBeyondHalfATurn) {
  Model m = rotor(5, 20, 1e-3);
  m.forces = {{"rubber", twist_bushing(0, 0, 1)}};
  m.probes.push_back(energy_probe());
  const Trajectory run = simulate(m);
  EXPECT_NEAR(std::abs(largest(run.series[0].values)), 5, 1e-4);
  for (std::size_t k = 0; k < run.times.size(); ++k) {
    EXPECT_NEAR(run.series[0].values[k], 5 * std::sin(run.times[k]), 1e-4);
    EXPECT_NEAR(run.series[1].values[k], 12.5, 1e-4);
  }
}

TEST(Turns, ABushingIsFollowedThroughSeveralTurnsOnAHinge) {
  // Amplitude 23 rad, more than three turns, about an axis that is none of the coordinates'.
  for (const double step : {1e-3, 0.02}) {
    Model m = rotor(23, 10, step, {2, -1, 2});
    m.forces = {{"rubber", twist_bushing(1, 1, 1)}};
    m.probes.push_back(energy_probe());
    const Trajectory run = simulate(m);
    for (std::size_t k = 0; k < run.times.size(); ++k) {
      EXPECT_NEAR(run.series[0].values[k], 23 * std::sin(run.times[k]), 30 * step * step * 10);
      EXPECT_NEAR(run.series[1].values[k], 264.5, 600 * step * step + 1e-6);
    }
  }
}

TEST(Turns, ABushingWithoutAHingeKeepsItsEnergyBeyondHalfATurn) {
  Model m = timed(10, 1e-3);
  m.bodies = {unit_body("rotor")};
  m.bodies[0].inertia = {1, 1.3, 0.9, 0, 0, 0};
  m.bodies[0].angular_velocity = {1, -3, 3.5};
  m.forces = {{"rubber", twist_bushing(1, 0.8, 1.2)}};
  m.probes = {energy_probe(), body_probe("rotor", {Quantity::angular_velocity})};
  const Trajectory run = simulate(m);
  const double start = run.series[0].values[0];
  EXPECT_GT(start, 0.5 * 0.8 * pi * pi);  // enough to pass half a turn about every axis
  for (const double energy : run.series[0].values) EXPECT_NEAR(energy, start, 1e-4 * start);
}

// A rotation vector has no direction at a whole turn: a body that passes close by one, about an
// axis that wanders, swings it by nearly two turns within a millisecond. Steps are halved until
// that can be followed, and where they may not be, the run ends with an error instead of a jump.
TEST(Turns, ABushingThatPassesAWholeTurnIsFollowedOrSaysSo) {
  Model m = timed(3, 1e-3);
  m.bodies = {unit_body("rotor")};
  m.bodies[0].inertia = {1, 1.3, 0.9, 0, 0, 0};
  m.bodies[0].angular_velocity = {0.02, 0.01, 12};
  m.forces = {{"rubber", twist_bushing(1, 0.8, 1.2)}};
  m.probes = {energy_probe()};
  const Trajectory run = simulate(m);
  EXPECT_GT(run.statistics.halvings, 0);
  // 0.3 % while the vector swings, which takes the shortest steps a few times their length.
  for (const double energy : run.series[0].values) EXPECT_NEAR(energy, 64.8, 0.4);
  m.simulation.max_halvings = 0;
  std::string told;
  try {
    simulate(m);
  } catch (const SimulationError& error) {
    told = error.what();
  }
  EXPECT_THAT(told, AllOf(HasSubstr("the rotation of bushing 'rubber' cannot be followed"),
                          HasSubstr("t = 0.5")));
}

// The same for a hinge: a torque that no rate tells.
TEST(Turns, AnAngleThatCannotBeFollowedSaysSo) {
  Model m = rotor(0, 1, 0.25);
  AppliedForce kick;
  kick.body = BodyRef{"rotor"};
  kick.torque = {0, 0, 1e6};
  kick.drive = DriveRef{"burst"};
  HarmonicDrive burst;
  burst.frequency = 3.1;
  m.drives = {{"burst", burst}};
  m.forces = {{"kick", kick}};
  m.simulation.max_halvings = 0;
  std::string told;
  try {
    simulate(m);
  } catch (const SimulationError& error) {
    told = error.what();
  }
  EXPECT_THAT(told, HasSubstr("the angle of joint 'bearing' cannot be followed"));
}

// Point-to-point springs that are written as bushings have no rotation to follow.
TEST(Turns, ABushingWithoutRotationalStiffnessLetsABodySpin) {
  Model m = timed(0.2, 0.01);
  m.bodies = {unit_body("rotor")};
  m.bodies[0].angular_velocity = {0, 0, 400};
  Bushing b = twist_bushing(0, 0, 0);
  b.stiffness[0] = b.stiffness[1] = b.stiffness[2] = 50;
  m.forces = {{"rubber", b}};
  m.probes = {body_probe("rotor", {Quantity::angular_velocity})};
  const Trajectory run = simulate(m);
  EXPECT_NEAR(run.series[0].values.back(), 400, 1e-9);
}

Mat3d rotation_of(const double* e) {
  return rotation_matrix({Orientation::Form::euler, "123", {e[0], e[1], e[2]}});
}

TEST(EulerAngles, GrowWithTheTurnsAboutEachAxis) {
  for (int axis = 0; axis < 3; ++axis)
    for (const double rate : {3.0, -40.0, 500.0}) {
      Model m = timed(1, 0.01);
      m.bodies = {unit_body("b")};
      m.bodies[0].angular_velocity[axis] = rate;
      m.probes = {body_probe("b", {Quantity::euler_123})};
      const Trajectory run = simulate(m);
      for (std::size_t k = 0; k < run.times.size(); ++k)
        for (int i = 0; i < 3; ++i)
          EXPECT_NEAR(run.series[0].values[3 * k + static_cast<std::size_t>(i)],
                      i == axis ? rate * run.times[k] : 0.0, 1e-7 * std::abs(rate))
              << axis << " " << rate;
    }
}

TEST(EulerAngles, StayContinuousAndTrueWhileABodyTumbles) {
  // About the middle axis, which turns over, and about the smallest one, which stays.
  for (const Vec3d& spin : {Vec3d{0.3, 4, -0.5}, Vec3d{4, 0.3, -0.5}}) {
    Model m = timed(8, 1e-3);
    m.bodies = {unit_body("b")};
    m.bodies[0].inertia = {1, 1.6, 2.2, 0, 0, 0};
    m.bodies[0].angular_velocity = spin;
    m.probes = {body_probe("b", {Quantity::euler_123, Quantity::orientation})};
    const Trajectory run = simulate(m);
    const auto &e = run.series[0].values, &q = run.series[1].values;
    double most = 0;
    for (std::size_t k = 0; k < run.times.size(); ++k) {
      const Mat3d from_angles = rotation_of(&e[3 * k]),
                  R = matrix(
                      Quaternion<double>{q[4 * k], q[4 * k + 1], q[4 * k + 2], q[4 * k + 3]});
      for (int i = 0; i < 9; ++i) ASSERT_NEAR(from_angles.m[i], R.m[i], 1e-12) << k;
      // No jump by half a turn: 4 rad/s for 1 ms, at most ten times that near gimbal lock.
      for (std::size_t i = 0; k > 0 && i < 3; ++i)
        EXPECT_LT(std::abs(e[3 * k + i] - e[3 * k + i - 3]), 1);
      most = std::max(most, std::abs(e[3 * k]));
    }
    EXPECT_GT(most, spin.x > 1 ? 30 : 2);  // through whole turns
  }
}

// Realisations begin on the branch of the nominal start, wherever that cuts the circle.
TEST(EulerAngles, OfRealizationsBeginWhereTheNominalOnesDo) {
  Model m = timed(0.1, 0.01);
  m.bodies = {unit_body("b")};
  m.bodies[0].orientation = {Orientation::Form::rotation_vector, "", {0, 0, 3.1}};
  m.probes = {body_probe("b", {Quantity::euler_123})};
  const Plan plan = make_plan(compile(m));
  Model turned = m;
  turned.bodies[0].orientation.numbers[2] = 3.2;  // past half a turn
  const Trajectory outcome = run(plan, turned);
  EXPECT_NEAR(outcome.series[0].values[2], 3.2, 1e-12);
}

TEST(EulerAngles, RatesAreTheirDerivatives) {
  const Vec3d angles{0.4, -0.9, 2.1}, rates{0.7, -1.1, 0.3};
  // ω in body axes from the difference of rotations along the rates.
  const double h = 1e-6;
  const Vec3d ahead = angles + h * rates, behind = angles - h * rates;
  const double a[3] = {ahead.x, ahead.y, ahead.z}, b[3] = {behind.x, behind.y, behind.z},
               here[3] = {angles.x, angles.y, angles.z};
  const Mat3d change = (0.5 / h) * (rotation_of(a) - rotation_of(b));
  const Mat3d spin = transpose_times(rotation_of(here), change);
  const Vec3d found = euler_123_rates(angles, Vec3d{spin(2, 1), spin(0, 2), spin(1, 0)});
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(found[k], rates[k], 1e-9);
}

}  // namespace
}  // namespace tumble
