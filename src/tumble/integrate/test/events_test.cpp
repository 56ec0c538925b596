// Events against closed forms: times that are recorded, numbers that are switched, runs that end.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "test_machines.hpp"
#include "tumble/integrate/derivatives.hpp"
#include "tumble/integrate/missing_outputs.hpp"
#include "tumble/integrate/step/schedule.hpp"
#include "tumble/integrate/stepped_run.hpp"

namespace tumble {
namespace {

using namespace testing;

Event event(const char* name, const char* when, double level,
            EventDirection direction = EventDirection::either,
            EventAction action = EventAction::record) {
  Event e;
  e.name = name;
  e.when = Expression(when);
  e.level = level;
  e.direction = direction;
  e.action = action;
  return e;
}

Event switching(const char* name, const char* when, double level, EventDirection direction,
                const char* parameter, double to) {
  Event e = event(name, when, level, direction, EventAction::change);
  e.change = parameter;
  e.to = to;
  return e;
}

/// A point of 1 kg that a force along x acts on.
Model slider(const char* force, std::vector<ExpressionParameters::Number> numbers, double duration,
             double step) {
  Model m = timed(duration, step);
  m.bodies = {point_mass("b", 1, {0, 0, 0})};
  ExpressionForce f;
  f.on_body = BodyRef{"b"};
  f.force = std::vector<Expression>{force, "0", "0"};
  f.parameters.numbers = std::move(numbers);
  m.forces = {{"it", f}};
  m.probes = {body_probe("b", {Quantity::position, Quantity::velocity})};
  return m;
}

double last_x(const Trajectory& run, std::size_t series) {
  const auto& values = run.series[series].values;
  return values[values.size() - 3];
}

std::vector<double> times_of(const Trajectory& run, const std::string& name) {
  std::vector<double> times;
  for (const EventOccurrence& one : run.events)
    if (one.event == name) times.push_back(one.time);
  return times;
}

TEST(Events, AStoneHitsTheGroundWhenItDoes) {
  Model m = timed(2, 0.0137);
  m.simulation.output_step = 0.5;
  m.simulation.step = 0.5 / 37;
  m.gravity = {0, 0, -9.81};
  m.bodies = {point_mass("stone", 0.3, {0, 0, 1.7})};
  m.bodies[0].velocity = {2, 0, 3.1};
  m.probes = {body_probe("stone", {Quantity::position})};
  m.events = {event("hit", "stone.position.z", 0), event("top", "stone.velocity.z", 0),
              event("far", "stone.position.x", 100)};
  const Trajectory run = simulate(m);
  ASSERT_EQ(run.events.size(), 2u);
  EXPECT_EQ(run.events[0].event, "top");
  EXPECT_NEAR(run.events[0].time, 3.1 / 9.81, 1e-12);
  EXPECT_NEAR(run.events[1].time, (3.1 + std::sqrt(3.1 * 3.1 + 2 * 9.81 * 1.7)) / 9.81, 1e-12);
  EXPECT_EQ(run.event_tallies[2].count, 0);
  EXPECT_TRUE(std::isinf(run.event_tallies[2].first));
}

// cos ω t passes zero at (k + ½) π/ω. The method's period is off by a part in h²; the cubic adds
// nothing of that order.
TEST(Events, TimesOfASwingAreOfSecondOrder) {
  const auto worst = [](double step) {
    Model m = slider("-w^2*x0", {{"w", 3}}, 5, step);
    std::get<ExpressionForce>(m.forces[0].kind).force =
        std::vector<Expression>{"-w^2*b.position.x", "0", "0"};
    m.bodies[0].position = {1, 0, 0};
    m.simulation.output_step = 0.5;
    m.events = {event("zero", "b.position.x", 0)};
    const auto times = times_of(simulate(m), "zero");
    EXPECT_EQ(times.size(), 5u);
    double error = 0;
    for (std::size_t k = 0; k < times.size(); ++k)
      error = std::max(error,
                       std::fabs(times[k] - (static_cast<double>(k) + 0.5) * std::numbers::pi / 3));
    return error;
  };
  const double coarse = worst(0.02), fine = worst(0.01), finest = worst(0.005);
  EXPECT_LT(finest, 2e-4);
  EXPECT_NEAR(coarse / fine, 4, 0.25);
  EXPECT_NEAR(fine / finest, 4, 0.1);
}

// A hand holds a mass and lets go at t = 0.3071: free fall from there.
TEST(Events, WhatIsReleasedFallsFromThenOn) {
  Model m = slider("0", {{"hold", 9.81}}, 1, 0.01);
  std::get<ExpressionForce>(m.forces[0].kind).force = std::vector<Expression>{"0", "0", "hold"};
  m.gravity = {0, 0, -9.81};
  m.events = {
      switching("release", "time", 0.3071, EventDirection::rising, "forces.it.parameters.hold", 0)};
  const Trajectory run = simulate(m);
  ASSERT_EQ(run.events.size(), 1u);
  EXPECT_NEAR(run.events[0].time, 0.3071, 1e-12);
  for (std::size_t t = 0; t < run.times.size(); ++t) {
    const double since = std::max(0.0, run.times[t] - 0.3071);
    EXPECT_NEAR(run.series[0].values[3 * t + 2], -0.5 * 9.81 * since * since, 1e-10);
  }
}

// A mass on a spring meets a second spring at x = 0.4 and leaves it when it comes back. With
// ω₁² = 4: x = sin 2t meets at t₁ = asin(0.4)/2 with v₁ = 2 cos 2t₁. Beyond, ω₂² = 4 + 60 about
// x₀ = 60 · 0.4/64, and it comes back with -v₁ after half a swing about x₀, measured from there.
struct Latch {
  double met, back, x, v;
};
Latch latch_at(double end) {
  const double met = std::asin(0.4) / 2, v1 = 2 * std::cos(2 * met);
  const double w = 8, centre = 60 * 0.4 / 64, phase = std::atan2(w * (0.4 - centre), v1);
  const double back = met + (std::numbers::pi - 2 * phase) / w;
  // From there the first spring alone, mirrored in time: x = 0.4 cos - v₁/2 sin.
  const double s = end - back;
  return {met, back, 0.4 * std::cos(2 * s) - 0.5 * v1 * std::sin(2 * s),
          -0.8 * std::sin(2 * s) - v1 * std::cos(2 * s)};
}
Model latch(double step) {
  Model m = slider("-4*b.position.x - k*(b.position.x - 0.4)", {{"k", 0}}, 1.2, step);
  m.bodies[0].velocity = {2, 0, 0};
  m.simulation.spectral_radius = 1;
  m.events = {
      switching("meets", "b.position.x", 0.4, EventDirection::rising, "forces.it.parameters.k", 60),
      switching("leaves", "b.position.x", 0.4, EventDirection::falling, "forces.it.parameters.k",
                0)};
  return m;
}

TEST(Events, ALatchEngagesAndLeavesInSecondOrder) {
  double before = 0;
  for (const double step : {0.02, 0.01, 0.005, 0.0025}) {
    const Trajectory run = simulate(latch(step));
    ASSERT_EQ(run.events.size(), 2u);
    const Latch exact = latch_at(1.2);
    const double error = std::max(
        {std::fabs(run.events[0].time - exact.met), std::fabs(run.events[1].time - exact.back),
         std::fabs(last_x(run, 0) - exact.x), std::fabs(last_x(run, 1) - exact.v)});
    EXPECT_LT(error, 40 * step * step);
    if (before > 0) {
      EXPECT_GT(before / error, 3.4);
      EXPECT_LT(before / error, 4.6);
    }
    before = error;
  }
}

// The same with a spring element, whose potential jumps where it is switched off under load: what
// it held is taken out of the machine, and the account says so.
TEST(Events, TheAccountKnowsWhatASwitchTakes) {
  Model m = timed(1, 1e-3);
  m.bodies = {point_mass("b", 1, {1, 0, 0})};
  Spring spring;
  spring.between = between("ground", "b");
  spring.points = std::array{Vec3d{}, Vec3d{1, 0, 0}};
  spring.stiffness.slope = 100;
  spring.length = 0.9;
  m.forces = {{"spring", spring}};
  m.probes = {body_probe("b", {Quantity::position}), energy_probe()};
  m.events = {switching("cut", "time", 0.05, EventDirection::rising, "forces.spring.stiffness", 0)};
  const Trajectory run = simulate(m);
  ASSERT_EQ(run.events.size(), 1u);
  const double stretch = 0.1 * std::cos(10 * 0.05);
  EXPECT_NEAR(run.events[0].energy, -0.5 * 100 * stretch * stretch, 1e-5);
  EXPECT_NEAR(run.statistics.energy.work, run.events[0].energy, 1e-5);
  EXPECT_LT(std::fabs(run.statistics.energy.mismatch), 1e-5);
}

// ẍ = -f sgn x from x = 0 with v: half a period lasts 2 v/f.
TEST(Events, ARelayOscillatesWithItsPeriod) {
  Model m = slider("f", {{"f", -3}}, 10, 0.01);
  m.bodies[0].velocity = {1.7, 0, 0};
  m.bodies[0].position = {0, 0, 0};
  m.events = {
      switching("right", "b.position.x", 0, EventDirection::rising, "forces.it.parameters.f", -3),
      switching("left", "b.position.x", 0, EventDirection::falling, "forces.it.parameters.f", 3)};
  const Trajectory run = simulate(m);
  ASSERT_EQ(run.events.size(), 8u);
  for (std::size_t k = 0; k < 8; ++k)
    EXPECT_NEAR(run.events[k].time, static_cast<double>(k + 1) * 2 * 1.7 / 3, 1e-6) << k;
  EXPECT_TRUE(run.warnings.empty());
}

// Ṫ = (u - T)/τ with u = 10 below 4 and 0 above 6: heats for τ ln((10 - 4)/(10 - 6)), cools for
// τ ln(6/4).
TEST(Events, AThermostatHasItsLimitCycle) {
  const auto worst = [](double step) {
    Model m = timed(9, step);
    m.simulation.output_step = 0.5;
    m.bodies = {point_mass("b", 1, {0, 0, 0})};
    m.probes = {body_probe("b", {Quantity::position})};
    m.states.resize(1);
    m.states[0].name = "heat";
    m.states[0].rate = Expression("(u - heat)/2");
    m.states[0].start = 4;
    m.states[0].parameters.numbers = {{"u", 10}};
    m.events = {
        switching("off", "heat", 6, EventDirection::rising, "states.heat.parameters.u", 0),
        switching("on", "heat", 4, EventDirection::falling, "states.heat.parameters.u", 10)};
    const Trajectory run = simulate(m);
    const double half = 2 * std::log(1.5);
    EXPECT_EQ(run.events.size(), 11u);
    double error = 0;
    for (std::size_t k = 0; k < run.events.size(); ++k)
      error = std::max(error, std::fabs(run.events[k].time - static_cast<double>(k + 1) * half));
    return error;
  };
  const double coarse = worst(0.05), fine = worst(0.025);
  EXPECT_LT(fine, 1e-3);
  EXPECT_GT(coarse / fine, 3.5);
}

TEST(Events, ARunEndsAndTheRestIsMissing) {
  Model m = slider("0", {}, 1, 0.01);
  m.bodies[0].velocity = {2, 0, 0};
  m.simulation.output_step = 0.1;
  m.events = {event("wall", "b.position.x", 1.03, EventDirection::either, EventAction::end),
              event("late", "b.position.x", 1.0301)};
  const Plan plan = make_plan(m);
  Trajectory run = tumble::run(plan, m);
  ASSERT_TRUE(run.ended);
  EXPECT_NEAR(*run.ended, 0.515, 1e-12);
  EXPECT_EQ(run.times.size(), 6u);
  EXPECT_EQ(run.event_tallies[1].count, 0);  // in the same step, after the end
  add_missing_outputs(run, make_schedule(*plan.system, m));
  EXPECT_EQ(run.times.size(), 11u);
  EXPECT_NEAR(run.series[0].values[15], 1, 1e-12);
  EXPECT_TRUE(std::isnan(run.series[0].values[18]));
}

TEST(Events, WhatBeginsOnItsLevelOrTouchesItHasNotCrossed) {
  Model m = slider("0", {}, 1, 0.01);
  m.bodies[0].velocity = {1, 0, 0};
  m.events = {event("start", "b.position.x", 0), event("touch", "(b.position.x - 0.5)^2", 0)};
  EXPECT_TRUE(simulate(m).events.empty());
  // One that is left exactly at the end of a step is crossed there.
  m.events = {event("half", "b.position.x", 0.5)};
  const Trajectory run = simulate(m);
  ASSERT_EQ(run.events.size(), 1u);
  EXPECT_NEAR(run.events[0].time, 0.5, 1e-9);
}

TEST(Events, DirectionsDeadTimesAndCountsHold) {
  Model m = slider("0", {}, 5, 0.01);
  m.events = {event("all", "sin(2*pi*time)", 0.001),
              event("up", "sin(2*pi*time)", 0.001, EventDirection::rising),
              event("down", "sin(2*pi*time)", 0.001, EventDirection::falling),
              event("twice", "sin(2*pi*time)", 0.001), event("rare", "sin(2*pi*time)", 0.001)};
  m.events[3].at_most = 2;
  m.events[4].dead_time = 1.2;
  const Trajectory run = simulate(m);
  EXPECT_EQ(run.event_tallies[0].count, 10);
  EXPECT_EQ(run.event_tallies[1].count, 5);
  EXPECT_EQ(run.event_tallies[2].count, 5);
  EXPECT_EQ(run.event_tallies[3].count, 2);
  // 0, then the falling ones at 1.5 and 3, 4.5: crossings are half a second apart.
  const double delta = std::asin(0.001) / (2 * std::numbers::pi);
  const std::vector<double> rare = times_of(run, "rare");
  ASSERT_EQ(rare.size(), 4u);
  EXPECT_NEAR(rare[0], delta, 1e-9);
  EXPECT_NEAR(rare[1], 1.5 - delta, 1e-9);
  EXPECT_NEAR(rare[2], 3 + delta, 1e-9);
}

// Both in one step, and each in its time: the first switches, so the second comes later than it
// would have.
TEST(Events, TwoEventsInAStepComeInTheirOrder) {
  Model m = slider("f", {{"f", 0}}, 1, 0.1);
  m.bodies[0].velocity = {1, 0, 0};
  m.events = {event("second", "b.position.x", 0.27),
              switching("first", "b.position.x", 0.23, EventDirection::rising,
                        "forces.it.parameters.f", -8)};
  const Trajectory run = simulate(m);
  ASSERT_GE(run.events.size(), 2u);
  EXPECT_EQ(run.events[0].event, "first");
  EXPECT_NEAR(run.events[0].time, 0.23, 1e-10);
  EXPECT_EQ(run.events[1].event, "second");
  // 0.04 = s - 4 s²
  EXPECT_NEAR(run.events[1].time, 0.23 + (1 - std::sqrt(1 - 16 * 0.04)) / 8, 1e-9);
}

// A relay whose band is a ten-thousandth of what a step covers.
TEST(Events, SwitchingWithoutEndIsRefused) {
  Model m = timed(1, 0.01);
  m.bodies = {point_mass("b", 1, {0, 0, 0})};
  m.probes = {body_probe("b", {Quantity::position})};
  m.states.resize(1);
  m.states[0].name = "x";
  m.states[0].rate = Expression("u");
  m.states[0].start = -0.1;
  m.states[0].parameters.numbers = {{"u", 1}};
  m.events = {switching("up", "x", 1e-6, EventDirection::rising, "states.x.parameters.u", -1),
              switching("down", "x", -1e-6, EventDirection::falling, "states.x.parameters.u", 1)};
  const RunOutcome outcome = run_recorded(make_plan(m), m);
  ASSERT_TRUE(outcome.failure);
  EXPECT_NE(outcome.failure->reason.find("more than 100 times"), std::string::npos)
      << outcome.failure->reason;
  EXPECT_NEAR(outcome.failure->time, 0.1 + 100 * 2e-6, 4e-6);
}

TEST(Events, ARunWarnsOfWhatItMayHaveMissed) {
  Model m = slider("0", {}, 1, 0.1);
  m.events = {event("peak", "0.9999 - cos(2*pi*(time - 0.45))", 0)};
  const Trajectory run = simulate(m);
  EXPECT_TRUE(run.events.empty());
  ASSERT_EQ(run.warnings.size(), 1u);
  EXPECT_NE(run.warnings[0].find("'peak' may have been missed"), std::string::npos);
  m.simulation.step = 0.001;
  const Trajectory fine = simulate(m);
  EXPECT_EQ(fine.events.size(), 2u);
  EXPECT_TRUE(fine.warnings.empty());
}

// A condition that jumps at a break point of a drive crosses there.
TEST(Events, ADriveThatJumpsCrossesAtItsBreakPoint) {
  Model m = slider("f*u", {{"f", 0}}, 1, 0.03);
  m.simulation.output_step = 0.5;
  m.bodies[0].velocity = {0, 0, 0};
  PiecewiseConstantDrive jump;
  jump.times = {0, 0.41}, jump.values = {0, 1};
  m.drives = {{"u", jump}};
  m.events = {event("seen", "u", 0.5),
              switching("go", "u", 0.5, EventDirection::rising, "forces.it.parameters.f", 2)};
  const Trajectory run = simulate(m);
  ASSERT_EQ(run.events.size(), 2u);
  EXPECT_EQ(run.events[0].time, 0.41);
  EXPECT_EQ(run.events[1].time, 0.41);
  EXPECT_NEAR(last_x(run, 0), 0.59 * 0.59, 1e-9);
}

TEST(Events, WhatCannotGoWithThemIsRefused) {
  Model m = latch(0.01);
  EXPECT_THROW(differentiate(make_plan(m), m, "bodies.b.mass"), InputError);
  EXPECT_THROW(SteppedRun(make_plan(m), m), InputError);
  const auto mistakes = [](const Model& model) {
    std::string all;
    for (const Diagnostic& d : check(model)) all += to_string(d) + "\n";
    return all;
  };
  EXPECT_EQ(mistakes(m), "");
  m.simulation.step.reset();
  m.simulation.accuracy = 1e-3;
  EXPECT_NE(mistakes(m).find("simulation.accuracy"), std::string::npos) << mistakes(m);
  m = latch(0.01);
  m.simulation.integrator = IntegrationMethod::baumgarte;
  EXPECT_NE(mistakes(m).find("generalized-alpha"), std::string::npos);
  m = latch(0.01);
  m.events[0].change = "bodies.b.mass";
  EXPECT_NE(mistakes(m).find("must be the path of a number of a force"), std::string::npos);
  m.events[0].change.reset();
  m.events[0].at_most = -1;
  m.events[1].to.reset();
  EXPECT_NE(mistakes(m).find("the parameter to switch"), std::string::npos);
  EXPECT_NE(mistakes(m).find("new value"), std::string::npos);
  EXPECT_NE(mistakes(m).find(">= 0"), std::string::npos);
}

}  // namespace
}  // namespace tumble
