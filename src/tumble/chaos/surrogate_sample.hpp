// Many values of the surrogate, which quantiles and densities of outputs are taken from.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "tumble/chaos/dense_matrix.hpp"
#include "tumble/chaos/expansion.hpp"
#include "tumble/chaos/input_space.hpp"

namespace tumble {

/// What moments do not tell has no formula in coefficients; but polynomials are cheap to draw from.
class SurrogateSample {
 public:
  /// `count` quasi-random points of the germs; a power of 2 is best.
  SurrogateSample(const InputSpace& space, std::size_t count, std::uint64_t seed);

  std::size_t size() const { return germs_.rows(); }
  /// Sorted values of some outputs of `expansion`: one row per output. Memory: 8 bytes times
  /// outputs times size(); ask for a few hundred outputs at a time.
  DenseMatrix sorted_values(const Expansion& expansion, std::span<const std::size_t> outputs) const;

 private:
  DenseMatrix germs_;
};

/// Hyndman and Fan's type 7, as everywhere in Tumble, of sorted values.
double sorted_quantile(std::span<const double> sorted, double probability);

}  // namespace tumble
