// Lanes with compiled programs have the bits of lanes with kernels, over whole runs: values,
// failures, iterations and factorisations.
#include "tumble/program/compiled_machine.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "tumble/integrate/probe_recorder.hpp"
#include "tumble/integrate/start/start_state.hpp"
#include "tumble/model/compile.hpp"
#include "tumble/program/test/hostile_numbers.hpp"
#include "tumble/program/test/machines.hpp"
#include "tumble/study/lanes/lane_kernel.hpp"

namespace tumble {
namespace {

using testing::Machine;
using testing::same_number;

/// Realisations of a machine: the last body's mass and inertia, or the moduli of its beams, vary.
struct Members {
  Members(const Model& model, int count)
      : plan(rehearse(make_plan(model))), schedule(make_schedule(*plan.system, model)) {
    const System& system = *plan.system;
    for (int i = 0; i < count; ++i) {
      Model realization = model;
      const double factor = 0.8 + 0.05 * i;
      if (!realization.bodies.empty()) {
        realization.bodies.back().mass *= factor;
        for (double& J : realization.bodies.back().inertia) J *= factor;
      }
      for (auto& beam : realization.beams) beam.youngs_modulus *= factor;
      constants.push_back(prepare(system, realization));
      offsets.push_back(probe_offsets(system, realization));
      starts.push_back(start_state(plan, realization, constants.back(),
                                   0.5 * start_step(schedule, realization)));
      if (starts.back().turns.empty()) starts.back().turns = system.described_turns();
    }
    for (const ProbeSeries& series : make_series(model))
      numbers += static_cast<std::size_t>(series.size);
  }

