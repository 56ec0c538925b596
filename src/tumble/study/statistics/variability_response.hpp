// Dynamic variability response: how the variance of a response follows from the spectrum of a
// random flexibility.
//
// With f = sqrt(2) sigma cos(kappa s + phi) in place of a random field f of standard deviation
// sigma, and phases phi evenly spaced, the responses u of these runs give at every instant
//
//   DVRF(kappa) = Var_phi u / sigma^2,    DMRF(kappa) = E_phi u / sigma^2,
//
// and for a field with the two-sided spectral density sigma^2 S(kappa)
//
//   Var u = sigma^2 integral DVRF S dkappa,   E u = sigma^2 integral DMRF S dkappa,   Var u <=
//   sigma^2 max DVRF
//
// (V. Papadopoulos, O. Kokkinos, Variability response functions for stochastic systems under
// dynamic excitations, Probab. Eng. Mech. 28, 2012). That is exact where u is linear in f, and a
// conjecture elsewhere, the bound included; so random fields of the same spectrum are run too, and
// the difference is told with its own error.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "tumble/study/quantiles/stored_values.hpp"

namespace tumble {

struct VariabilityPlan {
  std::vector<double> wave_numbers;  ///< from 0, evenly spaced, an odd number of them [rad/m]
  std::uint64_t phases = 0;
  double std = 0;                                       ///< sigma
  std::function<double(double)> spectral_density = {};  ///< S
  /// Behind the waves come `check` runs with Gaussian fields and as many with others; run i of
  /// either is of copy i mod `copies`, and copies are independent.
  std::uint64_t check = 0, copies = 0;
  /// Relative, by how much the variance of the random fields of either law may be off.
  std::array<double, 2> variance_errors = {};
};

/// Weights of values at the wave numbers in the integral of S over all wave numbers. The integrand
/// is even; between wave numbers it is a cubic polynomial through four of them, and beyond the last
/// constant.
struct SpectrumWeights {
  std::vector<double> fine;    ///< of every wave number
  std::vector<double> coarse;  ///< of every second one
  double beyond = 0;           ///< the share of S beyond the last
};
SpectrumWeights spectrum_weights(const std::vector<double>& wave_numbers,
                                 const std::function<double(double)>& spectral_density);

/// What one law of random fields says, by output.
struct VariabilityCheck {
  std::vector<double> mean, std, std_se;
  /// sqrt(Var by DVRF) over `std`, less 1, with the ends of a confidence interval, which is wider
  /// by what the variance of the fields themselves may be off.
  std::vector<double> conjecture_error, conjecture_error_lower, conjecture_error_upper;
  std::uint64_t failed = 0;  ///< runs that are left out from the beginning
};

/// Outputs are [time][number]. NaN where a run of the waves failed before.
struct VariabilityResponse {
  std::vector<std::vector<double>> dvrf, dmrf;  ///< [wave][output]
  std::vector<double> mean, variance;           ///< by output
  /// How wrong the integral may be: by every second wave number, and by what lies beyond the last.
  std::vector<double> variance_error;
  std::vector<double> variance_bound;
  std::vector<VariabilityCheck> checks;  ///< Gaussian, lognormal; none without
  double beyond = 0;                     ///< SpectrumWeights::beyond
  std::uint64_t failed_waves = 0;        ///< of the runs with waves
};

VariabilityResponse variability_response(const VariabilityPlan& plan, const StoredValues& values,
                                         double interval_confidence);

}  // namespace tumble
