// What is done to all realisations of a study, and when: steps, restarts and looks at the account
// of energy, as follow_schedule() and the runners of lanes (study/lanes/lane_runner.hpp) do them.
// Drives are evaluated here, once for all realisations.
#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tumble/integrate/plan.hpp"
#include "tumble/integrate/step/schedule.hpp"
#include "tumble/program/source_compiler.hpp"

namespace tumble {

/// As the kernels have it (march_kernels.cu).
struct DeviceStep {
  double time = 0;
  int number = 0;
  int context = 0;
  int size = 0;
  int output = -1;
  int after_restart = 0;
};

/// A launch: some steps, or what is done between them.
struct DeviceLaunch {
  enum class Kind { steps, look, restart };
  Kind kind = Kind::steps;
  int first = 0, last = 0;             ///< steps
  double time = 0;                     ///< of the others [s]
  int context = 0, context_ahead = 0;  ///< rows of drives
  int size = 0;                        ///< of a restart: which of restart_sizes
  bool is_break = false;
  int note = -1;  ///< which look it is, or which break
};

struct Itinerary {
  std::vector<DeviceStep> steps;
  std::vector<DeviceLaunch> launches;
  std::vector<double> sizes;                  ///< of steps [s], all that there are
  std::vector<std::vector<double>> contexts;  ///< numbers of visit_context(), by row
  int looks = 0, breaks = 0;
  std::size_t outputs = 0;
  /// How many numbers of a context are drives' and not counted through turns.
  std::size_t drive_numbers = 0;
};

/// Of a schedule with a step at least. Refused if drives depend on constants that realisations do
/// not share. `constants`: of some realisations, the first nominal; `shared`: what they share.
std::variant<Itinerary, Refusal> make_itinerary(const Plan& plan, const Schedule& schedule,
                                                const std::vector<std::vector<double>>& constants,
                                                const std::vector<int>& shared);

}  // namespace tumble
