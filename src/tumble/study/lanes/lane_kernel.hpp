// The border between the study, compiled for every CPU that Tumble runs on, and the lane kernels,
// compiled once per instruction set. Only plain pointers and numbers cross it.
#pragma once
#include <memory>

#include "tumble/integrate/plan.hpp"
#include "tumble/integrate/step/schedule.hpp"
#include "tumble/integrate/trajectory.hpp"

namespace tumble {

struct StepPrograms;

/// Up to `width` realisations that march together. Pointers are one per lane in use.
struct LaneBatch {
  int lanes = 0;
  const double* const* constants = nullptr;  ///< as made by prepare()
  const double* const* offsets = nullptr;    ///< as made by probe_offsets()
  const double* const* q = nullptr;          ///< as made by start_state()
  const double* const* v = nullptr;
  double* const* values = nullptr;       ///< out: [output][number], outputs before a failure only
  bool* failed = nullptr;                ///< out: to be run again by the scalar engine
  double* energy_mismatch = nullptr;     ///< out: as EnergySummary::relative_mismatch
  long* iterations = nullptr;            ///< out, one for all: Newton iterations of the batch
  long* factorizations = nullptr;        ///< out, one for all
  EventTally* const* events = nullptr;   ///< out: one a lane and event; of a lane that failed none
  const double* const* turns = nullptr;  ///< as in InitialState; null if nothing has turned
  /// Compiled for this kernel's width and instruction set; null: none. With or without, the same
  /// bits.
  const StepPrograms* programs = nullptr;
  double* const* departures = nullptr;  ///< out, of depart() alone: departure_size() numbers a lane
};

/// What steps on a device go on from: q, v, v̇, λ, a, the velocities that the first step starts
/// from, Euler angles that are followed (values, rates, instant, turned), the size of
/// accelerations, that of the machine, and the account of energy's opening: kinetic, potential,
/// resting.
inline std::size_t departure_size(const System& system) {
  return static_cast<std::size_t>(system.nq + 4 * system.nv + system.nc + 5) +
         8 * system.tracked_eulers.size();
}

/// Runs batches of one model one after the other, with memory that is taken once.
class LaneRunner {
 public:
  virtual ~LaneRunner();
  virtual void run(const LaneBatch& batch) = 0;
  /// As run() up to the first step: `failed`, `departures` and the values of the first output.
  virtual void depart(const LaneBatch& batch) = 0;
  /// Did the last batch have programs, and did they fit its constants?
  virtual bool used_programs() const = 0;
};

struct LaneKernel {
  int width = 0;
  const char* instruction_set = "";
  /// The caller owns what it gets; plan and schedule are kept by reference.
  LaneRunner* (*make)(const Plan& plan, const Schedule& schedule) = nullptr;

  std::unique_ptr<LaneRunner> runner(const Plan& plan, const Schedule& schedule) const {
    return std::unique_ptr<LaneRunner>(make(plan, schedule));
  }
};

/// The kernels this CPU can run, narrowest first.
std::vector<LaneKernel> available_lane_kernels();

/// The kernel of a width, or the best one for width 0. Null if there is none of that width: the
/// study then uses the scalar engine.
const LaneKernel* find_lane_kernel(int width);

}  // namespace tumble
