// Derivatives of a run by numbers of its model, as a netCDF-4 file: what results of the run hold,
// and
//
//   slot(slot)                                               paths of the numbers
//   <probe>_<quantity>_derivative(slot, time[, axis | quat])         left limits at break points
//   <probe>_<quantity>_derivative_right(slot, break[, axis | quat])  right limits
//
// The unit of each is that of the quantity per unit of the slot; slot_unit(slot) has the latter.
#pragma once
#include "tumble/integrate/derivatives.hpp"
#include "tumble/io/results/results_file.hpp"

namespace tumble {

/// @throws std::invalid_argument if the parts do not fit together.
std::string derivatives_bytes(const Trajectory& trajectory,
                              const std::vector<Derivatives>& derivatives,
                              const ResultsMetadata& metadata);

}  // namespace tumble
