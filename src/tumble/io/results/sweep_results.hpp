// The results of a sweep: those of its points, which are studies with files of their own, in one
// file with a leading dimension `sweep`.
//
//   sweep(sweep) = 0, 1, ...            the number of a point
//   <path>(sweep)                       what was varied: numbers, or text if a value is none
//   <variable>(sweep, ...)              every variable that all points have in the same shape; NaN
//                                       at those that do not have it, said in its `comment`
//   <probe>_<quantity>_std_time_mean(sweep[, axis | quat])
//                                       the average of _std over the output times
//   ..._std_time_mean_se_bound          of its standard error, if the points have _std_se
//   realizations(sweep), failed(sweep)
//   failure_sweep(failure)              the point of each entry of failed_realization and
//                                       failure_reason, which follow each other point by point
//   point_failure(sweep)                why a point has no results, if one has none
//
// Coordinates that are the same at all points (time, axis, quantile, ...) stay as they are; what
// lies over others (break points that moved, another number of realisations) is left out, and named
// in the attribute `left_out`. The attribute `germ_maps` is that of the points, with a point's
// number before each line where they differ.
#pragma once
#include "tumble/base/atomic_file.hpp"
#include "tumble/io/results/results_file.hpp"

namespace tumble {

struct SweepPoint {
  std::filesystem::path results;
  long realizations = 0;  ///< that were asked for
  std::string failure;    ///< why there are no results, or empty
};

struct SweepCoordinate {
  std::string path;
  std::vector<std::string> values;  ///< one a point
};

struct SweepResults {
  std::vector<SweepPoint> points;
  std::vector<SweepCoordinate> coordinates;
  std::string description;  ///< attribute `sweep`: what was varied, as the user wrote it
  std::string identity;     ///< attribute `sweep_sha256`
};

/// What the terminal shows of it.
struct SweepSummary {
  struct Column {
    std::string variable;  ///< <probe>_<quantity>_std_time_mean
    std::string unit;
    std::size_t components = 1;
    std::vector<std::string> labels;  ///< of components; empty: not known
    std::vector<double> values;       ///< [point][component]
  };
  std::vector<long> realizations, failed;  ///< a point
  std::vector<Column> columns;
  std::vector<std::string> left_out;
  std::vector<std::string> missing;  ///< variables with NaN at points that do not have them
};

/// Writes the results to `file`, which is then to be committed. Points are opened one after the
/// other and copied in pieces of some megabytes. Totals of `metadata` are counted here.
/// @throws std::invalid_argument if no point has results; std::system_error if there is no room.
SweepSummary write_sweep_results(AtomicFile& file, const SweepResults& results,
                                 const ResultsMetadata& metadata);

}  // namespace tumble
