// What the page shows of the random inputs: histograms, and the laws they are drawn from.
#pragma once
#include "tumble/report/realizations.hpp"

namespace tumble::report {

/// Study.inputs. Histograms count all realisations, failed ones too.
Json inputs(const ResultsView& results, const ShownRealizations& shown, Blob& blob);

/// Study.correlations: of all realisations that ended well; null with fewer than three of them.
Json correlations(const ResultsView& results, Blob& blob);

/// Study.fields: random fields along beams.
Json fields(const ResultsView& results, const ShownRealizations& shown, Blob& blob);

}  // namespace tumble::report
