// A study of reliability: from the request and the runs to a probability.
#pragma once
#include <filesystem>

#include "tumble/campaign/reliability/point_desk.hpp"
#include "tumble/inputs/reliability_inputs.hpp"
#include "tumble/io/model_reader.hpp"
#include "tumble/io/results/reliability_part.hpp"

namespace tumble {

/// How far the quantity that `file` asks about is from its limit in a run.
ValueOfRun distance_from_limit(const ModelFile& file);

/// The method and its cross-check, one after the other, whatever answers `g`. The same values give
/// the same results. Warnings are those of both, and of a disagreement.
ReliabilityResults find_probability(const ModelFile& file, const ReliabilityInputs& inputs,
                                    const LimitState& g);

/// What a request cannot have with so many germs. @throws InputError at its line
void require_enough_runs(const ModelFile& file, const ReliabilityInputs& inputs);

/// The germs of a realisation of a study that has ended, from its journal.
/// @throws RequestError if the journal does not have it
std::vector<double> germs_of(const ModelFile& file, const ReliabilityInputs& inputs,
                             const LayoutPointer& layout, const std::filesystem::path& journal,
                             std::uint64_t realization);

/// The records of a journal as leaves of consecutive realisations: points in the order in which the
/// method asked for them.
void for_each_packed_leaf(const Journal& journal, const LayoutPointer& layout,
                          const std::function<void(const LeafRecord&)>& visit);

}  // namespace tumble
