// Which random inputs the variance of a study of sensitivity comes from.
#pragma once
#include "tumble/report/results_view.hpp"

namespace tumble::report {

/// Study.sensitivity; null for other methods.
Json sensitivity(const ResultsView& results);

}  // namespace tumble::report
