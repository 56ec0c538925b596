// What a report says in words and numbers: which model, which study, how it went.
#pragma once
#include "tumble/report/results_view.hpp"

namespace tumble::report {

/// The title of the model, or the name of its file.
std::string title_of(const ResultsView& results);
/// Study.summary.
Json make_summary(const ResultsView& results);
/// Study.trust, without the energy.
Json trust(const ResultsView& results);
/// Study.chaos; null for other methods.
Json chaos(const ResultsView& results);

}  // namespace tumble::report
