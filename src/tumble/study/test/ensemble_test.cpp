// Ensembles give the same bits whatever the threads, the width and the order; lanes do not touch
// each other; failures are data.
#include "tumble/study/ensemble.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <random>

#include "ensemble_for_tests.hpp"
#include "lanes_for_tests.hpp"
#include "tumble/integrate/run.hpp"
#include "tumble/model/compile.hpp"
#include "tumble/study/lanes/lane_kernel.hpp"
#include "tumble/study/statistics/statistics_tree.hpp"
#include "two_bars.hpp"

namespace tumble {
namespace {

LeafSource shuffled_leaves(std::uint64_t realizations) {
  std::vector<LeafTask> tasks;
  for (const LeafSource next = leaf_source(realizations); const auto task = next();)
    tasks.push_back(*task);
  std::shuffle(tasks.begin(), tasks.end(), std::mt19937(1));
  const auto taken = std::make_shared<std::atomic<std::size_t>>(0);
  return [tasks, taken]() -> std::optional<LeafTask> {
    const std::size_t i = (*taken)++;
    return i < tasks.size() ? std::optional(tasks[i]) : std::nullopt;
  };
}

class Study {
 public:
  explicit Study(const Model& model = two_bars()) : plan(make_plan(compile(model))) {
    for (const char* path :
         {"bodies.lower.mass", "bodies.lower.position[0]", "bodies.upper.inertia[1]"})
      inputs.slots.push_back(plan.system->parameters.find(path));
    inputs.fill = [](std::uint64_t r, double* x) {
      // From 300 to 9000 kg, as far as pivots were promised to hold.
      x[0] = r % 7 == 0 ? 300 : r % 7 == 1 ? 9000 : 300 + 8700 * uniform(3 * r);
      x[1] = 0.9 + 0.2 * uniform(3 * r + 1);
      x[2] = 0.195 + 0.01 * uniform(3 * r + 2);
    };
  }

  struct Result {
    std::string statistics;
    std::map<std::uint64_t, std::string> leaves;
    bool operator==(const Result&) const = default;
  };

  Result run(int threads, int width, std::uint64_t realizations, bool shuffled = false) const {
    EnsembleOptions options;
    options.threads = threads;
    options.width = width;
    options.sketch_size = 16;
    options.keep_values = [](std::uint64_t) { return true; };
    StatisticsTree tree;
    Result result;
    std::mutex mutex;
    const LeafSource next = shuffled ? shuffled_leaves(realizations) : leaf_source(realizations);
    const bool complete = run_ensemble(plan, inputs, next, options, [&](LeafResult&& leaf) {
      const std::lock_guard lock(mutex);
      result.leaves[leaf.record.leaf] = leaf.record.serialize();
      tree.add(leaf.record.leaf, std::move(leaf.statistics));
    });
    EXPECT_TRUE(complete);
    result.statistics = tree.finish(realizations).serialize();
    return result;
  }

  LeafRecord leaf(const Result& result, std::uint64_t index) const {
    return LeafRecord::deserialize(index, result.leaves.at(index), statistics_layout(*plan.system));
  }

