// A multilevel study, in the results of an ensemble. In place of the statistics over realisations:
//
//   level(level) = 0, 1, ...; level_step(level) [s], level_elements(level): of all beams together
//   level_pairs(level), level_failed(level): pairs that count, and those that failed
//   level_work(level): counted work of one run on the grid of the level
//   level_mean_difference, level_variance_difference (level), with _se and _pair_variance behind
//       each; level_mean, level_variance (level): on the grid, from the pairs of the level alone
//   multilevel_mean, multilevel_variance; behind each _se, _statistical_error, _bias, _error
//   multilevel_work, plain_work, multilevel_gain, plain_runs, plain_level
//   run_level(realization), run_grid(realization), draw(realization)
//   attributes multilevel_quantity, multilevel_statistic, multilevel_target, multilevel_target_met;
//       multilevel_seconds, plain_seconds: of one core, as measured
//
// A realisation is a single run: those of level 0 come first, then the pairs of level 1, the fine
// run before the coarse one, and so on. Runs with the same `draw` have the same random numbers.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "tumble/io/results/results_parts.hpp"
#include "tumble/study/statistics/multilevel_estimate.hpp"

namespace tumble {

struct EnsembleResults;

/// What the results tell of a multilevel study.
struct MultilevelResults {
  struct Level {
    double step = 0;       ///< [s]
    int elements = 0;      ///< of all beams
    double work = 0;       ///< of one run
    double pair_work = 0;  ///< of one pair
    std::uint64_t leaves = 0;
    std::uint64_t failed = 0;  ///< pairs
    double pair_seconds = 0;   ///< of one core, as far as measured; 0: nothing was
  };
  std::string quantity, unit;
  MultilevelStatistic statistic = MultilevelStatistic::mean;
  double confidence = 0.95;
  double target = 0;  ///< in the unit of the statistic
  bool met = false;
  std::vector<Level> levels;     ///< that were needed
  std::size_t levels_given = 0;  ///< in the model file
  MultilevelEstimate mean, variance;
  double output_error = 0;  ///< mean of the finest runs
  double work = 0;
  PlainMonteCarlo plain;
  double seconds = 0, plain_seconds = 0;  ///< of one core; 0: not measured

  const MultilevelEstimate& wanted() const {
    return statistic == MultilevelStatistic::mean ? mean : variance;
  }
  double gain() const { return plain.work / work; }
  /// How much finer the grid of a level is than that of the one before.
  std::vector<double> refinements;
};

/// Defined first, written once the file takes data.
class MultilevelPart {
 public:
  /// `results.multilevel` is there. The arguments outlive this.
  MultilevelPart(NetcdfWriter& file, const EnsembleResults& results, int realization);
  void put() const;

 private:
  void define_levels();
  void define_estimates();
  void define_runs(int realization);
  void numbers(const std::string& name, const std::vector<int>& dimensions,
               std::vector<double> values, const std::string& unit, const std::string& meaning);
  void integers(const std::string& name, const std::vector<int>& dimensions,
                std::vector<long long> values, const std::string& meaning);

  NetcdfWriter& file_;
  const MultilevelResults& found_;
  int level_ = -1;
  std::vector<std::function<void()>> puts_;
};

}  // namespace tumble
