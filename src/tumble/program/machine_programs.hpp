// The programs of one machine: what Newton's iteration of a step computes, recorded.
#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tumble/integrate/plan.hpp"
#include "tumble/program/optimize.hpp"
#include "tumble/program/tape.hpp"

namespace tumble {

/// Where a recording is made: the state of some realisation at some instant. Several of them say
/// which short paths of kernels are worth taking (recorder.hpp); no number of theirs gets into a
/// program.
struct MachineSample {
  std::vector<double> constants, q, v, vdot, lambda, u;
  double time = 0, inside = 0;
};

/// What a step makes of its size alone.
struct StepNumbers {
  double h = 0;           ///< [s]
  double c1 = 0, c2 = 0;  ///< of Newton's matrix A(c1, c2)
  double row_scale = 1;   ///< of residuals of constraints
};

/// Step sizes as an input: segments of a schedule divide their lengths, and rounding makes several
/// sizes of one. The same in all lanes.
struct StepRegion {
  enum { h, h2, c1, c2, row_scale, size };
  static std::vector<double> numbers(const StepNumbers& step) {
    return {step.h, step.h * step.h, step.c1, step.c2, step.row_scale};
  }
};

/// Numbers of the regions of the programs below, in order.
struct ResidualRegions {
  enum In { constants, q, v, vdot, lambda, context };
  enum Out { residual, rest };
  /// `rest`: what the power balance and turns need.
  enum Rest { work, dissipation, bushing_reach, rest_size };
};
struct FactorRegions {
  enum In { constants, q, v, vdot, lambda, context, u };
  enum Out { factor, degraded };
};
struct CorrectionRegions {
  enum In { constants, residual, lambda, factor, active, vdot, v, u, q, step };
  enum Out { solution, next_vdot, next_v, next_u, next_lambda, next_q, sizes };
  /// `sizes`: the largest weighted entries, and what is zero unless one is not finite.
  enum Sizes { change, acceleration, nonfinite, sizes_size };
};
struct PredictionRegions {
  enum In { q, v, vdot, lambda, vdot_before, lambda_before, a, step };
  enum Out { next_vdot, next_v, next_u, next_lambda, next_q, next_a };
};

/// Tangents and factors hold the step size itself, because what it is multiplied with is often
/// shared; so do residuals that follow angles through turns.
struct MachinePrograms {
  /// update_bodies() and residual(). The second leaves dissipation out.
  Program residual, residual_without_dissipation;
  /// update_bodies(), tangent(), assemble_kkt() and factorize(): lanes with degraded factors get 1.
  Program factor;
  /// From a residual to the next iterate: the solution, what it does to accelerations, velocities,
  /// increments and multipliers, and compose().
  Program correction;
  /// What a step starts from, with a history; and compose().
  Program prediction;
  bool residual_needs_step_size = false;
};

/// Why a machine cannot be recorded.
struct NoPrograms {
  std::string reason;
};

/// Records the programs, of steps of one size. `samples` not empty.
std::variant<MachinePrograms, NoPrograms> record_machine(const Plan& plan, const StepNumbers& step,
                                                         const std::vector<MachineSample>& samples);

/// A residual's program that leaves dissipation out.
Program without_dissipation(const Program& residual);

/// Constants that have the same bits in all of these arrays.
std::vector<int> shared_constants(const std::vector<std::vector<double>>& constants);

/// The programs with such constants as literals. Empty programs become none: null if a guard can
/// never hold.
std::optional<MachinePrograms> specialize(const MachinePrograms& programs,
                                          const std::vector<int>& shared,
                                          const std::vector<double>& constants);

}  // namespace tumble
