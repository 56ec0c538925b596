// From the values of a study's runs to what polynomial chaos makes of them.
#pragma once
#include "tumble/inputs/chaos_inputs.hpp"
#include "tumble/io/results/ensemble_results.hpp"
#include "tumble/study/journal/study_store.hpp"

namespace tumble {

/// Fits polynomials to the runs of `store`, and measures their errors by those behind them. Runs
/// that failed count as failed from the beginning, so that polynomials at all times rest on the
/// same points. A fit that is not possible is no exception: the results say why.
ChaosResults fit_chaos(const ChaosInputs& inputs, const Study& study, const Trajectory& nominal,
                       StudyStore& store, int threads);

/// Densities at some output times, by their places, from as many values of the polynomials as
/// quantiles. `chaos` has a fit.
std::vector<std::vector<KernelDensity>> surrogate_densities(const ChaosResults& chaos,
                                                            const Study& study,
                                                            const StatisticsLayout& layout,
                                                            std::span<const std::size_t> times,
                                                            const DensityOptions& options);

/// Sentences on quantities whose polynomials miss more of the variance than the target: for
/// certain, by the lower ends of intervals, if errors are measured. Where a quantity hardly varies,
/// as at the start of a run, a relative error says little; so errors and variances are both the
/// largest over the run.
std::vector<std::string> chaos_warnings(const ChaosFit& fit, const InputSpace& space,
                                        const Trajectory& nominal, const StatisticsLayout& layout,
                                        const ChaosRequest& request);

}  // namespace tumble
