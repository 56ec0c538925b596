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
  /// The same of quantities of interest, by quantity; of those that happened with all steps.
  std::vector<double> quantity_rms, quantity_mean;
  std::uint64_t used = 0;  ///< realisations that tell over the whole run
  std::uint64_t asked = 0;
};

class TimeErrorSample {
 public:
  static constexpr std::size_t size = 8;

  /// @param realizations which, each once. `plan` and `inputs` are those of the ensemble, and so
  /// are `quantities`, which outlive this.
  TimeErrorSample(const Plan& plan, const EnsembleInputs& inputs,
                  std::vector<std::uint64_t> realizations,
                  std::span<const QuantityOfInterest> quantities = {});

  /// As EnsembleOptions::observe wants it: keeps the values of these realisations, which need then
  /// not be computed again. From any thread.
  void observe(std::uint64_t realization, const double* values, std::size_t valid_times,
               std::span<const EventTally> events = {});

  /// Computes what was not observed, repeats all with half the steps, and reduces. `population`:
  /// realisations of the ensemble.
  EnsembleTimeErrors finish(std::uint64_t population, int threads);

 private:
  int order() const { return plan_.system->nominal.simulation.order(); }
  struct Row {
    std::vector<double> values;
    std::size_t valid_times = 0;
    std::vector<double> breaks = {};  ///< unless observed
    std::vector<EventTally> events = {};
  };
  void find_quantity_errors(const std::map<std::uint64_t, Row>& finer, std::uint64_t population,
                            EnsembleTimeErrors& result) const;
  void run(const std::vector<std::uint64_t>& realizations, int parts, int threads,
           std::map<std::uint64_t, Row>& rows) const;

  const Plan& plan_;
  const EnsembleInputs& inputs_;
  const std::vector<std::uint64_t> realizations_;
  const std::span<const QuantityOfInterest> quantities_;
  LayoutPointer layout_;
  std::mutex mutex_;  ///< guards what follows
  std::map<std::uint64_t, Row> observed_;
};

}  // namespace tumble
