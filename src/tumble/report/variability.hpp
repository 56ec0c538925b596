// What a study of variability response found, beside its curves.
#pragma once
#include "tumble/report/results_view.hpp"

namespace tumble::report {

/// Study.variability; null for other methods.
Json variability(const ResultsView& results);

}  // namespace tumble::report