  Plan plan;
  EnsembleInputs inputs;
};

TEST(Ensemble, HasTheSameBitsForAnyThreadsWidthAndOrder) {
  const Study study;
  const auto reference = study.run(1, 1, 200);
  for (const int threads : {1, 2, 7, 16})
    for (const LaneKernel& kernel : available_lane_kernels())
      EXPECT_TRUE(study.run(threads, kernel.width, 200) == reference)
          << threads << " threads, " << kernel.width << " lanes";
  EXPECT_TRUE(study.run(2, 0, 200, true) == reference) << "shuffled";
}

TEST(Ensemble, LanesHaveTheBitsOfTheScalarEngine) {
  const Study study;
  const auto result = study.run(2, 0, 32);
  const LeafRecord leaf = study.leaf(result, 0);
  Realization realization(study.plan.system->nominal);
  for (std::size_t r = 0; r < 32; ++r) {
    EXPECT_EQ(leaf.outcomes[r].status, RealizationStatus::ok) << leaf.outcomes[r].reason;
    for (std::size_t i = 0; i < 3; ++i)
      realization.set(study.inputs.slots[i], leaf.inputs[3 * r + i]);
    const Trajectory alone = run(study.plan, realization.model());
    const double* row = leaf.values->row(r);
    for (std::size_t t = 0; t < alone.times.size(); ++t, row += 11)
      for (std::size_t k = 0; k < 3; ++k)
        EXPECT_EQ(row[k], alone.series[0].values[3 * t + k]) << r << " " << t;
  }
}

TEST(Ensemble, FailuresAreDataAndLeaveTheirNeighboursAlone) {
  Study study;
  study.inputs.slots.push_back(study.plan.system->parameters.find("bodies.upper.velocity[2]"));
  const auto fill = study.inputs.fill;
  study.inputs.fill = [fill](std::uint64_t r, double* x) {
    fill(r, x);
    x[3] = 0;
  };
  const auto good = study.run(1, 0, 64);
  study.inputs.fill = [fill](std::uint64_t r, double* x) {
    fill(r, x);
    x[3] = 0;
    if (r == 3) x[3] = 1e12;  // far too fast for the step: the lane diverges, and so does the rerun
    if (r == 5) x[3] = 1e6;   // the same, less far
    if (r == 12) x[0] = -1;   // no machine
    if (r == 13) x[2] = 5;    // an inertia that no distribution of mass has
  };
  const auto reference = study.run(1, 1, 64);
  for (const LaneKernel& kernel : available_lane_kernels())
    EXPECT_TRUE(study.run(2, kernel.width, 64) == reference) << kernel.width;
  const LeafRecord before = study.leaf(good, 0), after = study.leaf(reference, 0);
  EXPECT_EQ(after.outcomes[3].status, RealizationStatus::failed);
  EXPECT_FALSE(after.outcomes[3].reason.empty());
  EXPECT_LT(after.values->valid_times(3), 6u);
  EXPECT_EQ(after.outcomes[5].status, RealizationStatus::failed);
  EXPECT_FALSE(after.outcomes[5].reason.empty());
  EXPECT_GT(after.outcomes[5].failure_time, 0);
  EXPECT_LT(after.values->valid_times(5), 6u);
  EXPECT_EQ(after.outcomes[12].status, RealizationStatus::inadmissible);
  EXPECT_NE(after.outcomes[12].reason.find("mass = -1 kg"), std::string::npos)
      << after.outcomes[12].reason;
  EXPECT_EQ(after.outcomes[13].status, RealizationStatus::inadmissible);
  EXPECT_EQ(after.values->valid_times(12), 0u);
  EXPECT_EQ(after.failures(), 4u);
  for (std::size_t r = 0; r < 64; ++r) {
    if (r == 3 || r == 5 || r == 12 || r == 13) continue;
    EXPECT_EQ(after.outcomes[r].status, RealizationStatus::ok);
    EXPECT_TRUE(std::equal(before.values->row(r), before.values->row(r + 1), after.values->row(r)))
        << "realisation " << r << " noticed its neighbours";
  }
}

// A lane cannot halve its step: the scalar engine does, and what it saves counts like any other.
TEST(Ensemble, ARealizationIsSavedByHalvingItsSteps) {
  Model model = two_bars();
  model.simulation.max_iterations = 4;  // so that Newton gives up where the motion is fast
  Study study(model);
  study.inputs.slots.push_back(
      study.plan.system->parameters.find("bodies.upper.angular_velocity[1]"));
  const auto fill = study.inputs.fill;
  constexpr double fast = 30, hopeless = 1e6;  // [rad/s]
  study.inputs.fill = [fill](std::uint64_t r, double* x) {
    fill(r, x);
    x[3] = r == 5 ? fast : r == 9 ? hopeless : 0.0;
  };
  const auto reference = study.run(1, 1, 64);
  for (const LaneKernel& kernel : available_lane_kernels())
    EXPECT_TRUE(study.run(2, kernel.width, 64) == reference) << kernel.width;
  const LeafRecord leaf = study.leaf(reference, 0);
  EXPECT_EQ(leaf.outcomes[5].status, RealizationStatus::ok) << leaf.outcomes[5].reason;
  EXPECT_EQ(leaf.values->valid_times(5), 6u);
  EXPECT_EQ(leaf.outcomes[9].status, RealizationStatus::failed);
  EXPECT_EQ(leaf.failures(), 1u);
  // It is what it is said to be: alone it halves, and has the same bits.
  Realization realization(study.plan.system->nominal);
  for (std::size_t i = 0; i < 4; ++i)
    realization.set(study.inputs.slots[i], leaf.inputs[4 * 5 + i]);
  const Trajectory alone = run(study.plan, realization.model());
  EXPECT_GT(alone.statistics.halvings, 0);
  EXPECT_EQ(leaf.outcomes[5].energy_mismatch, alone.statistics.energy.relative_mismatch);
  for (std::size_t t = 0; t < alone.times.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_EQ(leaf.values->row(5)[11 * t + k], alone.series[0].values[3 * t + k]) << t;
}

// Every realisation has an account of its energy, the same in a lane and alone.
TEST(Ensemble, AccountsForTheEnergyOfEveryRealization) {
  const Study study;
  const LeafRecord leaf = study.leaf(study.run(2, 0, 32), 0);
  Realization realization(study.plan.system->nominal);
  for (std::size_t r = 0; r < 32; ++r) {
    for (std::size_t i = 0; i < 3; ++i)
      realization.set(study.inputs.slots[i], leaf.inputs[3 * r + i]);
    const double mismatch = leaf.outcomes[r].energy_mismatch;
    EXPECT_GT(mismatch, 0);
    EXPECT_LT(mismatch, 1e-2);
    EXPECT_EQ(mismatch, run(study.plan, realization.model()).statistics.energy.relative_mismatch);
  }
}

// Inertias that hardly belong to a body: needles, whose smallest moment is 1e-9 of the others, and
// plates, which have the largest moment that the other two allow. On a hinge and flying freely.
TEST(Ensemble, NearlySingularInertiasLeaveTheirNeighboursAlone) {
  Model model = two_bars();
  Body chip;
  chip.name = "chip";
  chip.mass = 1;
  chip.position = {3, 0, 0};
  chip.inertia = {0.1, 0.11, 0.12, 0, 0, 0};
  chip.angular_velocity = {3, 2, 5};
  model.bodies.push_back(chip);
  Probe flight;
  flight.name = "flight";
  flight.body = BodyRef{"chip"};
  flight.quantities = {Quantity::orientation, Quantity::angular_velocity};
  model.probes.push_back(flight);
  Study study(model);
  for (const char* body : {"lower", "chip"})
    for (int i = 0; i < 3; ++i)
      study.inputs.slots.push_back(
          study.plan.system->parameters.find(fmt::format("bodies.{}.inertia[{}]", body, i)));
  const auto fill = study.inputs.fill;
  const auto good_inertias = [fill](std::uint64_t r, double* x) {
    fill(r, x);
    const double numbers[] = {300, 300, 5, 0.1, 0.11, 0.12};
    for (std::size_t i = 0; i < 6; ++i) x[3 + i] = numbers[i] * (1 + 0.01 * uniform(7 * r + i));
  };
  const std::map<std::uint64_t, std::array<double, 6>> extremes = {
      {2, {300, 300, 3e-7, 0.1, 0.1, 1e-10}},                            // needles along z
      {11, {3e-7, 300, 300, 1e-10, 0.1, 0.1}},                           // along x
      {20, {300, 300, 600 * (1 - 1e-8), 0.1, 0.1, 0.2 * (1 - 1e-8)}},    // round plates
      {29, {1, 300, 301 * (1 - 1e-8), 1e-4, 0.1, 0.1001 * (1 - 1e-8)}},  // long ones
  };
  study.inputs.fill = good_inertias;
  const LeafRecord before = study.leaf(study.run(1, 0, 64), 0);
  EXPECT_EQ(before.failures(), 0u);
  study.inputs.fill = [&](std::uint64_t r, double* x) {
    good_inertias(r, x);
    if (const auto found = extremes.find(r); found != extremes.end())
      std::copy(found->second.begin(), found->second.end(), x + 3);
  };
  const auto reference = study.run(1, 1, 64);
  for (const LaneKernel& kernel : available_lane_kernels())
    EXPECT_TRUE(study.run(2, kernel.width, 64) == reference) << kernel.width;
  const LeafRecord after = study.leaf(reference, 0);
  for (std::size_t r = 0; r < 64; ++r) {
    EXPECT_EQ(after.outcomes[r].status, RealizationStatus::ok) << after.outcomes[r].reason;
    const bool same =
        std::equal(before.values->row(r), before.values->row(r + 1), after.values->row(r));
    EXPECT_EQ(same, !extremes.contains(r)) << "realisation " << r;
  }
}

TEST(Ensemble, AStudyMayBeExtended) {
  const Study study;
  EnsembleOptions options;
  const auto compute = [&](StatisticsTree& tree, std::uint64_t realizations) {
    std::atomic<int> leaves{0};
    const auto finished = [&](const LeafTask& task) { return tree.contains(task.leaf); };
    EXPECT_TRUE(run_ensemble(study.plan, study.inputs, leaf_source(realizations, finished), options,
                             [&](LeafResult&& leaf) {
                               ++leaves;
                               tree.add(leaf.record.leaf, std::move(leaf.statistics));
                             }));
    return leaves.load();
  };
  StatisticsTree extended, direct;
  EXPECT_EQ(compute(extended, 100), 2);
  extended.finish(100);
  EXPECT_EQ(compute(extended, 200), 3);
  EXPECT_EQ(compute(direct, 200), 4);
  EXPECT_TRUE(extended.finish(200) == direct.finish(200));
}

TEST(Ensemble, OneRealizationAloneHasTheSameBits) {
  const Study study;
  const LeafRecord leaf = study.leaf(study.run(2, 0, 128), 1);
  for (const std::uint64_t r : {64u, 70u, 127u}) {
    const SingleRealization alone = run_realization(study.plan, study.inputs, r);
    const double* row = leaf.values->row(r - 64);
    EXPECT_TRUE(std::equal(alone.values.begin(), alone.values.end(), row));
  }
}

TEST(Ensemble, OtherBreakPointsGoThroughTheScalarEngine) {
  Model model = two_bars();
  model.joints[0].kind = [&] {
    auto hinge = std::get<RevoluteJoint>(model.joints[0].kind);
    hinge.motion.drive[5] = "motor";
    return hinge;
  }();
  HarmonicDrive motor;
  motor.amplitude = 0.1;
  motor.frequency = 3;
  motor.start = 0.03;
  model.drives = {{"motor", motor}};
  Study study(model);
  study.inputs.slots = {study.plan.system->parameters.find("drives.motor.start")};
  ASSERT_GE(study.inputs.slots[0], 0);
  study.inputs.fill = [](std::uint64_t r, double* x) {
    x[0] = 0.03 + 0.0011 * static_cast<double>(r % 5);
  };
  const auto reference = study.run(1, 1, 70);
  EXPECT_TRUE(study.run(3, 0, 70) == reference);
  EXPECT_EQ(study.leaf(reference, 0).failures(), 0u);
}

// A break at an output and one between outputs, after which steps are as long as before: lanes
// start anew there all the same, since the speed that the motor imposes jumps.
TEST(Ensemble, LanesStartAnewAtBreaksWithoutShorterSteps) {
  Model model = two_bars();
  std::get<RevoluteJoint>(model.joints[0].kind).motion.drive[5] = "motor";
  model.drives = {{"motor", PiecewiseLinearDrive{{0, 0.04, 0.07, 1}, {0, 0.02, 0.01, 3}}}};
  model.simulation.break_substeps = 1;
  const auto fill = [](std::uint64_t r, double* x) { x[0] = 300 + 10 * static_cast<double>(r); };
  expect_bits_of_scalar_engine(model, {"bodies.lower.mass"}, fill);
  // And the speed does jump: the angle of the motor is exact at outputs, its rate on either side.
  Probe shaft;
  shaft.name = "shaft";
  shaft.joint = JointRef{"top"};
  shaft.quantities = {Quantity::angle_rate};
  model.probes = {shaft};
  const Trajectory alone = simulate(model);
  ASSERT_EQ(alone.breaks.size(), 2u);
  EXPECT_NEAR(alone.series[0].right_values[0], -0.01 / 0.03, 1e-9);
  EXPECT_NEAR(alone.series[0].right_values[1], 2.99 / 0.93, 1e-9);
}

TEST(LeafSource, GivesEachUnfinishedLeafOnce) {
  const auto odd = [](const LeafTask& task) { return task.leaf % 2 == 1; };
  const LeafSource next = leaf_source(4 * realizations_per_leaf + 5, odd);
  for (const LeafTask& expected : {LeafTask{0, 64}, LeafTask{2, 64}, LeafTask{4, 5}}) {
    const std::optional<LeafTask> task = next();
    ASSERT_TRUE(task);
    EXPECT_EQ(task->leaf, expected.leaf);
    EXPECT_EQ(task->count, expected.count);
  }
  EXPECT_FALSE(next());
  EXPECT_FALSE(next());
}

TEST(Ensemble, IsCompleteIfStoppedAfterItsLastLeaf) {
  const Study study;
  EnsembleOptions options;
  options.threads = 1;
  int leaves = 0;
  options.stop = [&] { return leaves == 2; };
  EXPECT_TRUE(run_ensemble(study.plan, study.inputs, leaf_source(128), options,
                           [&](LeafResult&&) { ++leaves; }));
}

TEST(Ensemble, StopsAtTheNextLeaf) {
  const Study study;
  EnsembleOptions options;
  options.threads = 1;
  int leaves = 0;
  options.stop = [&] { return leaves == 2; };
  EXPECT_FALSE(run_ensemble(study.plan, study.inputs, leaf_source(500), options,
                            [&](LeafResult&&) { ++leaves; }));
  EXPECT_EQ(leaves, 2);
}

TEST(Ensemble, WhatCommitThrowsEndsTheStudy) {
  const Study study;
  EXPECT_THROW(run_ensemble(study.plan, study.inputs, leaf_source(500), {},
                            [](LeafResult&&) { throw std::runtime_error("disk full"); }),
               std::runtime_error);
  EnsembleOptions options;
  options.width = 3;
  if (find_lane_kernel(0) == nullptr) return;
  EXPECT_THROW(run_ensemble(study.plan, study.inputs, leaf_source(1), options, {}),
               std::invalid_argument);
}

}  // namespace
}  // namespace tumble
