// Quantiles of all outputs of an expansion, a few outputs at a time.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "tumble/chaos/expansion.hpp"
#include "tumble/chaos/surrogate_sample.hpp"

namespace tumble {

/// [output][probability], from the values of the surrogate at all points of `sample`. The same bits
/// for any number of threads, which is at least 1.
std::vector<double> surrogate_quantiles(const SurrogateSample& sample, const Expansion& expansion,
                                        std::span<const double> probabilities, int threads);

}  // namespace tumble
