// The programs of whole runs: those of a step (machine_programs.hpp) for steps of any size, and
// what is done between steps. For a device, which has no kernels to fall back on.
#pragma once
#include <variant>
#include <vector>

#include "tumble/program/machine_programs.hpp"

namespace tumble {

/// Numbers of the regions of the programs below, in order. Constants are the first input of each
/// but the predictions.
struct MarchFactorRegions {
  enum In { constants, q, v, vdot, lambda, context, u, step };
  enum Out { factor, degraded };
};
struct OverflowRegions {
  enum In { constants, residual };
  enum Out { norm };
};
struct MeasureRegions {
  enum In { constants, offsets, q, v, vdot, lambda, context, euler, time };
  enum Out { values, alignment };
};
struct LookRegions {
  enum In { constants, q, v, vdot, lambda, context, length_scale };
  enum Out { sight };
  /// As EnergySight; drift is no verdict's.
  enum Sight { kinetic, potential, size, violation, slack, sight_size };
};
struct RestartRegions {
  enum In { constants, q, v, vdot, lambda, context, context_ahead, euler, time };
  enum Out { next_v, next_vdot, next_lambda, next_a, v_start, next_euler, rest };
  enum Rest { acceleration_size, impulse_work, failed, rest_size };
};

/// Euler angles that are followed: how far they may have changed since they were, and following
/// them.
struct TurnRegions {
  enum In { v, context, euler, step };
  enum Out { next_euler, due };
};
struct FollowRegions {
  enum In { constants, q, v, context, euler, time };
  enum Out { next_euler, lost };
};
/// What is followed of a body's Euler angles, in this order.
struct EulerNumbers {
  enum { angles, rates = 3, instant = 6, turned, size };
};

struct MarchPrograms {
  /// As MachinePrograms; the first prediction of a step is the one after a restart, from `v_start`.
  Program first_prediction, prediction, residual, residual_without_dissipation, correction;
  Program factor;    ///< of steps of any size
  Program overflow;  ///< the weighted norm of a residual
  Program turn, follow;
  Program measure;  ///< what probes record, and whether a joint has turned over
  Program look;     ///< what the account of energy sees
  /// BasicIntegrator::restart(), by the size of the steps that follow.
  std::vector<Program> restart;
  std::vector<double> restart_sizes;

  std::vector<Program*> all();
};

/// What of a machine no such programs exist for; null if they may exist.
std::optional<NoPrograms> why_no_march(const Plan& plan);

/// Records them, for restarts into steps of these sizes. `samples` not empty.
std::variant<MarchPrograms, NoPrograms> record_march(const Plan& plan,
                                                     const std::vector<double>& step_sizes,
                                                     const std::vector<MachineSample>& samples);

/// What all realisations share, and its numbers.
struct SharedNumbers {
  std::vector<int> constants, offsets;
  std::vector<double> constant_values, offset_values;  ///< all numbers of one realisation
};

/// The programs with shared numbers as literals, and what follows from that. Null if a guard can
/// never hold.
std::optional<MarchPrograms> specialize(const MarchPrograms& programs, const SharedNumbers& shared);

/// Numbers of a region that programs read, and their places in a region of those alone.
std::vector<int> indices_read(const std::vector<Program*>& programs, std::string_view region);
void keep_only(const std::vector<Program*>& programs, std::string_view region,
               const std::vector<int>& indices);

}  // namespace tumble
