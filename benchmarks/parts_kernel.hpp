// The parts of a step, each callable by itself, for every width: the border between the benchmark,
// compiled for any CPU, and the kernels, compiled once per instruction set. As with LaneKernel only
// plain pointers and numbers cross it.
#pragma once
#include <array>

#include "tumble/study/lanes/lane_kernel.hpp"

namespace tumble::benchmarks {

/// Functions of the engine that a run calls again and again.
enum class Part {
  restart,              ///< a consistent restart, all of it
  drives,               ///< update_drives()
  update_bodies,        ///< update_bodies()
  compose,              ///< compose()
  residual,             ///< residual()
  jacobian,             ///< tangent() and the assembly of the matrix
  jacobian_and_factor,  ///< the same, and the factorisation
  solve,                ///< solution with a factor
  probes                ///< the quantities of all probes at one output time
};

inline constexpr std::array<Part, 9> all_parts{
    Part::restart,  Part::drives,   Part::update_bodies,       Part::compose,
    Part::residual, Part::jacobian, Part::jacobian_and_factor, Part::solve,
    Part::probes};

/// What one run of a batch does.
struct RunCounts {
  long steps = 0;
  long iterations = 0;
  long factorizations = 0;  ///< those of restarts left out
  long restarts = 0;
  long outputs = 0;
};

struct PartsKernel {
  int width = 0;
  const char* instruction_set = "";
  /// Runs a batch once for its counts and then to the middle of its run, where the parts are to be
  /// measured. What it returns is for run() and destroy().
  void* (*make)(const Plan& plan, const Schedule& schedule, const LaneBatch& batch,
                RunCounts& counts) = nullptr;
  void (*destroy)(void* runner) = nullptr;
  void (*run)(void* runner, Part part, long repetitions) = nullptr;
  /// Multiply-adds in registers and nothing else: the peak. Returns the operations of a lane.
  double (*multiply_adds)(long repetitions) = nullptr;
};

PartsKernel avx2_parts_kernel(int width);  ///< 1, 4 or 8
PartsKernel avx512_parts_kernel();         ///< 8

}  // namespace tumble::benchmarks
