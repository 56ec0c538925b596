// What a multilevel study found.
#pragma once
#include "tumble/report/results_view.hpp"

namespace tumble::report {

/// Study.multilevel; null for other methods.
Json multilevel(const ResultsView& results);

}  // namespace tumble::report
