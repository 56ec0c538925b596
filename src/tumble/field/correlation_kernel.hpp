// How strongly the values of a homogeneous random field at two points are correlated.
//
// With the distance d of the points and the correlation length a:
//
//   exponential           rho = exp(-d / a)                                       Wu et al. (11a)
//   squared exponential   rho = exp(-d^2 / a^2)                                   Wu et al. (11b)
//   Matern                rho = 2^(1-nu) / Gamma(nu) z^nu K_nu(z),  z = sqrt(2 nu) d / a
//
// J. Wu, Z. Luo, N. Zhang, Y. Zhang, Nonlinear Dynamics (2016). Beware of the conventions: many
// texts write the squared exponential as exp(-d^2 / (2 l^2)), which is ours with a = sqrt(2) l. The
// Matern correlation (C. E. Rasmussen, C. K. I. Williams, Gaussian Processes for Machine Learning,
// 2006, Eq. (4.14)) is the exponential one for nu = 1/2 and tends to exp(-d^2 / (2 a^2)) for large
// nu, so to the squared exponential of length sqrt(2) a. All of them are correlations in the line,
// the plane and in space.
#pragma once
#include <functional>
#include <string>

#include "tumble/math/vec3.hpp"

namespace tumble {

/// Correlation of a field's values at two points. Symmetric, and 1 where the points coincide.
using CorrelationFunction = std::function<double(const Vec3d&, const Vec3d&)>;

class CorrelationKernel {
 public:
  /// Lengths in m. All throw std::invalid_argument for a length that is not positive and finite.
  static CorrelationKernel exponential(double length);
  static CorrelationKernel squared_exponential(double length);
  /// Realisations have ceil(smoothness) - 1 derivatives. At most `largest_smoothness`, beyond which
  /// the field can hardly be told from one with a squared exponential correlation.
  static CorrelationKernel matern(double length, double smoothness);
  static constexpr double largest_smoothness = 50;

  /// At a distance d >= 0.
  double operator()(double distance) const;
  double operator()(const Vec3d& p, const Vec3d& q) const { return (*this)(norm(p - q)); }

  double length() const { return length_; }
  /// With its numbers: "squared exponential, length 2 m".
  std::string description() const;

 private:
  enum class Kind { exponential, squared_exponential, matern };
  CorrelationKernel(Kind kind, double length, double smoothness);

  Kind kind_;
  double length_;
  double smoothness_;  ///< nu, of Matern's correlation alone
};

}  // namespace tumble
