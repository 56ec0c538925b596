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
  std::vector<QuantityValue> evaluate(const double* values, std::size_t valid_times,
                                      std::span<const double> breaks);

 private:
  QuantityValue evaluate(const QuantityOfInterest& quantity, const double* values,
                         std::span<const double> breaks);
  QuantityValue evaluate_weighted(const QuantityOfInterest& quantity, const double* values);
  std::span<const QuantityOfInterest> quantities_;
  std::vector<double> times_;
  std::size_t numbers_;
  SampledFunction samples_;
  std::vector<double> stack_;
};

/// Of one run.
std::vector<QuantityValue> quantities_of(const Trajectory& trajectory,
                                         std::span<const QuantityOfInterest> quantities);

}  // namespace tumble
