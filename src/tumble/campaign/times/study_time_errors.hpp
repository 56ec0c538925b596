// Which realisations of a study tell the error of its time integration, and what is said about it.
#pragma once
#include "tumble/campaign/study_inputs.hpp"
#include "tumble/integrate/trajectory.hpp"
#include "tumble/study/statistics/leaf_statistics.hpp"
#include "tumble/study/statistics/time_errors.hpp"

namespace tumble {

/// At most `count` realisations out of [0, end): the first ones of draws; spread over all rows of a
/// table and all points of polynomial chaos, which are in some order.
std::vector<std::uint64_t> sample_realizations(const StudyInputs& inputs, std::uint64_t end,
                                               std::size_t count);

/// Sentences on quantities whose mean has a larger error from its steps than from its sample, or
/// of which no error could be told.
std::vector<std::string> time_error_warnings(const EnsembleTimeErrors& errors,
                                             const LeafStatistics& statistics,
                                             const Sampling& sampling, const Trajectory& nominal);

}  // namespace tumble
