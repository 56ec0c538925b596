// What users should know about the bounds of a worst-case study.
#pragma once
#include "tumble/io/results/worst_case_part.hpp"
#include "tumble/study/layout.hpp"

namespace tumble {

/// Sentences on runs that failed, on what was found beyond the bounds, and on polynomials that are
/// too far off for their bounds to say much.
std::vector<std::string> worst_case_warnings(const WorstCaseResults& found,
                                             const StatisticsLayout& layout);

}  // namespace tumble
