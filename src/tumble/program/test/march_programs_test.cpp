// What is recorded of a run beside its steps has the bits of the integrator, the probes and the
// account of energy.
#include "tumble/program/march_programs.hpp"

#include <gtest/gtest.h>

#include "tumble/dynamics/context.hpp"
#include "tumble/dynamics/turns.hpp"
#include "tumble/integrate/probe_recorder.hpp"
#include "tumble/integrate/start/start_state.hpp"
#include "tumble/integrate/watch/energy_account.hpp"
#include "tumble/model/compile.hpp"
#include "tumble/program/machine_samples.hpp"
#include "tumble/program/test/hostile_numbers.hpp"
#include "tumble/program/test/machines.hpp"

namespace tumble {
namespace {

using testing::same_number;

std::vector<double> eulers_of(const Workspace<double>& w) {
  std::vector<double> numbers;
  for (const auto& e : w.euler)
    for (const double x : {e.angles.value.x, e.angles.value.y, e.angles.value.z, e.angles.rate.x,
                           e.angles.rate.y, e.angles.rate.z, e.instant, e.turned})
      numbers.push_back(x);
  return numbers;
}

struct March {
  explicit March(const Model& model)
      : plan(make_plan(model)), system(*plan.system), schedule(make_schedule(system, model)) {
    h = most_frequent_step(system, schedule).h;
    other = model;
    other.bodies.back().mass *= 1.3;
    for (double& J : other.bodies.back().inertia) J *= 1.2;
    constants = prepare(system, other);
    offsets = probe_offsets(system, other);
    const auto recorded = record_march(plan, {h, 0.25 * h}, sample_nominal_run(plan, schedule));
    if (const auto* none = std::get_if<NoPrograms>(&recorded)) {
      ADD_FAILURE() << none->reason;
      return;
    }
    SharedNumbers shared;
    shared.constants = shared_constants({prepare(system, model), constants});
    shared.constant_values = constants;
    auto shorter = specialize(std::get<MarchPrograms>(recorded), shared);
    EXPECT_TRUE(shorter.has_value());
    if (shorter) programs = *shorter;
  }

  std::vector<double> context(double time, double inside) const {
    Workspace<double> w(system);
    forget_turns(system, w);
    update_drives(system, constants.data(), time, inside, w);
    std::vector<double> numbers;
    visit_context(system, w, [&](double x) { numbers.push_back(x); });
    return numbers;
  }

  /// The outputs of a program at a state, by region.
  std::vector<std::vector<double>> run(const Program& program, const MotionState& state,
                                       double inside, double ahead, double scale,
                                       const std::vector<double>& euler) const {
    const std::vector<double> here = context(state.time, inside),
                              there = context(state.time + ahead, inside), size = {scale},
                              time = {state.time};
    const std::vector<double> step = StepRegion::numbers(step_numbers(system, h));
    std::vector<const double*> in;
    for (const TapeRegion& region : program.inputs)
      in.push_back(region.name == "constants"      ? constants.data()
                   : region.name == "offsets"      ? offsets.data()
                   : region.name == "q"            ? state.q.data()
                   : region.name == "v"            ? state.v.data()
                   : region.name == "vdot"         ? state.vdot.data()
                   : region.name == "lambda"       ? state.lambda.data()
                   : region.name == "context"      ? here.data()
                   : region.name == "length_scale" ? size.data()
                   : region.name == "euler"        ? euler.data()
                   : region.name == "time"         ? time.data()
                   : region.name == "step"         ? step.data()
                                                   : there.data());
    std::vector<std::vector<double>> out;
    std::vector<double*> places;
    for (const TapeRegion& region : program.outputs)
      out.emplace_back(static_cast<std::size_t>(region.size), -1.0);
    for (auto& region : out) places.push_back(region.data());
    EXPECT_TRUE(interpret(program, in, places)) << program.name << ": a guard failed";
    return out;
  }

