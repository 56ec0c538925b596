// The error of the time integration in an ensemble, from a few of its realisations run again with
// half the steps (integrate/time_error.hpp).
#pragma once
#include <map>
#include <mutex>

#include "tumble/study/ensemble.hpp"

namespace tumble {

/// All [time][number]; NaN where no realisation tells.
struct EnsembleTimeErrors {
  std::vector<double> rms;   ///< root mean square of the realisations' errors
  std::vector<double> mean;  ///< of the mean over all realisations
  std::uint64_t used = 0;    ///< realisations that tell over the whole run
  std::uint64_t asked = 0;
};

class TimeErrorSample {
 public:
  static constexpr std::size_t size = 8;

  /// @param realizations which, each once. `plan` and `inputs` are those of the ensemble.
  TimeErrorSample(const Plan& plan, const EnsembleInputs& inputs,
                  std::vector<std::uint64_t> realizations);

  /// As EnsembleOptions::observe wants it: keeps the values of these realisations, which need then
  /// not be computed again. From any thread.
  void observe(std::uint64_t realization, const double* values, std::size_t valid_times);

  /// Computes what was not observed, repeats all with half the steps, and reduces. `population`:
  /// realisations of the ensemble.
  EnsembleTimeErrors finish(std::uint64_t population, int threads);

 private:
  struct Row {
    std::vector<double> values;
    std::size_t valid_times = 0;
  };
  void run(const std::vector<std::uint64_t>& realizations, int parts, int threads,
           std::map<std::uint64_t, Row>& rows) const;

  const Plan& plan_;
  const EnsembleInputs& inputs_;
  const std::vector<std::uint64_t> realizations_;
  LayoutPointer layout_;
  std::mutex mutex_;  ///< guards what follows
  std::map<std::uint64_t, Row> observed_;
};

}  // namespace tumble
