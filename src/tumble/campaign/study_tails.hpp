// What a study says about tails that its own errors may not account for.
#pragma once
#include <string>
#include <vector>

#include "tumble/integrate/trajectory.hpp"
#include "tumble/study/sampling.hpp"
#include "tumble/study/statistics/heavy_tails.hpp"

namespace tumble {

/// One sentence that names the quantities whose samples show a heavy tail; another one where there
/// are too few realisations to show any. None where nothing is said of errors.
std::vector<std::string> tail_warnings(const LeafStatistics& statistics, const StoredValues* values,
                                       const Sampling& sampling, const Trajectory& nominal);

}  // namespace tumble
