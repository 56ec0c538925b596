// Runs that are taken from stop to stop, with inputs that change on the way.
#include "tumble/integrate/stepped_run.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tumble/integrate/run.hpp"
#include "tumble/integrate/step/steps_between.hpp"
#include "tumble/integrate/test/test_machines.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {
namespace {

using testing::between;

/// A double pendulum on a carriage that a kinked drive moves, and an input that pulls at it.
Model driven_machine() {
  Model m;
  m.gravity = {0, 0, -9.81};
  Body carriage = testing::unit_body("carriage");
  Body rod = testing::lopsided_body("rod", {0.3, 0, -0.4});
  m.bodies = {carriage, rod};
  PrismaticJoint rail;
  rail.between = between("ground", "carriage");
  rail.point = Vec3d{};
  rail.axis = Vec3d{1, 0, 0};
  rail.motion.drive[2] = "travel";
  SphericalJoint ball{{between("carriage", "rod"), Vec3d{}}};
  m.joints = {{"rail", rail}, {"ball", ball}};
  AppliedForce pull;
  pull.body = {"rod"};
  pull.force = {0, 1, 0.5};
  pull.drive = DriveRef{"pull"};
  m.forces = {{"pull", pull}};
  // Breaks away from all stops, at one, and closer together than the shorter steps after them last.
  m.drives = {{"travel",
               PiecewiseLinearDrive{{0, 0.11, 0.25, 0.2600001, 0.5, 9}, {0, 0, 0.2, 0.1, 0.4, 1}}},
              {"pull", InputDrive{0.5, {}, {}}}};
  Probe rod_probe;
  rod_probe.name = "rod";
  rod_probe.body = BodyRef{"rod"};
  rod_probe.quantities = {Quantity::position, Quantity::velocity, Quantity::acceleration,
                          Quantity::orientation};
  Probe joint_probe;
  joint_probe.name = "ball";
  joint_probe.joint = JointRef{"ball"};
  joint_probe.quantities = {Quantity::force};
  m.probes = {rod_probe, joint_probe};
  m.simulation.duration = 1;
  m.simulation.step = 1.0 / 512;
  m.simulation.output_step = 1.0 / 32;
  return m;
}

std::vector<double> measured(SteppedRun& run) {
  std::vector<double> numbers(run.size());
  run.measure(numbers);
  return numbers;
}

TEST(StepsBetween, AreThoseOfTheSchedule) {
  for (const double output : {1.0 / 32, 0.04, 1.0 / 300})
    for (const int substeps : {1, 4}) {
      Model model = driven_machine();
      model.simulation.output_step = output;
      model.simulation.duration = output * std::round(1 / output);
      model.simulation.break_substeps = substeps;
      const auto system = compile(model);
      const Schedule schedule = make_schedule(*system, model);
      std::vector<Segment> steps;
      for (std::size_t i = 0; i + 1 < schedule.outputs.size(); ++i)
        for (const Segment& s : steps_between(model.simulation, schedule.breaks,
                                              schedule.outputs[i], schedule.outputs[i + 1]))
          steps.push_back(s);
      ASSERT_EQ(steps.size(), schedule.segments.size());
      for (std::size_t i = 0; i < steps.size(); ++i) {
        EXPECT_EQ(steps[i].from, schedule.segments[i].from) << i;
        EXPECT_EQ(steps[i].to, schedule.segments[i].to) << i;
        EXPECT_EQ(steps[i].steps, schedule.segments[i].steps) << i;
        EXPECT_EQ(steps[i].step_size, schedule.segments[i].step_size) << i;
        EXPECT_EQ(steps[i].output, schedule.segments[i].output) << i;
        EXPECT_EQ(steps[i].is_break, schedule.segments[i].is_break) << i;
      }
    }
}

void expect_the_bits_of_a_run(IntegrationMethod method) {
  // 1/30 is no multiple of the step: the first restart is for other steps than the model's.
  for (const double output : {1.0 / 32, 1.0 / 30}) {
    Model model = driven_machine();
    model.simulation.output_step = output;
    model.simulation.integrator = method;
    const Plan plan = make_plan(model);
    const Trajectory whole = run(plan, model);
    SteppedRun parts(plan, model);
    parts.start();
    for (std::size_t i = 0; i < whole.times.size(); ++i) {
      if (i > 0) parts.advance(whole.times[i]);
      const std::vector<double> numbers = measured(parts);
      std::size_t k = 0;
      for (const ProbeSeries& series : whole.series)
        for (int c = 0; c < series.size; ++c)
          ASSERT_EQ(numbers[k++], series.values[i * static_cast<std::size_t>(series.size) +
                                                static_cast<std::size_t>(c)])
              << series.probe << " at " << whole.times[i];
    }
    EXPECT_NO_THROW(parts.close());
  }
}

TEST(SteppedRun, HasTheBitsOfARun) {
  expect_the_bits_of_a_run(IntegrationMethod::generalized_alpha);
}

TEST(SteppedRun, HasTheBitsOfARunByRadau) { expect_the_bits_of_a_run(IntegrationMethod::radau); }

/// x" = (f - k x - c x') / m under a force that changes at every stop, exactly.
struct Oscillator {
  double m = 2, k = 80, c = 1.2, x = 0, v = 0;
  void advance(double force, double h) {
    const double rest = force / k, a = c / (2 * m), w = std::sqrt(k / m - a * a), d = x - rest;
    const double e = std::exp(-a * h), cosine = std::cos(w * h), sine = std::sin(w * h) / w;
    const double x1 = rest + e * (d * cosine + (v + a * d) * sine);
    v = e * (v * cosine - (a * v + k / m * d) * sine);
    x = x1;
  }
};

double worst_error(double step, double stop) {
  Model model;
  model.bodies = {testing::point_mass("mass", 2, {0, 0, 1})};
  Spring spring;
  spring.between = between("ground", "mass");
  spring.points = std::array<Vec3d, 2>{Vec3d{}, Vec3d{0, 0, 1}};
  spring.length = 1;
  spring.stiffness.slope = 80;
  spring.damping.slope = 1.2;
  AppliedForce push;
  push.body = {"mass"};
  push.force = {0, 0, 1};
  push.drive = DriveRef{"push"};
  model.forces = {{"spring", spring}, {"push", push}};
  model.drives = {{"push", InputDrive{}}};
  Probe probe;
  probe.name = "mass";
  probe.body = BodyRef{"mass"};
  probe.quantities = {Quantity::position, Quantity::velocity};
  model.probes = {probe};
  model.simulation.duration = 2;
  model.simulation.step = step;
  SteppedRun run(make_plan(model), model);
  run.start();
  Oscillator wanted;
  double worst = 0;
  for (int i = 0; i * stop < 2 - 1e-9; ++i) {
    const double force = 5 * std::sin(1.7 * i) + (i % 5 == 0 ? 3 : 0);
    run.set_input(0, force);
    run.advance((i + 1) * stop);
    wanted.advance(force, stop);
    const std::vector<double> told = measured(run);
    worst = std::max({worst, std::fabs(told[2] - 1 - wanted.x), std::fabs(told[5] - wanted.v) / 6});
  }
  run.close();  // and the account of energy holds
  EXPECT_TRUE(run.take_warnings().empty());
  return worst;
}

TEST(SteppedRun, KeepsItsOrderWhereInputsJump) {
  const double coarse = worst_error(0.005, 0.05), fine = worst_error(0.0025, 0.05);
  EXPECT_LT(fine, 1e-4);
  EXPECT_NEAR(coarse / fine, 4, 0.5);
  // As often as every step.
  EXPECT_LT(worst_error(0.0025, 0.0025), 1e-4);
}

TEST(SteppedRun, StopsWithoutChangesLeaveNoTrace) {
  Model model = driven_machine();
  model.drives[0].kind = HarmonicDrive{0.1, 2};  // no breaks, so that steps are the same
  const Plan plan = make_plan(model);
  SteppedRun one(plan, model), other(plan, model);
  one.start();
  other.start();
  for (int i = 1; i <= 32; ++i) {
    other.set_input(1, 0.5);  // what it is already
    other.advance(i / 32.0);
    if (i % 4 == 0) one.advance(i / 32.0);
  }
  EXPECT_EQ(measured(one), measured(other));
}

TEST(SteppedRun, GoesBackToWhereItWas) {
  Model model = driven_machine();
  SteppedRun run(make_plan(model), model);
  run.start();
  run.set_input(1, 2);
  run.advance(0.3);
  const auto saved = run.save();
  run.set_input(1, -4);
  run.advance(0.4);
  const auto first = measured(run);
  run.advance(0.77);
  run.restore(*saved);
  EXPECT_EQ(run.time(), 0.3);
  EXPECT_EQ(run.input(1), 2);
  run.set_input(1, -4);
  run.advance(0.4);
  EXPECT_EQ(measured(run), first);
}

TEST(SteppedRun, GoesOnBeyondTheDuration) {
  Model model = driven_machine();
  SteppedRun run(make_plan(model), model);
  run.start();
  run.advance(9.5);  // over a break at 9 s
  EXPECT_EQ(run.time(), 9.5);
}

}  // namespace
}  // namespace tumble
