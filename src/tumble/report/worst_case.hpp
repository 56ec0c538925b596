// What a worst-case study found, beside its curves.
#pragma once
#include "tumble/report/results_view.hpp"

namespace tumble::report {

/// Study.worst_case; null for other methods.
Json worst_case(const ResultsView& results);

}  // namespace tumble::report
