// Many values of the surrogate, which quantiles and densities of outputs are taken from.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "tumble/chaos/basis/input_space.hpp"
#include "tumble/chaos/dense_matrix.hpp"
#include "tumble/chaos/expansion.hpp"

namespace tumble {

/// What moments do not tell has no formula in coefficients; but polynomials are cheap to draw from.
/// Refers to the expansion. Immutable; may be used by many threads.
class SurrogateSample {
 public:
  /// `count` quasi-random points of the germs; a power of 2 is best.
  SurrogateSample(const InputSpace& space, const Expansion& expansion, std::size_t count,
                  std::uint64_t seed);

  const Expansion& expansion() const { return expansion_; }
  std::size_t size() const { return size_; }
  /// Values of values.rows() outputs from the `first` on: one row per output, size() columns, in
  /// the order of the points.
  void fill(std::size_t first, DenseMatrix& values) const;
  /// Sorted values of one output.
  std::vector<double> sorted_values(std::size_t output) const;

 private:
  const Expansion& expansion_;
  std::size_t size_;
  std::vector<double> basis_;  ///< [tile][term][point of the tile]
};

/// Hyndman and Fan's type 7, as everywhere in Tumble, of sorted values.
double sorted_quantile(std::span<const double> sorted, double probability);

}  // namespace tumble
