// Random symmetric positive-definite matrices of maximum entropy: the ensemble SG+0 of C. Soize, "A
// nonparametric model of random uncertainties for reduced matrix models in structural dynamics",
// Probab. Eng. Mech. 15 (2000) 277-294, and "Random matrix theory for modeling uncertainties in
// computational mechanics", Comput. Methods Appl. Mech. Eng. 194 (2005) 1333-1366.
//
// G has the mean I and a finite E{|G^-1|^2}, and of all laws with these the largest entropy; one
// number remains, the dispersion delta, delta^2 = E{|G - I|_F^2} / n. Its density is
//   p(G) = C det(G)^((n+1)(1-delta^2)/(2 delta^2)) exp(-(n+1)/(2 delta^2) tr G),
// a Wishart law of (n+1)/delta^2 degrees of freedom, and it is drawn as G = L^T L with independent
// entries of the upper triangular L: with s = delta / sqrt(n+1)
//   L_jk  = s N,          j < k, N standard normal
//   L_jj^2 = 2 s^2 V_j,   V_j gamma of shape (n+1)/(2 delta^2) + (1-j)/2, j = 1, ..., n.
// A random matrix of mean A = R R^T is R G R^T. Its law does not depend on which root R is, nor
// on the units of rows and columns, because that of G is the same in all axes.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "tumble/random/law/law_parameters.hpp"

namespace tumble {

class PositiveDefiniteEnsemble {
 public:
  /// @throws std::invalid_argument unless 0 < delta < largest_dispersion(n).
  PositiveDefiniteEnsemble(int n, double delta);

  /// sqrt((n+1)/(n+5)): beyond it E{|G^-1|^2}, and with it the variance of responses, is infinite.
  static double largest_dispersion(int n);

  int size() const { return n_; }
  double dispersion() const { return delta_; }

  /// The independent numbers that L is made of: L_jj^2 for every j, then L_jk row by row. The
  /// matrix follows from them without regard to delta.
  static std::size_t germs(int n) { return static_cast<std::size_t>(n * (n + 1) / 2); }
  std::vector<ScalarLawParameters> germ_laws() const;
  /// That of G = I.
  static std::vector<double> neutral_germ(int n);

 private:
  int n_;
  double delta_;
};

/// G - I, by rows. What is not far from I loses nothing by the difference.
void normalized_deviation(int n, std::span<const double> germ, std::span<double> deviation);

/// The lower triangular root R of a symmetric matrix A = R R^T, by rows; false if A is not positive
/// definite.
bool lower_root(int n, std::span<const double> A, std::span<double> R);

/// R D R^T, by rows, exactly symmetric.
void congruent(int n, std::span<const double> R, std::span<const double> D,
               std::span<double> result);

}  // namespace tumble
