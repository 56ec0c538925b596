// Stops and dry friction of joints, and imposed velocities, against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "test_machines.hpp"

namespace tumble {
namespace {

using namespace testing;

constexpr double pi = std::numbers::pi;
const Vec3d tilted{2.0 / 7, 3.0 / 7, 6.0 / 7};

/// A door of 3 kg m² about its hinge, which turns at 2 rad/s towards its stop at 0.5 rad.
Model door(double damping, double width) {
  Model m = timed(1, 1e-4);
  m.simulation.output_step = 0.001;
  m.bodies = {unit_body("door")};
  m.bodies[0].inertia = {3, 3, 3, 0, 0, 0};
  m.bodies[0].angular_velocity = 2.0 * tilted;
  m.joints = {{"hinge", hinge("ground", "door", tilted)}};
  m.forces = {{"stop", JointLimit{{"hinge"}, -2, 0.5, 5000, damping, width}}};
  m.probes = {joint_probe("hinge", {Quantity::angle, Quantity::angle_rate}),
              force_probe("stop", {Quantity::moment}), energy_probe()};
  return m;
}

// Half a period of the oscillator of door and stop, then back at the speed it came.
TEST(JointLimit, ADoorBouncesOffItsStop) {
  const Trajectory run = simulate(door(0, 0));
  const double omega = std::sqrt(5000.0 / 3), touch = 0.25, leave = touch + pi / omega;
  const auto& angle = values(run, Quantity::angle);
  const auto& moment = values(run, Quantity::moment);
  double deepest = 0;
  for (std::size_t k = 0; k < run.times.size(); ++k) {
    const double t = run.times[k];
    const double expected = t < touch   ? 2 * t
                            : t < leave ? 0.5 + 2 / omega * std::sin(omega * (t - touch))
                                        : 0.5 - 2 * (t - leave);
    EXPECT_NEAR(angle[k], expected, 1e-5) << t;  // the corner is met within a step
    EXPECT_NEAR(moment[k], -5000 * std::max(0.0, angle[k] - 0.5), 1e-9);
    deepest = std::max(deepest, angle[k] - 0.5);
  }
  EXPECT_NEAR(deepest, 2 / omega, 1e-5);
  EXPECT_NEAR(values(run, Quantity::angle_rate).back(), -2, 1e-4);
  EXPECT_NEAR(values(run, Quantity::total_energy).back(), 6, 1e-3);
}

TEST(JointLimit, ADampedStopTakesEnergyAndNeverPulls) {
  const Trajectory run = simulate(door(60, 0.01));
  for (const double moment : values(run, Quantity::moment)) EXPECT_LE(moment, 0);
  const double rate = values(run, Quantity::angle_rate).back();
  EXPECT_LT(rate, -0.5);
  EXPECT_GT(rate, -1.6);
  const auto& energy = run.statistics.energy;
  EXPECT_NEAR(energy.dissipated, 6 - 1.5 * rate * rate, 1e-3);
  EXPECT_LT(energy.relative_mismatch, 1e-4);
}

// With a width the force has no corner, and errors fall with the square of the step.
TEST(JointLimit, IsOfSecondOrderWithAWidthSlow) {
  const auto last = [](double step) {
    Model m = door(20, 0.1);
    m.simulation.step = step;
    m.simulation.duration = 0.5;
    m.simulation.output_step = 0.5;
    return values(simulate(m), Quantity::angle).back();
  };
  // Where in a step the stop is met makes the factor of the error waver; a quarter of the step has
  // a sixteenth of it all the same.
  const double fine = last(2e-5), coarse = last(8e-4) - fine, quarter = last(2e-4) - fine;
  EXPECT_GT(std::fabs(coarse / quarter), 11);
  EXPECT_LT(std::fabs(coarse), 1e-4);
}

/// A block of 2 kg on a guide down a plane of 0.6 rad, at 1 m/s.
Model block(double mu, double step) {
  Model m = timed(1, step);
  m.simulation.output_step = 0.1;
  m.gravity = {0, 0, -9.81};
  m.bodies = {unit_body("block")};
  m.bodies[0].mass = 2;
  const Vec3d down{std::cos(0.6) * 0.8, std::cos(0.6) * 0.6, -std::sin(0.6)};
  m.bodies[0].velocity = StartVelocity(down);
  PrismaticJoint guide;
  guide.between = between("ground", "block");
  guide.point = Vec3d{};
  guide.axis = down;
  m.joints = {{"guide", guide}};
  m.forces = {{"rubbing", JointFriction{{"guide"}, mu, {}, 0, 1e-3, 1, 0, 0}}};
  m.probes = {joint_probe("guide", {Quantity::displacement, Quantity::displacement_rate}),
              force_probe("rubbing", {Quantity::axial_force})};
  return m;
}

// a = g (sin - μ cos): the normal force is what the guide itself carries, from the first instant
// on.
TEST(JointFriction, ABlockSlidesDownAnInclinedPlane) {
  const Trajectory run = simulate(block(0.35, 0.01));
  const double a = 9.81 * (std::sin(0.6) - 0.35 * std::cos(0.6));
  const auto& slid = values(run, Quantity::displacement);
  const auto& force = values(run, Quantity::axial_force);
  for (std::size_t k = 0; k < run.times.size(); ++k) {
    const double t = run.times[k];
    EXPECT_NEAR(slid[3 * k + 2], t + a * t * t / 2, 1e-9);
    EXPECT_NEAR(force[k], -0.35 * 2 * 9.81 * std::cos(0.6), 1e-9);
  }
  EXPECT_LT(run.statistics.energy.relative_mismatch, 1e-6);
}

// Steeper friction than the plane: it stops after v/|a| and v²/2|a|, and then creeps at the rate at
// which tanh holds the weight.
TEST(JointFriction, ABlockStopsWhereFrictionIsLargerSlow) {
  const Trajectory run = simulate(block(1.1, 1e-4));
  const double a = 9.81 * (1.1 * std::cos(0.6) - std::sin(0.6));
  const double creep = 1e-3 * std::atanh(std::tan(0.6) / 1.1);
  const auto& slid = values(run, Quantity::displacement);
  const auto& rate = values(run, Quantity::displacement_rate);
  const double stop = 1 / a;
  EXPECT_LT(stop, 0.5);
  EXPECT_NEAR(rate.back(), creep, 1e-8);
  EXPECT_NEAR(slid.back(), 1 / (2 * a) + creep * (1 - stop), 2e-5);  // 1e-3 m/s on the way to creep
}

// A disc on a vertical shaft with a torsion spring: the bearing carries its weight, friction has
// the moment M = μ r m g, and each half period takes 2M/k off the swing.
TEST(JointFriction, SwingsOfADiscFallByEqualStepsSlow) {
  Model m = timed(4.2, 2e-4);
  m.simulation.output_step = 0.001;
  m.gravity = {0, 0, -10};
  m.bodies = {unit_body("disc")};
  RevoluteJoint shaft = hinge("ground", "disc", {0, 0, 1});
  shaft.start = AngleStart{1.0, {}};
  m.joints = {{"shaft", shaft}};
  TorsionSpring spring;
  spring.between = between("ground", "disc");
  spring.axis = Vec3d{0, 0, 1};
  spring.stiffness = {Characteristic::Form::linear, 9, {}, {}};
  m.forces = {{"spring", spring},
              {"bearing", JointFriction{{"shaft"}, 0.18, {}, 0, 1e-4, 0.25, 0, 0}}};
  m.probes = {joint_probe("shaft", {Quantity::angle})};
  const Trajectory run = simulate(m);
  const auto& angle = values(run, Quantity::angle);
  const double moment = 0.18 * 0.25 * 10, half = pi / 3;
  for (int n = 0; n <= 4; ++n) {
    const double expected = (n % 2 == 0 ? 1 : -1) * (1 - 2 * n * moment / 9);
    // A turning point is met to 1e-6 within half an output step; what tanh leaves out near it is
    // of the order of the transition rate.
    const auto k = static_cast<std::size_t>(std::lround(n * half / 0.001));
    EXPECT_NEAR(angle[k], expected, 2e-5) << n;
  }
  EXPECT_LT(run.statistics.energy.relative_mismatch, 1e-4);
}

// N depends on the swing: a pendulum whose hinge rubs by its own reaction. Against a fine
// integration of I θ̈ = -m g l sin θ - μ r N tanh(θ̇/v), N² = (m l θ̈ + m g sin θ)² + (m l θ̇² + m g
// cos θ)².
TEST(JointFriction, APendulumRubsByItsReactionSlow) {
  const double mass = 1.7, length = 0.6, mu = 0.4, radius = 0.1, g = 9.81, rate = 0.05;
  const double inertia = 0.05 + mass * length * length;
  const auto acceleration = [&](double theta, double omega) {
    double alpha = 0;
    for (int i = 0; i < 25; ++i) {
      const double across = mass * (length * alpha + g * std::sin(theta));
      const double along = mass * (length * omega * omega + g * std::cos(theta));
      alpha = (-mass * g * length * std::sin(theta) -
               mu * radius * std::hypot(across, along) * std::tanh(omega / rate)) /
              inertia;
    }
    return alpha;
  };
  double theta = 1.2, omega = 0;
  const int steps = 20'000;
  const double h = 2.0 / steps;
  for (int i = 0; i < steps; ++i) {  // Runge-Kutta of fourth order
    const double k1 = acceleration(theta, omega), v2 = omega + h / 2 * k1;
    const double k2 = acceleration(theta + h / 2 * omega, v2), v3 = omega + h / 2 * k2;
    const double k3 = acceleration(theta + h / 2 * v2, v3), v4 = omega + h * k3;
    const double k4 = acceleration(theta + h * v3, v4);
    theta += h / 6 * (omega + 2 * v2 + 2 * v3 + v4);
    omega += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  const auto run = [&](double step) {
    Model m = timed(2, step);
    m.simulation.output_step = 2;
    m.gravity = {0, -g, 0};
    m.bodies = {unit_body("bob")};
    m.bodies[0].mass = mass;
    m.bodies[0].inertia = {0.05, 0.05, 0.05, 0, 0, 0};
    m.bodies[0].position = {0, -length, 0};
    RevoluteJoint pivot = hinge("ground", "bob", {0, 0, 1});
    pivot.start = AngleStart{1.2, {}};
    m.joints = {{"pivot", pivot}};
    m.forces = {{"rubbing", JointFriction{{"pivot"}, mu, {}, 0, rate, radius, 0, 0}}};
    m.probes = {joint_probe("pivot", {Quantity::angle})};
    return simulate(m);
  };
  const Trajectory fine = run(2.5e-4);
  EXPECT_NEAR(values(fine, Quantity::angle).back(), theta, 1e-6);
  const double coarse = values(run(4e-3), Quantity::angle).back() - theta,
               half = values(run(2e-3), Quantity::angle).back() - theta;
  EXPECT_NEAR(coarse / half, 4, 0.8);  // second order: N is that of the step itself
  EXPECT_LT(
      static_cast<double>(fine.statistics.iterations) / static_cast<double>(fine.statistics.steps),
      4);
}

// An imposed speed and an imposed acceleration: exact at any step.
TEST(ImposedRate, IsAnIntegralOfADrive) {
  Model m = timed(2, 0.01);
  m.bodies = {unit_body("rotor"), unit_body("free")};
  RevoluteJoint joint = hinge("ground", "rotor", tilted);
  joint.motion.drive[5] = "angle";
  m.joints = {{"motor", joint}};
  m.drives = {{"speed", PiecewiseLinearDrive{{0.5, 1.5}, {3, 40}}},
              {"ripple", HarmonicDrive{2, 5, 0.4, 0, 0.2}},
              {"both", SumDrive{{{"speed"}, {"ripple"}}}},
              {"angle", IntegralDrive{{"both"}, 0.7}}};
  m.probes = {joint_probe("motor", {Quantity::angle, Quantity::angle_rate})};
  const Trajectory run = simulate(m);
  const double w = 10 * pi;
  const auto ripple = [&](double t) {
    if (t < 0.2) return 2 * std::sin(0.4) * t;
    return 2 * std::sin(0.4) * 0.2 + 2 / w * (std::cos(0.4) - std::cos(w * (t - 0.2) + 0.4));
  };
  const auto speed = [](double t) {
    if (t < 0.5) return 3 * t;
    const double d = std::min(t, 1.5) - 0.5;
    return 1.5 + 3 * d + 18.5 * d * d + 40 * std::max(0.0, t - 1.5);
  };
  const auto& angle = values(run, Quantity::angle);
  const auto& rate = values(run, Quantity::angle_rate);
  for (std::size_t k = 0; k < run.times.size(); ++k)
    EXPECT_NEAR(angle[k], 0.7 + speed(run.times[k]) + ripple(run.times[k]), 1e-11);
  EXPECT_NEAR(rate.back(), 40 + 2 * std::sin(w * 1.8 + 0.4), 1e-11);
}

TEST(ImposedRate, OfAnAccelerationIsAnIntegralOfAnIntegral) {
  Model m = timed(2, 0.02);
  m.gravity = {1, 2, 3};
  m.bodies = {unit_body("cart"), unit_body("free")};
  PrismaticJoint guide;
  guide.between = between("ground", "cart");
  guide.point = Vec3d{};
  guide.axis = tilted;
  guide.motion.drive[2] = "place";
  m.joints = {{"guide", guide}};
  m.drives = {{"push", SmoothStepDrive{0.4, 1.4, 0, 6}},
              {"more", PolynomialDrive{{1, 0, 3}, 0.5}},
              {"acceleration", SumDrive{{{"push"}, {"more"}}}},
              {"velocity", IntegralDrive{{"acceleration"}, -0.5}},
              {"place", IntegralDrive{{"velocity"}, 0.25}}};
  m.probes = {joint_probe("guide", {Quantity::displacement, Quantity::displacement_rate}),
              body_probe("cart", {Quantity::acceleration})};
  const Trajectory run = simulate(m);
  // After the step: ∫ s³(10 - 15 s + 6 s²) = 1/2, and the double integral over it is 1/7.
  const auto more = [](double t) {
    return t * t / 2 + std::pow(t - 0.5, 4) / 4 - 0.015625 + 0.125 * t;
  };
  const double t = 2, rest = t - 1.4;
  const double push = 6 * (1.0 / 7 + 0.5 * rest + rest * rest / 2);
  const auto& d = values(run, Quantity::displacement);
  EXPECT_NEAR(d[d.size() - 1], 0.25 - 0.5 * t + push + more(t), 1e-11);
  const auto& v = values(run, Quantity::displacement_rate);
  EXPECT_NEAR(v[v.size() - 1], -0.5 + 6 * (0.5 + rest) + t + std::pow(1.5, 3) + 0.125, 1e-11);
}

}  // namespace
}  // namespace tumble
