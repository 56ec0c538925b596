// A lane runner takes its memory once: batches, with all their steps and outputs, take none.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "tumble/dynamics/test/user_samples.hpp"
#include "tumble/integrate/probe_recorder.hpp"
#include "tumble/model/compile.hpp"
#include "tumble/study/lanes/lane_kernel.hpp"
#include "two_bars.hpp"

namespace {

std::atomic<long> allocations{0};

void* counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  size = (size + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, size == 0 ? alignment : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// Not inlined: g++ would then see new paired with free and call that a mistake.
#define KEPT_OUT_OF_LINE __attribute__((noinline))
KEPT_OUT_OF_LINE void* operator new(std::size_t size) {
  return counted(size, alignof(std::max_align_t));
}
KEPT_OUT_OF_LINE void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
// The address sanitizer has forms of its own, which would not fit the deletes below.
KEPT_OUT_OF_LINE void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return counted(size, alignof(std::max_align_t));
}
KEPT_OUT_OF_LINE void* operator new(std::size_t size, std::align_val_t alignment,
                                    const std::nothrow_t&) noexcept {
  return counted(size, static_cast<std::size_t>(alignment));
}
KEPT_OUT_OF_LINE void operator delete(void* memory) noexcept { std::free(memory); }
KEPT_OUT_OF_LINE void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
KEPT_OUT_OF_LINE void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
KEPT_OUT_OF_LINE void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace tumble {
namespace {

/// Allocations of one batch of the kernel.
long allocations_of(const LaneKernel& kernel, const Model& model) {
  const Plan plan = make_plan(compile(model));
  const System& system = *plan.system;
  const Schedule schedule = make_schedule(system, model);
  const std::vector<double> constants = prepare(system, model),
                            offsets = probe_offsets(system, model);
  const InitialState start = initial_state(system, model);
  std::size_t numbers = 0;
  for (const auto& series : make_series(model)) numbers += static_cast<std::size_t>(series.size);
  std::vector<double> values(schedule.outputs.size() * numbers);
  const double* const constant = constants.data();
  const double* const offset = offsets.data();
  const double *const q = start.q.data(), *const v = start.v.data();
  double* const out = values.data();
  bool failed = true;
  long iterations = 0, factorizations = 0;
  double mismatch = 1;
  const LaneBatch batch{1,         &constant,   &offset,         &q,     &v, &out, &failed,
                        &mismatch, &iterations, &factorizations, nullptr};
  const auto runner = kernel.runner(plan, schedule);
  const long before = allocations;
  runner->run(batch);
  const long during = allocations - before;
  EXPECT_FALSE(failed);
  EXPECT_LT(mismatch, 1e-3);
  EXPECT_GT(factorizations, 1);
  return during;
}

TEST(LaneAllocation, ABatchAllocatesNothing) {
  const Model model = two_bars();
  for (const LaneKernel& kernel : available_lane_kernels()) {
    const long made_before = allocations;
    EXPECT_EQ(allocations_of(kernel, model), 0) << kernel.width << " lanes";
    EXPECT_GT(allocations, made_before) << "the counter counts";
  }
}

TEST(LaneAllocation, NorDoUserElements) {
  Model model = two_bars();
  model.user_forces.push_back({"pull",
                               std::make_shared<testing::CubicAttraction>(),
                               {BodyRef{model.bodies[0].name}, BodyRef{model.bodies[1].name}},
                               {},
                               {{"stiffness", "N/m^3", 3}, {"drag", "N s/m^3", 0.1}}});
  for (const LaneKernel& kernel : available_lane_kernels())
    EXPECT_EQ(allocations_of(kernel, model), 0) << kernel.width << " lanes";
}

}  // namespace
}  // namespace tumble
