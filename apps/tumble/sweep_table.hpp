// The results of a sweep on one screen.
#pragma once
#include <string>

#include "tumble/io/model/sweep.hpp"
#include "tumble/io/results/sweep_results.hpp"

namespace tumble::app {

/// A line for each point: its values, how many realisations failed, and the standard deviations,
/// averaged over time.
std::string sweep_table(const Sweep& sweep, const SweepSummary& summary);

}  // namespace tumble::app
