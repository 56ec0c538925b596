// Where a model is run to measure how wrong its polynomials are: points that no fit has seen.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tumble/chaos/basis/input_space.hpp"
#include "tumble/chaos/dense_matrix.hpp"

namespace tumble {

/// Points with weights: the mean of weight times f estimates E{f(germs)}.
struct ValidationPoints {
  DenseMatrix germs;            ///< one row per point
  DenseMatrix places;           ///< in the unit cube, which the points fill evenly
  std::vector<double> weights;  ///< density of the germs over that of the points
};

/// High polynomials are wrong in the tails, where plain draws hardly come. So each germ's
/// probability u is pulled apart: with a coordinate v that is spread evenly,
///
///   u = v^4 (35 - 84 v + 70 v^2 - 20 v^3),   weight du/dv = 140 v^3 (1 - v)^3.
///
/// (The map is N. M. Korobov's polynomial that makes integrands periodic.) Of 64 points some dozen
/// lie beyond u = 1 % at either end, and the weighted square of an error as large as u^(-1/3)
/// stays bounded. In d germs weights multiply, and a product of many such factors is worthless;
/// from the fourth germ on each is drawn from a mixture, the share e = 3 / d by this map and the
/// rest evenly, so that x = (1 - e) u(v) + e v is spread evenly and no factor exceeds
/// 1 / (1 - e).
///
/// x is a scrambled Sobol' point, other than those of quasi_random_points() with the same seed.
/// More points with the same seed begin with these.
ValidationPoints validation_points(const InputSpace& space, std::size_t count, std::uint64_t seed);

/// The share e of the map above with so many germs.
double tail_share(std::size_t germs);

}  // namespace tumble
