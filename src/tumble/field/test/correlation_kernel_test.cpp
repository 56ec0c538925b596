// Correlations against closed forms, limits and values with 40 digits.
#include "tumble/field/correlation_kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace tumble {
namespace {

TEST(CorrelationKernel, HasThePapersForms) {
  EXPECT_DOUBLE_EQ(CorrelationKernel::exponential(2)(3), std::exp(-1.5));
  // Not exp(-d^2 / (2 a^2)).
  EXPECT_DOUBLE_EQ(CorrelationKernel::squared_exponential(2)(3), std::exp(-2.25));
  const CorrelationKernel kernel = CorrelationKernel::exponential(5);
  EXPECT_DOUBLE_EQ(kernel({1, 2, 3}, {1, 5, 7}), std::exp(-1.0));
}

TEST(CorrelationKernel, MaternOneHalfIsExponential) {
  const auto matern = CorrelationKernel::matern(0.7, 0.5);
  const auto exponential = CorrelationKernel::exponential(0.7);
  for (const double d : {0.0, 1e-9, 0.01, 0.3, 2.0, 40.0})
    EXPECT_NEAR(matern(d), exponential(d), 1e-15 * exponential(d)) << d;
}

// Closed forms beside the Bessel function: nearby smoothnesses give nearby correlations.
TEST(CorrelationKernel, ClosedFormsContinueTheBesselFunction) {
  for (const double nu : {0.5, 1.5, 2.5})
    for (const double d : {1e-3, 0.1, 0.5, 1.0, 4.0}) {
      const double step = 1e-7;
      const double below = CorrelationKernel::matern(1, nu - step)(d);
      const double above = CorrelationKernel::matern(1, nu + step)(d);
      EXPECT_NEAR(CorrelationKernel::matern(1, nu)(d), 0.5 * (below + above), 1e-12) << nu << d;
    }
}

struct MaternValue {
  double smoothness, distance, correlation;
};

// Length 0.6; mpmath 1.3.0 with 40 digits: 2**(1-nu)/gamma(nu) * z**nu * besselk(nu, z).
constexpr MaternValue matern_values[] = {
    {0.25, 1e-7, 0.9996718181265988}, {0.25, 0.001, 0.9671822665062586},
    {0.25, 0.7, 0.2470910549812318},  {0.25, 3, 0.01206834739304088},
    {0.8, 1e-7, 0.9999999999662203},  {0.8, 0.05, 0.9694017067940282},
    {0.8, 0.7, 0.3521849809562675},   {0.8, 3, 0.003965317738952716},
    {1, 1e-7, 0.999999999999559},     {1, 0.001, 0.9999814825201922},
    {1, 0.7, 0.3702474071591566},     {1.2, 0.001, 0.9999922820101927},
    {1.2, 0.7, 0.3842668013202249},   {1.2, 3, 0.002315559528406536},
    {2, 1e-7, 0.9999999999999722},    {2, 0.001, 0.9999972222729145},
    {2, 0.05, 0.9931840949891186},    {2, 3, 0.001075490850346638},
    {3.7, 1e-7, 0.999999999999981},   {3.7, 0.001, 0.9999980967106956},
    {3.7, 0.7, 0.452606675036245},    {3.7, 3, 0.0003905428710458119},
    {12, 0.001, 0.9999984848497475},  {12, 0.05, 0.9962200004639924},
    {12, 3, 5.622579679264721e-5},    {50, 1e-7, 0.9999999999999858},
    {50, 0.001, 0.9999985827674651},  {50, 0.05, 0.9964633157045712},
    {50, 0.7, 0.5018182673233549},    {50, 3, 1.039053637585304e-5},
};

TEST(CorrelationKernel, MaternHasTheValuesOfMpmath) {
  for (const auto& [nu, d, expected] : matern_values)
    EXPECT_NEAR(CorrelationKernel::matern(0.6, nu)(d), expected, 3e-13 * expected)
        << "smoothness " << nu << ", distance " << d;
}

TEST(CorrelationKernel, MaternStaysInBoundsAtEveryDistance) {
  for (const double nu : {0.05, 0.7, 1.0, 1.3, 2.0, 9.0, 50.0}) {
    const auto kernel = CorrelationKernel::matern(1, nu);
    EXPECT_EQ(kernel(0), 1);
    double before = 1;
    for (double d = 1e-12; d < 1e12; d *= 1.7) {
      const double here = kernel(d);
      EXPECT_LE(here, before + 2e-13) << nu << " " << d;
      EXPECT_GE(here, 0) << nu << " " << d;
      before = here;
    }
    EXPECT_EQ(before, 0) << nu;
  }
}

// The Matern correlation is E{exp(-x nu / S)}, x = d^2 / (2 a^2), with S of the gamma law of shape
// nu, which has mean nu and variance nu. Hence exp(-x) (1 + (x^2 / 2 - x) / nu) + O(1 / nu^2).
TEST(CorrelationKernel, SmoothMaternTendsToSquaredExponential) {
  const double a = 1.3;
  const auto limit = CorrelationKernel::squared_exponential(std::sqrt(2) * a);
  for (const double d : {0.2, 0.9, 1.7, 3.0}) {
    const double x = d * d / (2 * a * a);
    const auto error = [&](double nu) {
      return CorrelationKernel::matern(a, nu)(d) - limit(d) * (1 + (0.5 * x * x - x) / nu);
    };
    EXPECT_LT(std::abs(error(50)), 1e-3) << d;
    EXPECT_NEAR(error(24) / error(48), 4, 0.5) << d;
  }
}

TEST(CorrelationKernel, RefusesWhatIsNoLengthOrSmoothness) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double length : {0.0, -1.0, nan, infinity}) {
    EXPECT_THROW(CorrelationKernel::exponential(length), std::invalid_argument);
    EXPECT_THROW(CorrelationKernel::squared_exponential(length), std::invalid_argument);
    EXPECT_THROW(CorrelationKernel::matern(length, 1), std::invalid_argument);
  }
  for (const double nu : {0.0, -0.5, 50.1, nan, infinity})
    EXPECT_THROW(CorrelationKernel::matern(1, nu), std::invalid_argument);
}

