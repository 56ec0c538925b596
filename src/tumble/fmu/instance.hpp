// An FMU at work: the states that FMI 3.0 lets a co-simulation FMU go through, and the run behind
// them. The functions of FMI, which are in apps/fmu, hand their calls over to it.
//
// Whatever goes wrong becomes a message and Status::error, and the instance is over until it is
// reset or freed, as FMI wants it; nothing is thrown.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "tumble/fmu/variable_list.hpp"
#include "tumble/integrate/stepped_run.hpp"

namespace tumble {

/// With the numbers of fmi3Status.
enum class FmuStatus { ok = 0, warning = 1, discard = 2, error = 3, fatal = 4 };

using FmuLog = std::function<void(FmuStatus, const char* category, const std::string& message)>;

/// A sentence, or several lines, that tells of an exception what the command line tells.
std::string failure_text(const std::exception& error);

class FmuInstance {
 public:
  using ValueReference = std::uint32_t;

  /// Reads the model from the resources of an unpacked FMU and plans its runs.
  /// @throws std::exception, with a message for failure_text(), also if the token is another's.
  FmuInstance(const std::string& resources, const std::string& token, FmuLog log);
  ~FmuInstance();
  FmuInstance(const FmuInstance&) = delete;
  FmuInstance& operator=(const FmuInstance&) = delete;

  FmuStatus enter_initialization(double start, bool has_stop, double stop);
  FmuStatus exit_initialization();
  /// `reached`: the time when it returns.
  FmuStatus do_step(double from, double size, double& reached);
  FmuStatus terminate();
  FmuStatus reset();

  FmuStatus get(std::span<const ValueReference> which, std::span<double> values);
  FmuStatus set(std::span<const ValueReference> which, std::span<const double> values);

  /// Where the instance is, until it is given to free_state().
  struct Saved;
  FmuStatus save(void*& state);
  FmuStatus restore(void* state);
  FmuStatus free_state(void*& state);

  /// On which other variables an output, or what is initialised, depends: see ModelStructure.
  const std::vector<FmuVariable>& variables() const { return variables_; }

  /// For a function that cannot do what it is asked for.
  FmuStatus refuse(const std::string& message);
  /// Which messages are wanted: names of categories, none for all. False if there is no such name.
  FmuStatus set_logging(bool on, std::span<const char* const> categories);

 private:
  enum class Mode { instantiated, initialization, step, terminated };

  template <class Action>
  FmuStatus guarded(const Action& action);
  void say(FmuStatus status, const char* category, const std::string& message) const;
  bool require(bool allowed, const char* function);
  const FmuVariable* variable(ValueReference reference) const;
  void start_run();
  void pass_warnings();
  void measure();
  double value_of(const FmuVariable& v) const;
  bool may_set(const FmuVariable& v) const;

  FmuLog log_;
  bool logs_ = true;
  std::set<std::string> categories_;  ///< wanted; empty: all

  Plan plan_;
  std::vector<FmuVariable> variables_;
  std::unique_ptr<Realization> numbers_;
  Mode mode_ = Mode::instantiated;
  bool has_stop_ = false;
  double stop_ = 0;
  double time_ = 0;
  std::shared_ptr<SteppedRun> run_;  ///< null: parameters or inputs have changed since it was made
  std::vector<double> measured_;     ///< at the last communication point; empty before the first
  std::set<Saved*> saved_;
};

}  // namespace tumble
