// From the values of a study's runs to variability response.
#pragma once
#include "tumble/inputs/variability_inputs.hpp"
#include "tumble/integrate/trajectory.hpp"
#include "tumble/io/results/variability_part.hpp"
#include "tumble/model/study/study.hpp"

namespace tumble {

VariabilityResults study_variability(const VariabilityInputs& inputs, const StoredValues& values,
                                     const Study& study);

/// Sentences on a spectrum that the waves do not reach, on a conjecture that random fields
/// contradict, and on runs that are missing.
std::vector<std::string> variability_warnings(const VariabilityResults& found,
                                              const Trajectory& nominal,
                                              const StatisticsLayout& layout);

}  // namespace tumble