  void expect_restart(Integrator& after, const std::vector<std::vector<double>>& found) const {
    using R = RestartRegions;
    const auto same = [&](const std::vector<double>& a, int region, const char* name) {
      const auto& b = found[static_cast<std::size_t>(region)];
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t i = 0; i < a.size(); ++i)
        EXPECT_TRUE(same_number(a[i], b[i])) << name << i << ": " << a[i] << ", " << b[i];
    };
    same(after.state().v, R::next_v, "v");
    same(after.state().vdot, R::next_vdot, "vdot");
    same(after.state().lambda, R::next_lambda, "lambda");
    same(after.departure().a, R::next_a, "a");
    same(after.departure().v_start, R::v_start, "v_start");
    same(eulers_of(after.observe()), R::next_euler, "euler");
    same({after.departure().acceleration_size, after.impulse_work(), 0.0}, R::rest, "rest");
  }

  Plan plan;
  const System& system;
  Schedule schedule;
  double h = 0;
  Model other;
  std::vector<double> constants, offsets;
  MarchPrograms programs;
};

class RecordedMarch : public ::testing::TestWithParam<int> {};

TEST_P(RecordedMarch, HaveTheBitsOfTheIntegrator) {
  const March march(testing::machines[GetParam()].make());
  if (HasFatalFailure() || march.programs.restart.empty()) return;
  Integrator integrator(march.plan, march.constants);
  const double h = march.h;
  integrator.start(start_state(march.plan, march.other, march.constants, 0.5 * h), 0.0, 0.5 * h);
  const double scale = integrator.length_scale();
  auto euler = eulers_of(integrator.observe());
  auto found = march.run(march.programs.restart[0], integrator.state(), 0.5 * h, h, scale, euler);
  integrator.restart(h);
  march.expect_restart(integrator, found);
  double time = 0;
  for (int k = 1; k <= 20; ++k) {
    time = k * h;
    ASSERT_TRUE(integrator.step(time));
  }
  const double inside = 0.5 * (19 * h + time);

  euler = eulers_of(integrator.observe());
  const ProbeRecorder probes(march.system, march.offsets.data(), march.constants.data());
  std::vector<double> values(static_cast<std::size_t>(probes.size()));
  probes.measure(integrator, values.data());
  found = march.run(march.programs.measure, integrator.state(), inside, 0, scale, euler);
  ASSERT_EQ(values.size(), found[0].size());
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_TRUE(same_number(values[i], found[0][i])) << i;
  EXPECT_TRUE(same_number(integrator.alignment(), found[1][0]));

  EnergyAccount account(march.system, march.constants);
  const EnergySight<double> seen = account.see(integrator, integrator.observe());
  found = march.run(march.programs.look, integrator.state(), inside, 0, scale, euler);
  const double sight[] = {seen.kinetic, seen.potential, seen.size, seen.violation, seen.slack};
  for (std::size_t i = 0; i < std::size(sight); ++i)
    EXPECT_TRUE(same_number(sight[i], found[0][i])) << i;

  // Euler angles that have turned so far that they are followed, and not quite so far.
  for (const double turned : {0.5 - 1e-3 * h, 0.6}) {
    Workspace<double> w = integrator.observe();
    if (w.euler.empty()) break;
    w.ahead = h;
    w.euler[0].turned = turned;
    found = march.run(march.programs.turn, integrator.state(), inside, 0, scale, eulers_of(w));
    const bool due = turns_to_follow(march.system, h, integrator.state().v.data(), w);
    EXPECT_EQ(found[1][0], due ? 1.0 : 0.0);
    EXPECT_EQ(found[0], eulers_of(w));
    found = march.run(march.programs.follow, integrator.state(), inside, 0, scale, eulers_of(w));
    EXPECT_EQ(follow_turns(march.system, march.constants.data(), w), found[1][0] > 0.5);
    EXPECT_EQ(found[0], eulers_of(w));
    if (turned > 0.5) {
      EXPECT_EQ(found[0][EulerNumbers::turned], 0.0);
    }
  }

  // In steps of another size, as after a break point.
  found = march.run(march.programs.restart[1], integrator.state(), time + 0.5 * (0.25 * h),
                    0.25 * h, scale, euler);
  integrator.restart(0.25 * h);
  march.expect_restart(integrator, found);
}

INSTANTIATE_TEST_SUITE_P(Machines, RecordedMarch, ::testing::Values(0, 1));

TEST(RecordedMarchOfBeams, IsRefused) {
  const Plan plan = make_plan(testing::machines[2].make());
  EXPECT_EQ(why_no_march(plan)->reason, "beams are left to the processor");
}

}  // namespace
}  // namespace tumble
