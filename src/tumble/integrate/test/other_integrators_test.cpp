// Every integrator against motions with closed forms: orders, constraints, and what happens at
// breaks and where steps change.
#include <gtest/gtest.h>

#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <cmath>
#include <numbers>

#include "test_machines.hpp"
#include "tumble/integrate/accuracy/time_error.hpp"
#include "tumble/model/compile.hpp"

namespace tumble::testing {
namespace {

using Method = IntegrationMethod;
constexpr Method all_methods[] = {Method::generalized_alpha, Method::baumgarte, Method::multistep,
                                  Method::radau};

/// With that many times the steps, errors of radau are some 1e-7, far above rounding.
double times_longer(Method method) { return method == Method::radau ? 6.25 : 1; }

const char* name(Method method) {
  return integration_method_names[static_cast<std::size_t>(method)].data();
}

constexpr double gravity = 9.81, mass = 2, arm = 0.7, about_y = 0.04;

/// Released at rest `angle` from hanging down, on a hinge about y.
Model pendulum(Method method, double angle, double step) {
  Model m;
  m.gravity = {0, 0, -gravity};
  m.bodies.push_back(lopsided_body("bob", {arm * std::sin(angle), 0, -arm * std::cos(angle)}));
  m.bodies[0].inertia = {0.03, about_y, 0.05, 0, 0, 0};
  m.joints.push_back({"pin", hinge("ground", "bob", {0, 1, 0})});
  m.probes.push_back(
      body_probe("bob", {Quantity::position, Quantity::velocity, Quantity::angular_acceleration}));
  m.probes.push_back(joint_probe("pin", {Quantity::force}));
  m.simulation.duration = 1;
  m.simulation.step = step;
  m.simulation.output_step = 0.1;
  m.simulation.integrator = method;
  m.simulation.newton_tolerance = 1e-12;
  // Whatever the step: orders are those of one equation.
  if (method == Method::baumgarte) m.simulation.baumgarte_alpha = m.simulation.baumgarte_beta = 25;
  return m;
}

/// sin(θ/2) = k cd(ω t, k), k = sin(θ₀/2) (Landau & Lifshitz, Mechanics, 11).
struct PendulumAt {
  double angle, rate, acceleration;
  PendulumAt(double start, double t) {
    const double w2 = mass * gravity * arm / (about_y + mass * arm * arm), w = std::sqrt(w2);
    const double k = std::sin(0.5 * start);
    double cn = 0, dn = 0;
    boost::math::jacobi_elliptic(k, w * t, &cn, &dn);
    angle = 2 * std::asin(k * cn / dn);
    // ½ θ̇² = ω² (cos θ - cos θ₀), falling in the first half of the period.
    const double size = std::sqrt(std::max(0.0, 2 * w2 * (std::cos(angle) - std::cos(start))));
    rate = boost::math::jacobi_sn(k, w * t) >= 0 ? -size : size;
    acceleration = -w2 * std::sin(angle);
  }
};

struct Errors {
  double position = 0, velocity = 0, acceleration = 0, force = 0;
};

Errors pendulum_errors(Method method, double step) {
  constexpr double start = 2.2;
  const Trajectory t = simulate(pendulum(method, start, step));
  Errors e;
  for (std::size_t i = 1; i < t.times.size(); ++i) {
    const PendulumAt p(start, t.times[i]);
    const double s = std::sin(p.angle), c = std::cos(p.angle);
    const auto larger = [](double& largest, double error) {
      largest = std::max(largest, std::fabs(error));
    };
    larger(e.position, values(t, Quantity::position)[3 * i] - arm * s);
    larger(e.velocity, values(t, Quantity::velocity)[3 * i + 2] - arm * s * p.rate);
    // About y a positive rate lowers +x: θ turns the other way.
    larger(e.acceleration, values(t, Quantity::angular_acceleration)[3 * i + 1] + p.acceleration);
    // The pin carries the weight and what turns the centre of mass.
    const double x = arm * (c * p.acceleration - s * p.rate * p.rate);
    larger(e.force, values(t, Quantity::force)[3 * i] - mass * x);
  }
  return e;
}

TEST(Integrators, PendulumIsOfTheirOrderAgainstEllipticFunctions) {
  for (const Method method : all_methods) {
    const double h = 2e-3 * times_longer(method);  // a part of the time between outputs
    const Errors coarse = pendulum_errors(method, 2 * h), fine = pendulum_errors(method, h);
    std::printf("%s: %.2e m, %.2e m/s, %.2e rad/s^2, %.2e N\n", name(method), fine.position,
                fine.velocity, fine.acceleration, fine.force);
    for (const auto error :
         {&Errors::position, &Errors::velocity, &Errors::acceleration, &Errors::force}) {
      EXPECT_NEAR(std::log2(coarse.*error / fine.*error), order_of(method), 0.15) << name(method);
    }
    EXPECT_LT(fine.position, 2e-4) << name(method);
    EXPECT_LT(fine.force, 1e-3 * mass * gravity) << name(method);
  }
}

/// A symmetric top on its tip in steady precession at the rate Ω about z, leaning by θ:
/// (I₃ ω₃ - I₁ Ω cos θ) Ω = m g l, with I₁ about the tip.
Model top(Method method, double step) {
  constexpr double lean = 0.6, precession = 5, distance = 0.4, I1 = 0.05, I3 = 0.05;
  const double at_tip = I1 + mass * distance * distance;
  const double spin =
      (mass * gravity * distance / precession + at_tip * precession * std::cos(lean)) / I3;
  Model m;
  m.gravity = {0, 0, -gravity};
  Body body = lopsided_body("top", {distance * std::sin(lean), 0, distance * std::cos(lean)});
  body.inertia = {I1, I1, I3, 0, 0, 0};
  body.orientation.numbers = {std::cos(0.5 * lean), 0, std::sin(0.5 * lean), 0};
  // ω = Ω z + (ω₃ - Ω cos θ) n along the axis n.
  const Vec3d axis{std::sin(lean), 0, std::cos(lean)};
  body.angular_velocity = (spin - precession * std::cos(lean)) * axis + Vec3d{0, 0, precession};
  body.velocity = cross(Vec3d(body.angular_velocity), distance * axis);
  m.bodies = {body};
  SphericalJoint tip;
  tip.between = between("ground", "top");
  tip.point = Vec3d{};
  m.joints.push_back({"tip", tip});
  m.probes.push_back(body_probe("top", {Quantity::position, Quantity::acceleration}));
  m.simulation.duration = 1;
  m.simulation.step = step;
  m.simulation.output_step = 0.25;
  m.simulation.integrator = method;
  m.simulation.newton_tolerance = 1e-12;
  m.simulation.max_iterations = 30;
  return m;
}

Errors top_errors(Method method, double step) {
  constexpr double lean = 0.6, precession = 5, distance = 0.4;
  const Trajectory t = simulate(top(method, step));
  Errors e;
  const double r = distance * std::sin(lean);
  for (std::size_t i = 1; i < t.times.size(); ++i) {
    const double turned = precession * t.times[i];
    e.position = std::max(e.position,
                          std::fabs(values(t, Quantity::position)[3 * i] - r * std::cos(turned)));
    e.acceleration =
        std::max(e.acceleration, std::fabs(values(t, Quantity::acceleration)[3 * i + 1] +
                                           r * precession * precession * std::sin(turned)));
  }
  return e;
}

TEST(Integrators, SpinningTopIsOfTheirOrderAgainstSteadyPrecession) {
  for (const Method method : all_methods) {
    const double h = 5e-4 * times_longer(method);
    const Errors coarse = top_errors(method, 2 * h), fine = top_errors(method, h);
    std::printf("%s: %.2e m, %.2e m/s^2\n", name(method), fine.position, fine.acceleration);
    const int order = order_of(method);
    EXPECT_NEAR(std::log2(coarse.position / fine.position), order, 0.15) << name(method);
    EXPECT_NEAR(std::log2(coarse.acceleration / fine.acceleration), order, 0.25) << name(method);
  }
}

// Accelerations that fit the joints do not keep positions on them: Baumgarte's terms hold them
// back, nothing at all lets them go, and with positions as conditions there is nothing to hold.
TEST(Integrators, OnlyAccelerationsDrift) {
  const auto drift = [](Method method, std::optional<double> rate) {
    Model m = pendulum(method, 2.2, 4e-3);
    m.simulation.duration = 10;
    m.simulation.baumgarte_alpha = m.simulation.baumgarte_beta = rate;
    return simulate(m).statistics.constraint_drift;
  };
  const double positions = drift(Method::generalized_alpha, {}), two = drift(Method::multistep, {});
  EXPECT_LT(drift(Method::radau, {}), 1e-12);
  // A tenth of 1/step.
  const double stabilised = drift(Method::baumgarte, {}), let_go = drift(Method::baumgarte, 0.0);
  std::printf("drift: %.1e, multistep %.1e, baumgarte %.1e, without its terms %.1e\n", positions,
              two, stabilised, let_go);
  EXPECT_LT(positions, 1e-12);
  EXPECT_LT(two, 1e-12);
  EXPECT_GT(stabilised, 1e-9);
  EXPECT_LT(stabilised, 1e-4);
  EXPECT_GT(let_go, 5 * stabilised);
}

constexpr double push = 2, push_from = 0.0303, drag = 30, dragged = 3;

/// A drive moves a body along x from the break on, and a damper drags another: its velocity is
/// V (1 - exp(-c t/m)).
Model pushed_pair(Method method, double step) {
  Model m;
  m.bodies = {unit_body("first"), unit_body("second")};
  m.bodies[0].mass = 0.5, m.bodies[1].mass = dragged;
  m.drives.push_back({"push", PiecewiseLinearDrive{{0, push_from, push_from + 1}, {0, 0, push}}});
  FixedJoint pushed;
  pushed.between = between("ground", "first");
  pushed.point = Vec3d{};
  pushed.motion.drive[0] = "push";
  m.joints.push_back({"pushed", pushed});
  GeneralJoint slide;
  slide.between = between("ground", "second");
  slide.point = Vec3d{};
  slide.locked_motions = MotionSet{{false, true, true, true, true, true}};
  m.joints.push_back({"slide", slide});
  Bushing damper;
  damper.between = between("first", "second");
  damper.point = Vec3d{};
  damper.stiffness = {0, 0, 0, 0, 0, 0};
  damper.damping = {drag, 0, 0, 0, 0, 0};
  m.forces.push_back({"damper", damper});
  m.probes.push_back(body_probe("second", {Quantity::velocity, Quantity::acceleration}));
  m.simulation.duration = 0.2;
  m.simulation.step = step;
  m.simulation.output_step = 0.01;
  m.simulation.integrator = method;
  m.simulation.spectral_radius = 0.6;
  return m;
}

// A velocity jumps where no step of the given size ends. Right limits and, once what the jump left
// behind has died away, everything is of second order in all methods; the account of energy holds.
TEST(Integrators, VelocitiesMayJumpBetweenSteps) {
  const auto errors = [](Method method, double step) {
    const Trajectory t = simulate(pushed_pair(method, step));
    Errors e;
    for (std::size_t i = 0; i < t.times.size(); ++i) {
      const double since = t.times[i] - push_from;
      if (since < 0.05) continue;
      const double left = std::exp(-drag / dragged * since);
      e.velocity =
          std::max(e.velocity, std::fabs(values(t, Quantity::velocity)[3 * i] - push * (1 - left)));
      e.acceleration = std::max(e.acceleration, std::fabs(values(t, Quantity::acceleration)[3 * i] -
                                                          push * drag / dragged * left));
    }
    EXPECT_EQ(t.breaks.size(), 1u);
    EXPECT_NEAR(t.series[1].right_values.at(0), push * drag / dragged, 0.02) << name(method);
    // While what the jump left dies away, powers are not resolved by the multistep method's steps.
    EXPECT_LT(t.statistics.energy.relative_mismatch, method == Method::multistep ? 0.02 : 0.01)
        << name(method);
    return e;
  };
  for (const Method method : all_methods) {
    const Errors coarse = errors(method, 1e-3), fine = errors(method, 5e-4);
    std::printf("%s: %.2e m/s, %.2e m/s^2\n", name(method), fine.velocity, fine.acceleration);
    EXPECT_LT(fine.velocity, 1e-4) << name(method);
    EXPECT_LT(fine.acceleration, 1e-3) << name(method);
    EXPECT_GT(coarse.velocity, 3 * fine.velocity) << name(method);
  }
}

// Just after a jump the multistep method is wrong by what it takes along: a double root -ρ.
TEST(Integrators, MultistepTakesOscillationsOverABreak) {
  const auto after = [](Method method) {
    Model m = pushed_pair(method, 1e-4);
    m.drives[0].kind = PiecewiseLinearDrive{{0, 0.01, 1.01}, {0, 0, push}};
    m.simulation.duration = 0.0102, m.simulation.output_step = 1e-4;
    const Trajectory t = simulate(m);
    return values(t, Quantity::acceleration)[3 * (t.times.size() - 1)];
  };
  const double exact = push * drag / dragged * std::exp(-drag / dragged * 2e-4);
  EXPECT_NEAR(after(Method::generalized_alpha), exact, 1e-3);
  EXPECT_NEAR(after(Method::baumgarte), exact, 1e-3);
  EXPECT_GT(std::fabs(after(Method::multistep) - exact), 0.1 * exact);
}

// The repetition with half the steps tells the error of every method.
TEST(Integrators, TimeErrorsAreThoseOfTheMethod) {
  for (const Method method : all_methods) {
    const Model m = pendulum(method, 2.2, 4e-3 * times_longer(method));
    const Plan plan = make_plan(m);
    Trajectory t = run(plan, m);
    add_time_error(plan, m, t);
    // Of second order as of fifth, what rounding and what Newton leaves are far below.
    const double noise = method == Method::radau ? 1e-10 : 1e-7;
    for (std::size_t i = 2; i < t.times.size(); ++i) {
      const double exact = arm * std::sin(PendulumAt(2.2, t.times[i]).angle);
      const double error = std::fabs(t.series[0].values[3 * i] - exact);
      EXPECT_NEAR(t.series[0].time_error[3 * i], error, 0.1 * error + noise) << name(method);
    }
  }
}

TEST(Integrators, WhatTheyDoNotOfferIsRefused) {
  Model m = pendulum(Method::multistep, 1, 1e-3);
  m.simulation.step.reset();
  m.simulation.accuracy = 1e-3;
  EXPECT_THROW(simulate(m), InputError);
  m.simulation.integrator = Method::baumgarte;
  EXPECT_THROW(simulate(m), InputError);
  m = pendulum(Method::automatic, 1, 1e-3);
  EXPECT_THROW(simulate(m), InputError);
  m = pendulum(Method::generalized_alpha, 1, 1e-3);
  m.simulation.baumgarte_alpha = 5;
  EXPECT_THROW(simulate(m), InputError);
}

}  // namespace
}  // namespace tumble::testing
