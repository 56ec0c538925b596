// The germs of random drives: drawn again from the stream of a realisation whenever they are
// needed, and stored nowhere.
#pragma once
#include <cstdint>
#include <functional>

#include "tumble/model/model.hpp"

namespace tumble {

/// Writes excitation_germs(nominal) standard normal numbers; from any thread.
using ExcitationDraws = std::function<void(std::uint64_t realization, double* germs)>;

/// Germ n of the drive `road` is the n-th number of the stream `drives.road` of the realisation.
/// Empty for a model without random drives.
ExcitationDraws excitation_draws(const Model& nominal, std::uint64_t seed);

}  // namespace tumble
