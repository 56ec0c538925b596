// What the page shows of quantities of interest: their numbers, densities and exceedance curves.
#pragma once
#include "tumble/report/results_view.hpp"

namespace tumble::report {

/// Study.quantities, in the order of the results.
Json quantities(const ResultsView& results, Blob& blob);

/// Study.bands: responses over frequency.
Json bands(const ResultsView& results, Blob& blob);

}  // namespace tumble::report
