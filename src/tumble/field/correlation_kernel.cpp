#include "tumble/field/correlation_kernel.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <boost/math/special_functions/bessel.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace tumble {
namespace {

namespace bmp = boost::math::policies;

/// Errors throw; a Bessel function too small for a double is 0.
using Policy =
    bmp::policy<bmp::domain_error<bmp::throw_on_error>, bmp::pole_error<bmp::throw_on_error>,
                bmp::overflow_error<bmp::throw_on_error>,
                bmp::evaluation_error<bmp::throw_on_error>, bmp::promote_double<false>>;

/// 2^(1-nu) / Gamma(nu) z^nu K_nu(z)
double matern_correlation(double nu, double z) {
  if (nu == 0.5) return std::exp(-z);
  if (nu == 1.5) return (1 + z) * std::exp(-z);
  if (nu == 2.5) return (1 + z + z * z / 3) * std::exp(-z);
  if (z == 0) return 1;
  // K_nu overflows where the correlation is all but 1: there the beginning of its power series
  // does, whose next terms are below rounding.
  if (nu >= 2 && z < 1e-4) return 1 - z * z / (4 * (nu - 1));
  if (nu >= 1 && z < 1e-9) return 1;
  const double bessel = boost::math::cyl_bessel_k(nu, z, Policy());
  if (bessel == 0) return 0;
  // In logarithms, since z^nu and K_nu(z) may be far apart.
  const double exponent = (1 - nu) * std::numbers::ln2 - boost::math::lgamma(nu, Policy()) +
                          nu * std::log(z) + std::log(bessel);
  return std::min(1.0, std::exp(exponent));
}

}  // namespace

CorrelationKernel::CorrelationKernel(Kind kind, double length, double smoothness)
    : kind_(kind), length_(length), smoothness_(smoothness) {
  if (!(length > 0 && std::isfinite(length)))
    throw std::invalid_argument(
        fmt::format("random field: correlation length = {} m must be positive and finite", length));
}

CorrelationKernel CorrelationKernel::exponential(double length) {
  return CorrelationKernel(Kind::exponential, length, 0);
}

CorrelationKernel CorrelationKernel::squared_exponential(double length) {
  return CorrelationKernel(Kind::squared_exponential, length, 0);
}

CorrelationKernel CorrelationKernel::matern(double length, double smoothness) {
  if (!(smoothness > 0 && smoothness <= largest_smoothness))
    throw std::invalid_argument(fmt::format(
        "random field: smoothness = {} of the Matern correlation must be above 0 and at "
        "most {}; a smoother field is as good as one with the squared exponential "
        "correlation and sqrt(2) times the length",
        smoothness, largest_smoothness));
  return CorrelationKernel(Kind::matern, length, smoothness);
}

CorrelationKernel CorrelationKernel::peaked(double length) {
  return CorrelationKernel(Kind::peaked, length, 0);
}

double CorrelationKernel::operator()(double distance) const {
  const double ratio = distance / length_;
  switch (kind_) {
    case Kind::exponential:
      return std::exp(-ratio);
    case Kind::squared_exponential:
      return std::exp(-ratio * ratio);
    case Kind::matern:
      return matern_correlation(smoothness_, std::sqrt(2 * smoothness_) * ratio);
    case Kind::peaked: {
      const double spread = 1 + ratio * ratio;
      return (1 - 3 * ratio * ratio) / (spread * spread * spread);
    }
  }
  throw std::logic_error("unknown kind of correlation");
}

double CorrelationKernel::spectral_density(double wave_number) const {
  const double x = length_ * std::fabs(wave_number);
  switch (kind_) {
    case Kind::exponential:
      return length_ / (std::numbers::pi * (1 + x * x));
    case Kind::squared_exponential:
      return 0.5 * length_ * std::numbers::inv_sqrtpi * std::exp(-0.25 * x * x);
    case Kind::matern: {
      const double nu = smoothness_, c = std::sqrt(2 * nu) / length_;
      const double gammas =
          std::exp(boost::math::lgamma(nu + 0.5, Policy()) - boost::math::lgamma(nu, Policy()));
      // c^(2 nu) / (c^2 + kappa^2)^(nu + 1/2), without powers that overflow.
      const double k = wave_number / c;
      return std::numbers::inv_sqrtpi * gammas / c * std::pow(1 + k * k, -nu - 0.5);
    }
    case Kind::peaked:
      return 0.25 * length_ * x * x * std::exp(-x);
  }
  throw std::logic_error("unknown kind of correlation");
}

std::string CorrelationKernel::description() const {
  switch (kind_) {
    case Kind::exponential:
      return fmt::format("exponential, length {} m", length_);
    case Kind::squared_exponential:
      return fmt::format("squared exponential, length {} m", length_);
    case Kind::matern:
      return fmt::format("Matern, length {} m, smoothness {}", length_, smoothness_);
    case Kind::peaked:
      return fmt::format("peaked, length {} m", length_);
  }
  throw std::logic_error("unknown kind of correlation");
}

}  // namespace tumble
