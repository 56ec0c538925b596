// How strongly the values of a homogeneous random field at two points are correlated.
//
// With the distance d of the points and the correlation length a:
//
//   exponential           rho = exp(-d / a)                                       Wu et al. (11a)
//   squared exponential   rho = exp(-d^2 / a^2)                                   Wu et al. (11b)
//   Matern                rho = 2^(1-nu) / Gamma(nu) z^nu K_nu(z),  z = sqrt(2 nu) d / a
//   peaked                rho = (1 - 3 r^2) / (1 + r^2)^3,  r = d / a
//
// and their spectral densities over the wave number kappa, two-sided: rho(d) is the integral of
// S(kappa) exp(i kappa d) over all kappa, so S integrates to 1.
//
//   exponential           S = a / (pi (1 + a^2 kappa^2))
//   squared exponential   S = a / (2 sqrt(pi)) exp(-a^2 kappa^2 / 4)
//   Matern                S = Gamma(nu + 1/2) / (sqrt(pi) Gamma(nu)) c^(2 nu) / (c^2 + kappa^2)^(nu
//   + 1/2),
//                             c = sqrt(2 nu) / a
//   peaked                S = a^3 kappa^2 exp(-a |kappa|) / 4, largest at kappa = 2 / a
//
// J. Wu, Z. Luo, N. Zhang, Y. Zhang, Nonlinear Dynamics (2016). Beware of the conventions: many
// texts write the squared exponential as exp(-d^2 / (2 l^2)), which is ours with a = sqrt(2) l. The
// Matern correlation (C. E. Rasmussen, C. K. I. Williams, Gaussian Processes for Machine Learning,
// 2006, Eq. (4.14)) is the exponential one for nu = 1/2 and tends to exp(-d^2 / (2 a^2)) for large
// nu, so to the squared exponential of length sqrt(2) a. The peaked one has no power at kappa = 0,
// so that values half a wave apart are opposed; such a spectrum is usual in work on variability
// response (M. Shinozuka, Structural response variability, J. Eng. Mech. 113, 1987). It is a
// correlation in the line alone, the others in the plane and in space too.
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
  static CorrelationKernel peaked(double length);

  /// At a distance d >= 0.
  double operator()(double distance) const;
  double operator()(const Vec3d& p, const Vec3d& q) const { return (*this)(norm(p - q)); }

  /// S at a wave number [rad/m]: the share of the variance per wave number [m].
  double spectral_density(double wave_number) const;

  double length() const { return length_; }
  /// With its numbers: "squared exponential, length 2 m".
  std::string description() const;

 private:
  enum class Kind { exponential, squared_exponential, matern, peaked };
  CorrelationKernel(Kind kind, double length, double smoothness);

  Kind kind_;
  double length_;
  double smoothness_;  ///< nu, of Matern's correlation alone
};

}  // namespace tumble
