// What a study of reliability found.
#pragma once
#include "tumble/report/results_view.hpp"

namespace tumble::report {

/// Study.reliability; null for other methods.
Json reliability(const ResultsView& results);

}  // namespace tumble::report
