// Densities at the output times that a study asks for.
#pragma once
#include "tumble/campaign/study_chaos.hpp"
#include "tumble/io/model_reader.hpp"
#include "tumble/study/quantiles/stored_values.hpp"
#include "tumble/study/sampling.hpp"

namespace tumble {

/// Of the values of realisations, or of polynomials if `chaos` is there, which has a fit. The study
/// asks for densities.
DensityResults study_densities(const ModelFile& file, const Trajectory& nominal,
                               const StatisticsLayout& layout, const StoredValues* values,
                               const ChaosResults* chaos, const Sampling& sampling, int threads);

}  // namespace tumble
