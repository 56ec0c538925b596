// From the values of a study's blocks of runs to indices of sensitivity.
#pragma once
#include "tumble/campaign/study_inputs.hpp"
#include "tumble/io/results/quantity_part.hpp"
#include "tumble/io/results/sensitivity_part.hpp"
#include "tumble/study/journal/study_store.hpp"

namespace tumble {

/// Whether the study's realisations are points of a screening, which are no draws.
bool is_screening(const Study& study);

/// Indices of all probed numbers, in one pass over the blocks in their order. A block of which a
/// member failed is left out, and counted.
SensitivityResults study_sensitivity(const SensitivityInputs& inputs, const Study& study,
                                     const Trajectory& nominal, const LeafStatistics& statistics,
                                     StudyStore& store, std::uint64_t realizations);

/// The same of quantities of interest. Adds sentences to `warnings`.
void add_quantity_sensitivity(std::vector<QuantityResults>& results,
                              const SensitivityInputs& inputs, const Study& study,
                              const StudyStore& store, std::uint64_t realizations,
                              std::vector<std::string>& warnings);

}  // namespace tumble
