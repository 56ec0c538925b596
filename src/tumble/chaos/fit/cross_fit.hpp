// What outputs are expected to be, given some of the inputs: by polynomials, each value from a fit
// that has not seen it.
//
// Inputs are replaced by their ranks, as uniform numbers or as normal scores, so that the fit
// depends on their order alone and Legendre or Hermite polynomials are nearly orthonormal; the
// first suit what oscillates, the second what grows towards the tails, as 1/mass does. The sample
// is cut into folds; each is predicted by polynomials that are fitted to the others. Which of the
// two they are, and of which degree, the predictions decide for every output by itself: those with
// the smallest mean-square error.
#pragma once
#include <vector>

#include "tumble/chaos/dense_matrix.hpp"

namespace tumble {

class CrossFit {
 public:
  static constexpr std::size_t folds = 5;
  /// So many values of the sample for each polynomial, and so many polynomials at most.
  static constexpr std::size_t values_a_term = 8, most_terms = 200;
  static constexpr int most_degree = 10;

  /// `inputs`: a row for each value of the sample.
  explicit CrossFit(const DenseMatrix& inputs);
  ~CrossFit();
  CrossFit(CrossFit&&) noexcept;

  /// Of outputs in the rows of the same sample.
  DenseMatrix predict(const DenseMatrix& outputs) const;

 private:
  struct Fold;
  std::size_t rows_ = 0;
  std::vector<std::size_t> terms_;        ///< how many there are up to each degree
  std::vector<std::vector<Fold>> folds_;  ///< of each of the two families
};

}  // namespace tumble