  Plan plan;
  Schedule schedule;
  std::vector<std::vector<double>> constants, offsets;
  std::vector<InitialState> starts;
  std::size_t numbers = 0;
};

struct Outcome {
  std::vector<std::vector<double>> values;
  std::vector<bool> failed;
  std::vector<double> mismatch;
  long iterations = 0, factorizations = 0;
  bool used = false;
};

Outcome run_lanes(const Members& members, const LaneKernel& kernel, const StepPrograms* programs) {
  const auto width = static_cast<std::size_t>(kernel.width);
  const auto runner = kernel.runner(members.plan, members.schedule);
  Outcome outcome;
  for (std::size_t first = 0; first < members.constants.size(); first += width) {
    const std::size_t lanes = std::min(width, members.constants.size() - first);
    std::vector<const double*> constants, offsets, q, v, turns;
    std::vector<double*> values;
    std::vector<std::vector<EventTally>> tallies(lanes);
    std::vector<EventTally*> events;
    std::vector<std::vector<double>> rows(
        lanes, std::vector<double>(members.schedule.outputs.size() * members.numbers));
    for (std::size_t i = 0; i < lanes; ++i) {
      constants.push_back(members.constants[first + i].data());
      offsets.push_back(members.offsets[first + i].data());
      q.push_back(members.starts[first + i].q.data());
      v.push_back(members.starts[first + i].v.data());
      turns.push_back(members.starts[first + i].turns.data());
      values.push_back(rows[i].data());
      tallies[i].resize(members.plan.system->events.size());
      events.push_back(tallies[i].data());
    }
    const auto failed = std::make_unique<bool[]>(lanes);
    std::vector<double> mismatch(lanes);
    long iterations = 0, factorizations = 0;
    LaneBatch batch;
    batch.lanes = static_cast<int>(lanes);
    batch.constants = constants.data();
    batch.offsets = offsets.data();
    batch.q = q.data();
    batch.v = v.data();
    batch.turns = turns.data();
    batch.values = values.data();
    batch.events = events.data();
    batch.failed = failed.get();
    batch.energy_mismatch = mismatch.data();
    batch.iterations = &iterations;
    batch.factorizations = &factorizations;
    batch.programs = programs;
    runner->run(batch);
    outcome.used = outcome.used || runner->used_programs();
    for (std::size_t i = 0; i < lanes; ++i) {
      outcome.values.push_back(rows[i]);
      outcome.failed.push_back(failed[i]);
      outcome.mismatch.push_back(mismatch[i]);
    }
    outcome.iterations += iterations;
    outcome.factorizations += factorizations;
  }
  return outcome;
}

/// A folder that is gone at the end.
struct Folder {
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "tumble-cache-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::filesystem::path path;
};

CompileRequest request_for(const Members& members, const LaneKernel& kernel) {
  CompileRequest request;
  request.registers = lane_registers(kernel.instruction_set, kernel.width);
  request.width = kernel.width;
  request.constants = members.constants;
  return request;
}

void expect_same_runs(const Machine& machine, int width) {
  SCOPED_TRACE(machine.name);
  const LaneKernel* kernel = find_lane_kernel(width);
  ASSERT_NE(kernel, nullptr);
  // A group that is not full at the end.
  const Members members(machine.make(), 11);
  const Folder folder;
  const auto made = compile_machine(members.plan, members.schedule, request_for(members, *kernel),
                                    KernelCache(folder.path / "kernels"));
  ASSERT_TRUE(std::holds_alternative<CompiledMachine>(made)) << std::get<Refusal>(made).reason;
  const auto& compiled = std::get<CompiledMachine>(made);
  const Outcome kernels = run_lanes(members, *kernel, nullptr);
  const Outcome programs = run_lanes(members, *kernel, &compiled.programs);
  EXPECT_FALSE(kernels.used);
  EXPECT_TRUE(programs.used);
  EXPECT_EQ(kernels.iterations, programs.iterations);
  EXPECT_EQ(kernels.factorizations, programs.factorizations);
  EXPECT_EQ(kernels.failed, programs.failed);
  std::size_t compared = 0;
  for (std::size_t r = 0; r < kernels.values.size(); ++r) {
    ASSERT_TRUE(same_number(kernels.mismatch[r], programs.mismatch[r]));
    for (std::size_t i = 0; i < kernels.values[r].size(); ++i, ++compared)
      ASSERT_TRUE(same_number(kernels.values[r][i], programs.values[r][i]))
          << "realisation " << r << ", number " << i;
  }
  EXPECT_GT(compared, 1000u);
  std::printf("%s, W = %d: compiled in %.1f s; %zu numbers are equal\n", machine.name, width,
              compiled.compile_seconds, compared);
}

TEST(CompiledMachineSlow, LanesHaveTheBitsOfTheKernels) {
  const Machine rods{"chain_3", [] { return testing::chain(3); }};
  for (const int width : {1, 4, 8}) expect_same_runs(rods, width);
  expect_same_runs(testing::machines[0], 8);
}
TEST(CompiledMachineLong, LanesHaveTheBitsOfTheKernels) {
  for (const Machine& machine : testing::machines)
    for (const int width : {1, 4, 8}) expect_same_runs(machine, width);
}

// Other constants than those that programs hold: the batch runs with kernels.
TEST(CompiledMachineSlow, OtherConstantsRunWithKernels) {
  const LaneKernel* kernel = find_lane_kernel(4);
  const Members members(testing::chain(2), 4);
  const Folder folder;
  const KernelCache cache(folder.path / "kernels");
  auto request = request_for(members, *kernel);
  const auto made = compile_machine(members.plan, members.schedule, request, cache);
  ASSERT_TRUE(std::holds_alternative<CompiledMachine>(made)) << std::get<Refusal>(made).reason;
  const auto& compiled = std::get<CompiledMachine>(made);
  EXPECT_FALSE(compiled.from_cache);
  Model longer = testing::chain(2);
  longer.gravity = {0, 0, -1.62};
  const Members others(longer, 4);
  const Outcome moon = run_lanes(others, *kernel, &compiled.programs);
  EXPECT_FALSE(moon.used);
  EXPECT_EQ(moon.values, run_lanes(others, *kernel, nullptr).values);

  // The same again comes from the cache, with the same bits.
  const auto again = compile_machine(members.plan, members.schedule, request, cache);
  ASSERT_TRUE(std::holds_alternative<CompiledMachine>(again));
  EXPECT_TRUE(std::get<CompiledMachine>(again).from_cache);
  EXPECT_EQ(run_lanes(members, *kernel, &std::get<CompiledMachine>(again).programs).values,
            run_lanes(members, *kernel, nullptr).values);

  // A damaged file is compiled anew, and never loaded.
  for (const auto& entry : std::filesystem::directory_iterator(folder.path / "kernels")) {
    std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(5000);
    file.put('!');
  }
  const auto mended = compile_machine(members.plan, members.schedule, request, cache);
  ASSERT_TRUE(std::holds_alternative<CompiledMachine>(mended));
  EXPECT_FALSE(std::get<CompiledMachine>(mended).from_cache);
}

TEST(CompiledMachine, WhyThereIsNone) {
  const Members members(testing::chain(1), 2);
  const Folder folder;
  const KernelCache cache(folder.path / "kernels");
  const auto reason = [&](const CompileRequest& request) {
    const auto made = compile_machine(members.plan, members.schedule, request, cache);
    const auto* refusal = std::get_if<Refusal>(&made);
    return refusal == nullptr ? std::string() : refusal->reason;
  };
  const auto request = request_for(members, *find_lane_kernel(1));
  const char* before = std::getenv("TUMBLE_CXX");
  const std::string kept = before != nullptr ? before : "";
  setenv("TUMBLE_CXX", "/no/such/compiler", 1);
  EXPECT_EQ(reason(request), "TUMBLE_CXX names no program: '/no/such/compiler'");
  setenv("TUMBLE_CXX", "/bin/false", 1);
  EXPECT_EQ(reason(request), "/bin/false failed");
  if (before != nullptr)
    setenv("TUMBLE_CXX", kept.c_str(), 1);
  else
    unsetenv("TUMBLE_CXX");
  auto cancelled = request;
  cancelled.cancelled = [] { return true; };
  EXPECT_EQ(reason(cancelled), "it was not needed any more");
}

}  // namespace
}  // namespace tumble
