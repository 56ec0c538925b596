// What the page shows of the probes: curves over time with their statistics.
#pragma once
#include "tumble/report/results_view.hpp"

namespace tumble::report {

/// Study.curves of the page, without what needs the motion to be computed again.
Json curves(const ResultsView& results, Blob& blob);

/// Probabilities of the quantiles in the order of the page: the two ends of the confidence region
/// are the first and the last, whatever else was asked for.
std::vector<double> page_quantiles(const ResultsView& results);

/// Summary.widest: where the spread is largest relative to the size of the response, that is to the
/// largest mean of any component of the same quantity; null without statistics.
Json widest(const ResultsView& results);

/// Study.convergence; null if the results have none.
Json convergence(const ResultsView& results, Blob& blob);

}  // namespace tumble::report
