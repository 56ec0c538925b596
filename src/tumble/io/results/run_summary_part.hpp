// What is kept of every run in the results of an ensemble: its extremes over time and its
// mean-square size, from which the convergence curve is made.
#pragma once
#include "tumble/io/results/ensemble_results.hpp"
#include "tumble/io/results/results_parts.hpp"

namespace tumble {

/// Defined first, written leaf by leaf once the file takes data, then finished.
class RunSummaryPart {
 public:
  /// The arguments outlive this. `realization` is the dimension.
  RunSummaryPart(NetcdfWriter& file, const NominalPart& nominal, const EnsembleResults& results,
                 int realization);

  /// In any order. @throws std::logic_error if the leaf has no summaries.
  void put(const LeafRecord& leaf);
  /// After the last leaf. Returns what left its declared range, a sentence each.
  std::vector<std::string> finish();

 private:
  struct Variables {
    int minimum, minimum_time, maximum, maximum_time;
    int nominal_minimum, nominal_minimum_time, nominal_maximum, nominal_maximum_time;
    int square_integral, convergence, convergence_error;
    int out_of_range = -1;
  };
  Variables define(const ProbeSeries& series, int realization);
  bool has_range(std::size_t q) const;
  /// Points of polynomial chaos are no sample whose mean square could converge.
  bool has_convergence() const { return results_.chaos == nullptr && results_.has_statistics; }
  void put_nominal(std::size_t q);
  void put_convergence(std::size_t q);

  NetcdfWriter& file_;
  const NominalPart& nominal_;
  const EnsembleResults& results_;
  const StatisticsLayout& layout_;
  const double output_step_;
  int convergence_n_ = -1, convergence_dimension_ = -1;
  std::vector<std::uint64_t> convergence_counts_;
  std::vector<Variables> variables_;
  std::vector<long long> out_of_range_;  ///< by number: realisations that left the range
};

/// 2^(k/4) for k = 0, 1, ..., rounded, each number once, and `realizations` at the end.
std::vector<std::uint64_t> convergence_counts(std::uint64_t realizations);

}  // namespace tumble
