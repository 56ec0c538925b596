// Where a run stops and in which steps it gets there: outputs, break points of drives and the ends
// of subdivided zones.
#include "tumble/integrate/step/schedule.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tumble/integrate/run.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {
namespace {

Model model_with_breaks(const std::vector<double>& breaks) {
  Model m;
  Body b;
  b.name = "b";
  b.mass = 1;
  b.inertia = {1, 1, 1, 0, 0, 0};
  m.bodies = {b};
  m.simulation.duration = 1;
  m.simulation.step = 0.1;
  m.simulation.break_steps = 2;
  m.simulation.break_substeps = 4;
  PiecewiseLinearDrive drive;
  for (const double t : breaks) {
    drive.times.push_back(t);
    drive.values.push_back(0);
  }
  if (!breaks.empty()) m.drives = {{"u", drive}};
  return m;
}

/// A landmark, and into how many parts steps are divided from it to the next.
struct Expected {
  double time;
  bool output, is_break;
  int substeps;
};
void expect_marks(const Model& model, const std::vector<Expected>& expected) {
  const Schedule schedule = make_schedule(*compile(model), model);
  ASSERT_EQ(schedule.segments.size() + 1, expected.size());
  for (std::size_t i = 0; i < schedule.segments.size(); ++i) {
    const Segment& segment = schedule.segments[i];
    SCOPED_TRACE(expected[i].time);
    EXPECT_NEAR(segment.from, expected[i].time, 1e-12);
    EXPECT_NEAR(segment.to, expected[i + 1].time, 1e-12);
    EXPECT_EQ(segment.output, expected[i + 1].output);
    EXPECT_EQ(segment.is_break, expected[i + 1].is_break);
    // The fewest equal steps that are no longer than asked for.
    const double length = segment.to - segment.from;
    const double longest = *model.simulation.step / expected[i].substeps;
    EXPECT_EQ(segment.steps, std::lround(std::ceil(length / longest - 1e-6)));
    EXPECT_NEAR(segment.step_size * static_cast<double>(segment.steps), length, 1e-12);
    EXPECT_EQ(segment.time_after(segment.steps), segment.to);
  }
}

TEST(Schedule, OutputsAreMultiplesOfTheirStep) {
  Model m = model_with_breaks({});
  m.simulation.output_step = 0.25;
  expect_marks(m, {{0, true, false, 1},
                   {0.25, true, false, 1},
                   {0.5, true, false, 1},
                   {0.75, true, false, 1},
                   {1, true, false, 1}});
}

TEST(Schedule, StepsAfterABreakAreSubdividedAsFarAsAskedFor) {
  Model m = model_with_breaks({0.35, 2});  // the second is after the end
  m.simulation.output_step = 0.25;
  expect_marks(m, {{0, true, false, 1},
                   {0.25, true, false, 1},
                   {0.35, false, true, 4},
                   {0.5, true, false, 4},
                   {0.55, false, false, 1},  // two steps after the break
                   {0.75, true, false, 1},
                   {1, true, false, 1}});
}

TEST(Schedule, AZoneEndsAtTheNextBreakOrTheEnd) {
  Model m = model_with_breaks({0.35, 0.4, 0.9});
  m.simulation.output_step = 0.5;
  expect_marks(m, {{0, true, false, 1},
                   {0.35, false, true, 4},
                   {0.4, false, true, 4},
                   {0.5, true, false, 4},
                   {0.6, false, false, 1},
                   {0.9, false, true, 4},
                   {1, true, false, 1}});
}

TEST(Schedule, ABreakOnAnOutputIsOneLandmark) {
  Model m = model_with_breaks({0.1, 0.3 + 1e-13, 5});
  m.simulation.step = 0.05;
  m.simulation.output_step = 0.1;
  m.simulation.duration = 0.4;
  m.simulation.break_substeps = 1;  // no zones
  expect_marks(m, {{0, true, false, 1},
                   {0.1, true, true, 1},
                   {0.2, true, false, 1},
                   {0.3, true, true, 1},
                   {0.4, true, false, 1}});
}

TEST(Schedule, BreaksAtTheEndsAreNone) {
  Model m = model_with_breaks({0, 1});
  m.simulation.output_step = 1;
  expect_marks(m, {{0, true, false, 1}, {1, true, false, 1}});
}

TEST(Schedule, RunsRecordBothLimitsOfABreak) {
  // The applied force jumps in its slope at 0.35: accelerations are equal, but both are recorded.
  Model m = model_with_breaks({0.1, 0.35, 0.7});
  std::get<PiecewiseLinearDrive>(m.drives[0].kind).values = {0, 1, 1};
  AppliedForce force;
  force.body = {"b"};
  force.force = {2, 0, 0};
  force.drive = DriveRef{"u"};
  m.forces = {{"push", force}};
  Probe probe;
  probe.name = "motion";
  probe.body = BodyRef{"b"};
  probe.quantities = {Quantity::acceleration};
  m.probes = {probe};
  const Trajectory run = simulate(m);
  ASSERT_EQ(run.breaks.size(), 3u);
  EXPECT_DOUBLE_EQ(run.breaks[1], 0.35);
  ASSERT_EQ(run.times.size(), 11u);
  ASSERT_EQ(run.series[0].right_values.size(), 9u);
  EXPECT_NEAR(run.series[0].right_values[0], 0, 1e-12);
  EXPECT_NEAR(run.series[0].right_values[3], 2, 1e-12);
  // Four parts a step for two steps after each break, in whole steps between landmarks.
  EXPECT_GE(run.statistics.steps, 11 + 3 * 8 - 6);
}

TEST(Schedule, GridZonesCountFromTheirEvents) {
  Model m = model_with_breaks({0.5});
  m.simulation.step.reset();
  m.simulation.accuracy = 1e-3;
  m.simulation.output_step = 0.25;
  m.simulation.grid = {{0, 0.0, 0.125}, {1, 0.0, 0.0625}, {1, 0.125, 0.25}};
  const Schedule schedule = make_schedule(*compile(m), m);
  const std::vector<std::pair<double, long>> expected{
      {0.25, 2}, {0.5, 2}, {0.625, 2}, {0.75, 1}, {1.0, 1}};  // ends and numbers of steps
  ASSERT_EQ(schedule.segments.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(schedule.segments[i].to, expected[i].first);
    EXPECT_EQ(schedule.segments[i].steps, expected[i].second);
  }
  // The break of another realisation takes its zones along, and one that the grid does not know has
  // those of the last.
  Model moved = model_with_breaks({0.25, 0.75});
  moved.simulation = m.simulation;
  const Schedule other = make_schedule(*compile(moved), moved);
  ASSERT_EQ(other.breaks.size(), 2u);
  EXPECT_EQ(other.segments[1].steps, 2);  // 0.25 to 0.375
  EXPECT_EQ(other.segments[1].step_size, 0.0625);
  EXPECT_EQ(other.segments[4].step_size, 0.0625);  // after 0.75
}

TEST(Schedule, RefinedHasTheSameOutputsAndHalfTheSteps) {
  Model m = model_with_breaks({0.35});
  m.simulation.output_step = 0.25;
  const Schedule schedule = make_schedule(*compile(m), m), finer = refined(schedule, 2);
  ASSERT_EQ(schedule.segments.size(), finer.segments.size());
  EXPECT_EQ(schedule.outputs, finer.outputs);
  for (std::size_t i = 0; i < finer.segments.size(); ++i) {
    EXPECT_EQ(finer.segments[i].steps, 2 * schedule.segments[i].steps);
    EXPECT_EQ(finer.segments[i].step_size, schedule.segments[i].step_size / 2);
    EXPECT_EQ(finer.segments[i].to, schedule.segments[i].to);
  }
}

}  // namespace
}  // namespace tumble
