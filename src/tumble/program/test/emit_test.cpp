// Emitted code has the bits of the interpreter: C++ for every kind of register and width that this
// CPU has, and CUDA compiled as C++ for the host.
#include "tumble/program/emit.hpp"

#include <gtest/gtest.h>

#include "tumble/program/optimize.hpp"
#include "tumble/program/test/compiled_source.hpp"
#include "tumble/program/test/random_program.hpp"

namespace tumble {
namespace {

using testing::CompiledSource;
using testing::hostile_numbers;
using testing::same_number;

constexpr int widest = 8;
constexpr unsigned programs_tried = 12;

std::vector<Program> some_programs() {
  std::vector<Program> programs;
  for (unsigned seed = 0; seed < programs_tried; ++seed) {
    programs.push_back(without_dead_code(testing::random_program(seed, 150, seed % 3 == 0)));
    // 2^n of integers, which random programs leave out.
    Program& p = programs.back();
    p.inputs.push_back({"n", 1});
    p.outputs.push_back({"z", 1});
    p.nodes.push_back({Operation::input, 2, 0, -1});
    p.nodes.push_back({Operation::power_of_two, static_cast<int>(p.nodes.size()) - 1, -1, -1});
    p.stores.push_back({2, 0, static_cast<int>(p.nodes.size()) - 1});
  }
  return programs;
}

/// Arrays of a program's regions, `width` doubles a number.
struct Arrays {
  Arrays(const std::vector<TapeRegion>& regions, int width) {
    for (const TapeRegion& region : regions) {
      const auto size = static_cast<std::size_t>(region.size * width);
      memory.emplace_back(size + widest);
      // Batches are aligned.
      auto address = reinterpret_cast<std::uintptr_t>(memory.back().data());
      start.push_back(memory.back().data() + (64 - address % 64) % 64 / 8);
    }
  }
  std::vector<std::vector<double>> memory;
  std::vector<double*> start;
  double& at(std::size_t region, int index, int width, int lane) {
    return start[region][index * width + lane];
  }
};

/// Compares what `call` does to arrays of `width` lanes with the interpreter, on hostile inputs.
template <class Call>
void expect_same_bits(const Program& p, int width, std::mt19937& random, Call&& call) {
  const std::vector<double> numbers = hostile_numbers();
  for (int trial = 0; trial < 20; ++trial) {
    Arrays in(p.inputs, width), out(p.outputs, width), expected(p.outputs, 1);
    bool all_hold = true;
    std::vector<std::vector<std::vector<double>>> results;
    for (int lane = 0; lane < width; ++lane) {
      Arrays alone(p.inputs, 1);
      for (std::size_t r = 0; r < p.inputs.size(); ++r)
        for (int i = 0; i < p.inputs[r].size; ++i) {
          double value = numbers[random() % numbers.size()];
          if (r == 2) value = static_cast<double>(random() % 2000) - 1000;
          in.at(r, i, width, lane) = alone.at(r, i, 1, 0) = value;
        }
      all_hold = interpret(p, {alone.start.begin(), alone.start.end()}, expected.start) && all_hold;
      results.emplace_back();
      for (std::size_t r = 0; r < p.outputs.size(); ++r)
        results.back().emplace_back(expected.start[r], expected.start[r] + p.outputs[r].size);
    }
    std::vector<const double*> inputs(in.start.begin(), in.start.end());
    EXPECT_EQ(call(inputs.data(), out.start.data()), all_hold ? 0 : 1) << p.name;
    if (!all_hold) continue;
    for (const auto& store : p.stores)
      for (int lane = 0; lane < width; ++lane) {
        const auto r = static_cast<std::size_t>(store.region);
        const double right =
            results[static_cast<std::size_t>(lane)][r][static_cast<std::size_t>(store.index)];
        ASSERT_TRUE(same_number(out.at(r, store.index, width, lane), right))
            << p.name << " output " << store.region << "[" << store.index
            << "]: " << out.at(r, store.index, width, lane) << " for " << right;
      }
  }
}

struct Target {
  const char* name;
  LaneRegisters registers;
  int width;
};

std::vector<Target> targets() {
#ifdef __aarch64__
  return {{"scalar", LaneRegisters::scalar, 1}, {"neon", LaneRegisters::neon, 8}};
#else
  std::vector<Target> found = {{"scalar", LaneRegisters::scalar, 1},
                               {"avx2 4", LaneRegisters::avx2, 4},
                               {"avx2 8", LaneRegisters::avx2, 8}};
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
    found.push_back({"avx512 8", LaneRegisters::avx512, 8});
  if (__builtin_cpu_supports("avx512vl"))
    found.push_back({"avx512vl 8", LaneRegisters::avx512vl, 8});
  return found;
#endif
}

using LaneFunction = int(const double* const*, double* const*, double*);

TEST(EmittedLanesSlow, HaveTheBitsOfTheInterpreter) {
  const std::vector<Program> programs = some_programs();
  std::mt19937 random(3);
  for (const Target& target : targets()) {
    SCOPED_TRACE(target.name);
    // Functions of 40 operations: most values that cross their borders wait in scratch memory.
    const EmittedSource source =
        emit_lanes(programs, target.registers, target.width, {.largest_function = 40});
    const CompiledSource compiled(source.text, compile_flags(target.registers));
    for (std::size_t i = 0; i < programs.size(); ++i) {
      auto* function = compiled.function<LaneFunction>(programs[i].name);
      ASSERT_NE(function, nullptr) << programs[i].name;
      Arrays scratch({{"scratch", source.functions[i].scratch}}, target.width);
      expect_same_bits(programs[i], target.width, random, [&](const auto* in, auto* out) {
        return function(in, out, scratch.start[0]);
      });
    }
  }
}

using CudaFunction = int(const double* const*, double* const*, double*, long);

TEST(EmittedCudaSlow, HasTheBitsOfTheInterpreterOnTheHost) {
  const std::vector<Program> programs = some_programs();
  std::mt19937 random(4);
  const EmittedSource source = emit_cuda(programs, {.largest_function = 40});
  const CompiledSource compiled(cuda_host_shim() + source.text,
                                compile_flags(LaneRegisters::scalar));
  constexpr long stride = 4;  // of four threads
  for (std::size_t i = 0; i < programs.size(); ++i) {
    auto* function = compiled.function<CudaFunction>(programs[i].name);
    ASSERT_NE(function, nullptr) << programs[i].name;
    const Program& p = programs[i];
    Arrays scratch({{"scratch", source.functions[i].scratch}}, stride);
    expect_same_bits(p, static_cast<int>(stride), random, [&](const auto* in, auto* out) {
      int failed = 0;
      for (long thread = 0; thread < stride; ++thread) {
        std::vector<const double*> inputs;
        std::vector<double*> outputs;
        for (std::size_t r = 0; r < p.inputs.size(); ++r) inputs.push_back(in[r] + thread);
        for (std::size_t r = 0; r < p.outputs.size(); ++r) outputs.push_back(out[r] + thread);
        failed |= function(inputs.data(), outputs.data(), scratch.start[0] + thread, stride);
      }
      return failed;
    });
  }
}

TEST(EmittedLanes, FunctionsAreOfBoundedSize) {
  const Program program = without_dead_code(testing::random_program(1, 2000, true));
  const EmittedSource source =
      emit_lanes({program}, LaneRegisters::scalar, 1, {.largest_function = 100});
  int operations = 0, most = 0;
  for (std::size_t at = 0; at < source.text.size();) {
    const std::size_t end = source.text.find('\n', at);
    const std::string line = source.text.substr(at, end - at);
    if (line.starts_with("static __attribute__")) operations = 0;
    const bool fetches = line.find("LOAD") != std::string::npos;
    if (line.starts_with("  const NUMBER x") || line.starts_with("  const TRUTH t"))
      most = std::max(most, operations += !fetches);
    at = end + 1;
  }
  EXPECT_EQ(most, 100);
}

}  // namespace
}  // namespace tumble
