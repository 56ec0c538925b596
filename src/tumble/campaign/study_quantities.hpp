// Quantities of interest of the nominal run and of a study's realisations.
#pragma once
#include "tumble/campaign/study_inputs.hpp"
#include "tumble/io/results/quantity_part.hpp"
#include "tumble/model/study/study.hpp"
#include "tumble/study/journal/study_store.hpp"
#include "tumble/study/statistics/time_errors.hpp"

namespace tumble {

/// Values of those that need no run, of a machine with the numbers of `model`; empty if there are
/// none. Adds what there is to say of its states to `notes`.
/// @throws SimulationError, InputError
std::vector<double> state_values(const std::vector<QuantityOfInterest>& quantities,
                                 const Plan& plan, const Model& model,
                                 std::vector<std::string>& notes);

/// Of the nominal run; `quantities` outlive it. `of_state`: as state_values() has them.
std::vector<QuantityResults> nominal_quantities(const std::vector<QuantityOfInterest>& quantities,
                                                const Trajectory& nominal,
                                                std::span<const double> of_state);

/// The values of all of them in the realisations [0, N), which are finished.
QuantitySamples quantity_samples(std::size_t quantities, const StudyStore& store,
                                 std::uint64_t realizations);

/// The distribution of each over the realisations [0, N) of a finished study. By polynomial chaos
/// that of a polynomial fitted to it. `time_errors`: null if there are none. Adds sentences to
/// `warnings`.
void add_quantity_statistics(std::vector<QuantityResults>& results, const StudyStore& store,
                             std::uint64_t realizations, const StudyInputs& inputs,
                             const Study& study, const EnsembleTimeErrors* time_errors, int threads,
                             std::vector<std::string>& warnings);

/// A sentence on those that the outputs do not resolve, if there are any.
std::vector<std::string> output_warnings(const std::vector<QuantityResults>& results);

}  // namespace tumble