TEST(CorrelationKernel, PeakedOneFallsBelowZeroAndReturns) {
  const auto kernel = CorrelationKernel::peaked(0.5);
  EXPECT_EQ(kernel(0), 1);
  EXPECT_NEAR(kernel(0.5 / std::sqrt(3)), 0, 1e-15);
  EXPECT_DOUBLE_EQ(kernel(0.5), -0.25);  // -2 / 2^3
  EXPECT_EQ(kernel.description(), "peaked, length 0.5 m");
}

// The correlation is the integral of the spectral density times cos(kappa d): by the trapezoidal
// rule, which for smooth even functions that vanish at both ends is as good as exact, less a tail
// that is known.
TEST(CorrelationKernel, SpectralDensityBelongsToTheCorrelation) {
  struct Case {
    CorrelationKernel kernel;
    double to, tolerance;
  };
  const double a = 0.7;
  const Case cases[] = {{CorrelationKernel::squared_exponential(a), 20 / a, 1e-12},
                        {CorrelationKernel::peaked(a), 60 / a, 1e-9},
                        {CorrelationKernel::matern(a, 2.5), 100 / a, 1e-7},
                        {CorrelationKernel::matern(a, 0.8), 300 / a, 2e-3},
                        {CorrelationKernel::exponential(a), 300 / a, 3e-3}};
  for (const Case& c : cases)
    for (const double d : {0.0, 0.2, 0.9, 2.1}) {
      const double step = 0.02 / a;
      double sum = 0.5 * c.kernel.spectral_density(0);
      for (double k = step; k < c.to; k += step)
        sum += c.kernel.spectral_density(k) * std::cos(k * d);
      EXPECT_NEAR(2 * step * sum, c.kernel(d), c.tolerance) << c.kernel.description() << ' ' << d;
    }
  EXPECT_EQ(CorrelationKernel::peaked(a).spectral_density(-3),
            CorrelationKernel::peaked(a).spectral_density(3));
}

}  // namespace
}  // namespace tumble
