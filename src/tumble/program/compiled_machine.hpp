// From a machine to functions that its lanes can call: recorded, shortened, emitted, compiled or
// taken from the cache, loaded.
#pragma once
#include <functional>
#include <memory>
#include <variant>

#include "tumble/integrate/step/schedule.hpp"
#include "tumble/integrate/step/step_programs.hpp"
#include "tumble/program/emit.hpp"
#include "tumble/program/kernel_cache.hpp"
#include "tumble/program/source_compiler.hpp"

namespace tumble {

struct Plan;

struct CompiledMachine {
  StepPrograms programs;
  std::shared_ptr<const LoadedCode> code;  ///< what the programs point into
  bool from_cache = false;
  int operations = 0;          ///< of an iteration: residual and correction
  double compile_seconds = 0;  ///< wall time of compiling; 0 from the cache
};

struct CompileRequest {
  LaneRegisters registers = LaneRegisters::avx2;
  int width = 4;
  /// Constants of the nominal machine and of some realisations: what they share is shared by the
  /// study, or the programs will not be used.
  std::vector<std::vector<double>> constants;
  std::function<bool()> cancelled;
  EmitOptions emit;
};

/// Functions for a plan's steps along a schedule, or why there are none.
std::variant<CompiledMachine, Refusal> compile_machine(const Plan& plan, const Schedule& schedule,
                                                       const CompileRequest& request,
                                                       const KernelCache& cache);

}  // namespace tumble
