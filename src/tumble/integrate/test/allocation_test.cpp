// A step allocates nothing: with threads that integrate side by side, the allocator would be what
// they wait for.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "tumble/dynamics/test/force_models.hpp"
#include "tumble/integrate/step/integrator.hpp"
#include "tumble/model/compile.hpp"

namespace {
std::atomic<long> allocations = 0;

void* counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
}  // namespace

// Replaced for this whole executable; the array forms of the library end up here. The nothrow forms
// (std::stable_sort) are replaced too: the address sanitizer's would not fit the deletes below.
// Eigen, which allocates by malloc, is not used by the engine's steps. Not inlined: g++ would see
// free() beside operator new and warn of a mismatch.
[[gnu::noinline]] void* operator new(std::size_t size) {
  return counted(size, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return counted(size, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment,
                                     const std::nothrow_t&) noexcept {
  return counted(size, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace tumble {
namespace {

/// One element of every kind, all at work.
Model everything() {
  using namespace testing;
  Model m = base_model();
  const Ends a_b{MarkerRef{"a"}, MarkerRef{"b"}};
  const Ends ground_b{MarkerRef{"ground"}, MarkerRef{"b"}};
  const Ends ground_bystander{MarkerRef{"ground"}, MarkerRef{"bystander"}};
  m.joints = {{"hinge", axis_joint<RevoluteJoint>(a_b)},
              {"rod", DistanceJoint{ground_b, two_points, {}, DriveRef{"two"}, {}}},
              {"slide", general_joint(ground_bystander, {true, false, false, true, false, true},
                                      motions({"", "", "", "", "three", ""}))}};
  m.forces = {{"bushing", bushing(ground_b, full_matrix(10), full_matrix(1))},
              {"spring", spring(a_b, all_characteristics()[3].value, linear(1))},
              {"torsion", torsion_spring(a_b, all_characteristics()[2].value, linear(1))},
              {"push", applied(Axes::body, true, true)}};
  m.user_forces = {cubic_attraction(ground_bystander, 0.5, true)};
  m.user_forces[0].name = "attraction";
  m.simulation.step = 1e-3;
  return m;
}

TEST(Allocation, TheCounterCounts) {
  const long before = allocations;
  const auto memory = std::make_unique<std::vector<double>>(1000);
  EXPECT_EQ(allocations - before, 2);
}

void expect_no_allocation(IntegrationMethod method) {
  Model model = everything();
  model.simulation.integrator = method;
  const auto system = compile(model);
  const std::vector<double> constants = prepare(*system, model);
  const double h = *model.simulation.step;
  Integrator integrator(make_plan(system), constants);
  integrator.start(initial_state(*system, model), 0, 0.5 * h);
  integrator.restart(h);
  const auto searches = integrator.statistics().pivot_searches;
  const auto factorizations = integrator.statistics().factorizations;
  const long before = allocations;
  bool good = true;
  int step = 0;
  while (step < 300) good = integrator.step(++step * h) && good;
  integrator.restart(0.5 * h);
  good = integrator.step(step * h + 0.5 * h) && good;
  EXPECT_EQ(allocations - before, 0);
  EXPECT_TRUE(good);
  // A search for pivots, rare and noted in the statistics, is the one thing that may allocate.
  EXPECT_EQ(integrator.statistics().pivot_searches, searches);
  EXPECT_GT(integrator.statistics().factorizations, factorizations);
}

TEST(Allocation, StepsAndRestartsAllocateNothing) {
  expect_no_allocation(IntegrationMethod::generalized_alpha);
}

TEST(Allocation, StepsOfRadauAllocateNothing) { expect_no_allocation(IntegrationMethod::radau); }

}  // namespace
}  // namespace tumble
