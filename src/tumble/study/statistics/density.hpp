// Kernel estimates of probability densities.
#pragma once
#include <span>
#include <vector>

#include "tumble/study/quantiles/stored_values.hpp"
#include "tumble/study/sampling.hpp"

namespace tumble {

/// Silverman's rule for Gaussian kernels, h = 0.9 min(s, IQR / 1.34) n^(-1/5), with the standard
/// deviation s (n - 1) and the interquartile range IQR by quantile_rule.hpp (B. W. Silverman,
/// Density Estimation for Statistics and Data Analysis, Chapman and Hall 1986, Eq. 3.31). Where
/// half of the values are equal and IQR = 0, s alone. 0 if all are, NaN for fewer than two.
double silverman_bandwidth(std::span<const double> ascending);

struct DensityOptions {
  std::size_t points = 200;     ///< at least 2
  double bandwidth_factor = 1;  ///< on Silverman's h
  Sampling sampling;
  int threads = 0;
};

/// f(x) = (1/n) sum_i k_i(x), k_i(x) = phi((x - x_i) / h) / h, at equally spaced points from 4 h
/// below the smallest value to 4 h above the largest. NaN throughout if h is not positive.
struct KernelDensity {
  double bandwidth;             ///< h
  std::vector<double> at;       ///< x
  std::vector<double> density;  ///< f(x)
  /// Standard error of f(x): from the scatter of the k_i(x), or from that of the densities of a
  /// design's copies, all with the same h. The smoothing itself, by which f is flatter than what it
  /// estimates, is not in it.
  std::vector<double> error;
};

/// `realizations` say which value is of which copy.
KernelDensity kernel_density(std::span<const double> values,
                             std::span<const std::uint64_t> realizations,
                             const DensityOptions& options);

/// [place among `times`][number]; `times` are places among the output times.
std::vector<std::vector<KernelDensity>> ensemble_densities(const StoredValues& values,
                                                           std::span<const std::size_t> times,
                                                           const DensityOptions& options);

}  // namespace tumble
