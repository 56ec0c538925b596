// What a random tensor of inertia is made of: second moments of the mass, bounded and normalised.
//
// Equation numbers are those of A. Batou, C. Soize, "Rigid multibody system dynamics with uncertain
// rigid bodies", Multibody Syst. Dyn. 27 (2012).
#pragma once
#include "tumble/math/vec3.hpp"

namespace tumble {

/// Z = (tr(J)/2 I - J) / m, Eq. (29): the second moments of the mass per unit of mass [m^2]. J is
/// the tensor of a distribution of mass exactly if Z is positive definite (or, for a flat body,
/// semidefinite); then the largest principal moment is below the sum of the others.
Mat3<double> moments_from_inertia(double mass, const Mat3<double>& inertia);

/// J = m (tr(Z) I - Z), Eqs. (30) and (32).
Mat3<double> inertia_from_moments(double mass, const Mat3<double>& moments);

/// The nominal second moments Z_0 = L^T L, Eq. (36), with L upper triangular, and what they
/// normalise: Z = L^T G L, Eq. (37), so that E{Z} = Z_0 where E{G} = I.
class InertiaScale {
 public:
  /// Throws std::invalid_argument unless mass and inertia are those of a body in space: mass
  /// positive, inertia symmetric, principal moments that obey the triangle inequality strictly.
  InertiaScale(double mass, const Mat3<double>& inertia);

  /// The nominal Z_0.
  const Mat3<double>& moments() const { return moments_; }
  /// Z = L^T G L.
  Mat3<double> moments_of(const Mat3<double>& normalized) const;
  /// G = L^-T Z L^-1, as in Eq. (39).
  Mat3<double> normalized_from(const Mat3<double>& moments) const;
  /// Gmax = L^-T Zmax L^-1, Eq. (39). Throws std::invalid_argument unless Zmax is symmetric and
  /// Zmax - Z_0 positive definite.
  Mat3<double> normalized_bound(const Mat3<double>& moment_bound) const;

 private:
  Mat3<double> moments_;
  Mat3<double> factor_;  // L
};

}  // namespace tumble
