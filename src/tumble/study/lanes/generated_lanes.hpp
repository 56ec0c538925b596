// Compiled programs of a study's machine (module `program`), for the lane kernels of all its
// threads.
//
// They are recorded and compiled while realisations run with kernels that are there already, and
// taken up by each batch that begins after they are ready. When that is changes no bit.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tumble/integrate/plan.hpp"
#include "tumble/integrate/step/schedule.hpp"

namespace tumble {

struct CompiledMachine;
struct LaneKernel;
struct StepPrograms;

/// What a study does about compiled programs.
enum class ProgramUse {
  none,
  awaited,  ///< the first realisation waits for them
  /// Begun when so much is left of the study that they pay for their compiling.
  when_they_pay,
};

/// What became of them.
struct ProgramReport {
  bool ready = false, from_cache = false;
  double compile_seconds = 0;
  std::uint64_t batches = 0, without = 0;  ///< that ran with them, and that did not
  std::string refusal;                     ///< why there are none; empty if nobody tried
};

/// A sentence of the summary.
std::string to_string(const ProgramReport& report);

class GeneratedLanes {
 public:
  /// @param constants of the nominal machine and of a few realisations; called in another thread
  GeneratedLanes(const Plan& plan, const Schedule& schedule, const LaneKernel& kernel,
                 ProgramUse use, std::uint64_t realizations,
                 std::function<std::vector<std::vector<double>>()> constants);
  /// Ends compilers that run.
  ~GeneratedLanes();

  /// Null if there are none (yet). From any thread.
  const StepPrograms* programs() const;
  /// Counts a batch, and how long it took [s]; from any thread.
  void note_batch(bool with_programs, std::size_t realizations, double seconds);
  ProgramReport report() const;

 private:
  void compile();

  const Plan& plan_;
  const Schedule& schedule_;
  const LaneKernel& kernel_;
  const ProgramUse use_;
  const std::uint64_t realizations_;
  const std::function<std::vector<std::vector<double>>()> constants_;
  std::unique_ptr<const CompiledMachine> machine_;  ///< written before ready_ is
  std::string refusal_;                             ///< written before ended_ is
  std::atomic<bool> ready_{false}, ended_{false}, begun_{false}, cancelled_{false};
  std::atomic<std::uint64_t> batches_{0}, without_{0}, counted_{0};
  std::atomic<double> seconds_{0};
  std::thread thread_;
};

}  // namespace tumble
