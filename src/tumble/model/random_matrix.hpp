// A symmetric matrix of an element that is random as a whole: the numbers that say where one
// realisation lies about what the user wrote.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "tumble/model/entry.hpp"

namespace tumble {

struct RandomMatrix {
  enum class Kind { bushing_stiffness, bushing_damping, modal_stiffness };
  std::string name;  ///< "mount.stiffness"
  Kind kind = Kind::bushing_stiffness;
  std::size_t element = 0;  ///< place of the element in its section of the model
  std::vector<int> rows;    ///< rows and columns that vary; the others are zero
  /// What the normalised matrix G is made of (random/matrix/positive_definite_ensemble.hpp); in the
  /// nominal model that of G = I. The numbers are parameter slots, matrices.<name>.germ[i].
  std::vector<double> germ;

  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"germ", "", "independent numbers that the random matrix is made of"}, s.germ);
  }
};

/// Adds to A, by rows, what the germ makes of it: A becomes R G R^T with A = R R^T. Nothing
/// changes, to the last bit, for the germ of G = I. Where A is not positive definite, it becomes
/// NaN.
void vary(const RandomMatrix& random, int size, std::span<double> A);

}  // namespace tumble
