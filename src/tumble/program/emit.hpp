// Source text of programs: C++ over the lanes of a batch, or CUDA with one realisation a thread.
//
// Both come from one emitter and differ in how they spell operations. A program becomes functions
// of bounded size, because compilers take more than linear time for long ones; what one of them
// leaves to the next goes through scratch memory.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "tumble/program/tape.hpp"

namespace tumble {

/// Whose lanes the emitted C++ is for.
enum class LaneRegisters {
  scalar,    ///< one double
  neon,      ///< two, arm64
  avx2,      ///< four
  avx512vl,  ///< four, but twice as many registers of them
  avx512,    ///< eight
};
/// Those that serve a lane kernel best on this CPU, by the kernel's instruction set and width.
LaneRegisters lane_registers(std::string_view instruction_set, int width);
int lanes_of(LaneRegisters registers);

struct EmitOptions {
  int largest_function = 1500;  ///< operations
  /// Of CUDA: how far apart the numbers of a thread are. 0: an argument says.
  int stride = 0;
  /// Of CUDA: input regions that all threads share, by name. Their numbers follow each other.
  std::vector<std::string> shared_regions = {};
};

/// How many doubles of scratch memory (per lane) a program's functions need.
struct EmittedFunction {
  std::string name;
  int scratch = 0;
};

struct EmittedSource {
  std::string text;
  std::vector<EmittedFunction> functions;
};

/// C++ for batches of `width` lanes as Batch<width> lays them out: each number is `width` doubles.
/// Every program becomes
///     extern "C" int NAME(const double* const* in, double* const* out, double* scratch)
/// which returns 0, or 1 if a guard fails in some lane; then the outputs have no meaning. `scratch`
/// holds width doubles for each of EmittedFunction::scratch, aligned as a batch.
/// To be compiled without contraction of products and sums (compile_flags()).
EmittedSource emit_lanes(const std::vector<Program>& programs, LaneRegisters registers, int width,
                         const EmitOptions& options = {});

/// CUDA C++. Every program becomes
///     extern "C" __device__ int NAME(const double* const* in, double* const* out,
///                                    double* scratch, long stride)
/// Number i of a region is at [i * stride]: the arrays of 32 or more threads are interleaved.
/// Operations are intrinsics that round once and are never contracted, whatever the compiler's
/// flags.
EmittedSource emit_cuda(const std::vector<Program>& programs, const EmitOptions& options = {});

/// What makes emitted CUDA C++ compile as C++ for the host, with the same bits: to stand before it.
std::string cuda_host_shim();

/// Flags for a C++ compiler: the instruction set, and nothing that changes bits.
std::vector<std::string> compile_flags(LaneRegisters registers);

}  // namespace tumble
