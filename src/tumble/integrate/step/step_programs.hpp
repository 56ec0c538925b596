// Compiled programs of a machine as the integrator of lanes calls them in place of kernels: plain
// functions and numbers. Who records, compiles and loads them is module `program`; where there are
// none the kernels do everything, with the same bits.
#pragma once
#include <vector>

namespace tumble {

struct StepPrograms {
  /// Arrays of batches in, arrays of batches out (program/machine_programs.hpp names the regions);
  /// not 0 if the numbers are none of those that the program was recorded for: the outputs then
  /// mean nothing, and the kernels are to be called.
  using Function = int(const double* const* in, double* const* out, double* scratch);

  Function* residual = nullptr;
  Function* residual_without_dissipation = nullptr;
  Function* factor = nullptr;
  Function* correction = nullptr;
  Function* prediction = nullptr;
  /// Room that the longest of them needs, in batches.
  int scratch = 0;
  /// The step size that factors hold, and if so residuals [s].
  double step_size = 0;
  bool residual_needs_step_size = false;
  /// Which numbers of visit_context() residuals and factors read.
  std::vector<int> context;
  /// Constants that programs hold, and what each has to be: others make the programs useless.
  std::vector<int> shared;
  std::vector<double> shared_values;
};

}  // namespace tumble
