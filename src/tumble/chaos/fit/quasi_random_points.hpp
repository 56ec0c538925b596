// Points of germs that fill the space of inputs evenly, for regression and for sampling.
#pragma once
#include <cstdint>

#include "tumble/chaos/basis/input_space.hpp"
#include "tumble/chaos/dense_matrix.hpp"

namespace tumble {

/// One row per point: scrambled Sobol' points (random/design.hpp, one randomisation, coordinates by
/// the names of the inputs), carried over to the germs. More points with the same seed begin with
/// these.
DenseMatrix quasi_random_points(const InputSpace& space, std::size_t count, std::uint64_t seed);

}  // namespace tumble
