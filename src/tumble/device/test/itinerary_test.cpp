// The list of what devices do follows the schedule, and drives that differ between realisations are
// found.
#include "tumble/device/itinerary.hpp"

#include <gtest/gtest.h>

#include "tumble/integrate/watch/energy_account.hpp"
#include "tumble/model/compile.hpp"
#include "tumble/program/machine_programs.hpp"
#include "tumble/program/test/machines.hpp"

namespace tumble {
namespace {

struct Way {
  explicit Way(const Model& nominal, const Model& other)
      : plan(make_plan(nominal)),
        system(*plan.system),
        schedule(make_schedule(system, nominal)),
        made(make(prepare(system, nominal), prepare(system, other))) {}

  std::variant<Itinerary, Refusal> make(const std::vector<double>& a,
                                        const std::vector<double>& b) const {
    return make_itinerary(plan, schedule, {a, b}, shared_constants({a, b}));
  }

  Plan plan;
  const System& system;
  Schedule schedule;
  std::variant<Itinerary, Refusal> made;
};

Model heavier(Model model) {
  model.bodies.back().mass *= 2;
  return model;
}

TEST(Itinerary, TakesTheStepsOfTheSchedule) {
  for (const auto& machine : {testing::machines[0], testing::machines[1]}) {
    const Model model = machine.make();
    const Way way(model, heavier(model));
    ASSERT_TRUE(std::holds_alternative<Itinerary>(way.made)) << std::get<Refusal>(way.made).reason;
    const Itinerary& found = std::get<Itinerary>(way.made);
    std::size_t at = 0;
    int output = 0, looks = 0, breaks = 0;
    AccountDates dates(way.schedule);
    dates.begin();
    for (std::size_t i = 0; i < way.schedule.segments.size(); ++i) {
      const Segment& segment = way.schedule.segments[i];
      for (long k = 1; k <= segment.steps; ++k, ++at) {
        ASSERT_LT(at, found.steps.size());
        EXPECT_EQ(found.steps[at].time, segment.time_after(k));
        EXPECT_EQ(found.steps[at].number, static_cast<int>(at));
        if (k < segment.steps) {
          EXPECT_EQ(found.steps[at].output, -1);
        }
      }
      EXPECT_EQ(found.steps[at - 1].output, segment.output ? ++output : -1);
      looks += dates.due(i) ? 1 : 0;
      breaks += segment.is_break ? 1 : 0;
    }
    EXPECT_EQ(at, found.steps.size());
    EXPECT_EQ(static_cast<std::size_t>(output) + 1, found.outputs);
    EXPECT_EQ(looks, found.looks);
    EXPECT_EQ(breaks, found.breaks);
    // Launches take every step once, and a restart stands before each step that is the first after
    // one, but for the first of all.
    int next = 0, restarts = 0, fresh = 0;
    for (const DeviceLaunch& launch : found.launches) {
      if (launch.kind == DeviceLaunch::Kind::restart) ++restarts;
      if (launch.kind != DeviceLaunch::Kind::steps) continue;
      EXPECT_EQ(launch.first, next);
      EXPECT_LT(launch.first, launch.last);
      next = launch.last;
    }
    EXPECT_EQ(static_cast<std::size_t>(next), found.steps.size());
    for (const DeviceStep& step : found.steps) fresh += step.after_restart;
    EXPECT_EQ(fresh, restarts + 1);
  }
}

TEST(Itinerary, RefusesDrivesThatAreUncertain) {
  const Model nominal = testing::example("batou-soize-2012/nominal.yaml");
  const Plan plan = make_plan(nominal);
  const std::vector<double> a = prepare(*plan.system, nominal);
  std::vector<double> b = a;
  // A number of a drive, in the last bits.
  b[static_cast<std::size_t>(plan.system->drive_constants)] += 1e-9;
  const Schedule schedule = make_schedule(*plan.system, nominal);
  const auto made = make_itinerary(plan, schedule, {a, b}, shared_constants({a, b}));
  ASSERT_TRUE(std::holds_alternative<Refusal>(made));
  EXPECT_EQ(std::get<Refusal>(made).reason, "its drives differ from realisation to realisation");
}

}  // namespace
}  // namespace tumble
