// Scalars of single runs: from the probed numbers at the output times to the quantities of
// interest.
#pragma once
#include <span>

#include "tumble/integrate/trajectory.hpp"
#include "tumble/math/sampled_function.hpp"
#include "tumble/model/study/quantity_of_interest.hpp"

namespace tumble {

struct QuantityValue {
  /// Infinite for what did not happen; NaN if the run did not get to the end of the window, or if
  /// the expression has no finite value somewhere in it.
  double value;
  /// Its difference from what every second output alone would have given, what limits at jumps may
  /// be wrong by, and for peaks what a kink may hide. An error of order p in the distance of
  /// outputs is about 1 / (2^p - 1) of the difference, so this is on the safe side. Infinite if
  /// only one of the two happened, or if the expression has no finite value; NaN where there are
  /// too few outputs to tell.
  double output_error;
};

class QuantityEvaluator {
 public:
  /// `times`: all output times; `numbers`: probed at each. `quantities` outlive this.
  QuantityEvaluator(std::span<const QuantityOfInterest> quantities, std::vector<double> times,
                    std::size_t numbers);

  std::size_t size() const { return quantities_.size(); }
  /// Of a row [time][number] whose first `valid_times` times count. `breaks`: times at which drives
  /// may jump; the row holds left limits there. One value per quantity.
  /// `of_state`: values of those that need no run (state_quantities.hpp); empty if there are none.
  /// `events`: of the run; none if it failed.
  std::vector<QuantityValue> evaluate(const double* values, std::size_t valid_times,
                                      std::span<const double> breaks,
                                      std::span<const double> of_state,
                                      std::span<const EventTally> events);

  /// The same for runs that come together, one after the other: functions of programs outside are
  /// asked for all of them at once, by finish(), and have no value before that.
  std::vector<QuantityValue> add(const double* values, std::size_t valid_times,
                                 std::span<const double> breaks, std::span<const double> of_state,
                                 std::span<const EventTally> events);
  /// `all`: of the runs added since the last time, one after the other.
  void finish(std::span<QuantityValue> all);

 private:
  std::vector<QuantityValue> evaluate_formulas(const double* values, std::size_t valid_times,
                                               std::span<const double> breaks,
                                               std::span<const double> of_state,
                                               std::span<const EventTally> events);
  /// Writes their values for `whole` runs, at these places among the runs of `all`.
  void ask_functions(std::span<const double> rows, std::span<const std::size_t> whole,
                     std::span<QuantityValue> all) const;
  void ask(const UserQuantity& function, std::span<const double> rows,
           std::span<double> answers) const;
  std::size_t row() const { return times_.size() * numbers_; }
  QuantityValue evaluate(const QuantityOfInterest& quantity, const double* values,
                         std::span<const double> breaks);
  QuantityValue evaluate_weighted(const QuantityOfInterest& quantity, const double* values);
  std::span<const QuantityOfInterest> quantities_;
  std::vector<double> times_;
  std::size_t numbers_;
  SampledFunction samples_;
  std::vector<double> stack_;
  bool has_functions_ = false;
  std::size_t added_ = 0;           ///< runs since finish()
  std::vector<double> rows_;        ///< of those that are whole, if there are functions
  std::vector<std::size_t> whole_;  ///< their places
};

/// Lets functions of programs outside answer for the nominal run. @throws what they throw
void try_out_functions(const Trajectory& nominal, std::span<const QuantityOfInterest> quantities);

/// Of one run, with values of those that need none.
std::vector<QuantityValue> quantities_of(const Trajectory& trajectory,
                                         std::span<const QuantityOfInterest> quantities,
                                         std::span<const double> of_state);

}  // namespace tumble
