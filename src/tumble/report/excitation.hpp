// Random drives of a study: some realisations, and the spectrum of many against the one asked for.
#pragma once
#include "tumble/report/blob.hpp"
#include "tumble/report/results_view.hpp"

namespace tumble::report {

/// Study.excitation; null for a model without random drives and for single runs.
Json excitation(const ResultsView& results, Blob& blob);

}  // namespace tumble::report
