#include "tumble/chaos/error/error_estimate.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tumble/chaos/fit/least_squares.hpp"

namespace tumble {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Without the noise that rounding makes of an output that does not vary.
double relative_to(double square, double variance, double mean) {
  const double rounding = 1e-12 * std::abs(mean);
  return square <= rounding * rounding ? 0 : variance > 0 ? square / variance : infinity;
}

}  // namespace

ChaosErrors shell_errors(const Expansion& expansion, std::span<const int> degrees) {
  const auto& terms = expansion.basis().terms();
  const std::size_t outputs = expansion.outputs();
  // Sums of squares over terms that reach n_k in some variable, and over those that reach n_k - 1
  // at most.
  std::vector<double> last(outputs, 0.0), before(outputs, 0.0);
  for (std::size_t term = 1; term < terms.size(); ++term) {
    int below = std::numeric_limits<int>::max();
    for (std::size_t k = 0; k < degrees.size(); ++k)
      if (degrees[k] > 0) below = std::min(below, degrees[k] - terms[term][k]);
    if (below > 1) continue;
    for (std::size_t o = 0; o < outputs; ++o)
      (below == 0 ? last : before)[o] +=
          expansion.coefficients()(term, o) * expansion.coefficients()(term, o);
  }
  ChaosErrors errors;
  errors.method = "terms of the highest degrees in each variable";
  const std::vector<double> variances = expansion.variances(), means = expansion.means();
  const bool none = std::ranges::all_of(degrees, [](int n) { return n == 0; });
  for (std::size_t o = 0; o < outputs; ++o) {
    const double square = none ? infinity : std::max(last[o], before[o]);
    errors.mean.push_back(std::sqrt(square));
    errors.std.push_back(std::sqrt(variances[o] + square) - std::sqrt(variances[o]));
    errors.relative.push_back(relative_to(square, variances[o], means[o]));
  }
  return errors;
}

ChaosErrors level_errors(const Expansion& expansion, const DenseMatrix& lower_level_coefficients) {
  const DenseMatrix &fine = expansion.coefficients(), &coarse = lower_level_coefficients;
  ChaosErrors errors;
  errors.method = "difference to the next lower level";
  const std::vector<double> variances = expansion.variances();
  for (std::size_t o = 0; o < expansion.outputs(); ++o) {
    double square = 0, lower_variance = 0;
    for (std::size_t term = 0; term < fine.rows(); ++term) {
      const double difference = fine(term, o) - coarse(term, o);
      square += difference * difference;
      if (term > 0) lower_variance += coarse(term, o) * coarse(term, o);
    }
    errors.mean.push_back(std::abs(fine(0, o) - coarse(0, o)));
    errors.std.push_back(std::abs(std::sqrt(variances[o]) - std::sqrt(lower_variance)));
    errors.relative.push_back(relative_to(square, variances[o], fine(0, o)));
  }
  return errors;
}

ChaosErrors regression_errors(const Expansion& expansion, std::vector<double> leave_one_out,
                              const DenseMatrix& values) {
  ChaosErrors errors;
  errors.method = "leave-one-out error";
  const std::vector<double> variances = expansion.variances();
  const auto runs = static_cast<double>(values.rows());
  std::vector<double> column(values.rows());
  for (std::size_t o = 0; o < expansion.outputs(); ++o) {
    for (std::size_t i = 0; i < column.size(); ++i) column[i] = values(i, o);
    const double spread = spread_of(column);
    // An output that does not vary has no error, not infinity times zero.
    const double square = spread == 0 ? 0 : leave_one_out[o] * spread / runs;
    errors.mean.push_back(std::sqrt(square / runs));
    errors.std.push_back(std::sqrt(square / runs) + std::sqrt(variances[o] + square) -
                         std::sqrt(variances[o]));
  }
  errors.relative = std::move(leave_one_out);
  return errors;
}

std::vector<std::string> error_warnings(const ChaosErrors& errors, double limit) {
  std::size_t count = 0, worst = 0;
  for (std::size_t o = 0; o < errors.relative.size(); ++o) {
    // Written so that NaN counts.
    if (!(errors.relative[o] <= limit)) ++count;
    if (!(errors.relative[o] <= errors.relative[worst])) worst = o;
  }
  if (count == 0) return {};
  return {fmt::format(
      "polynomial chaos: in {} of {} outputs the expansion misses more than {:.3g} of the variance "
      "by the estimate from the {}; the worst, output {}, misses {:.3g}. Take a higher degree or "
      "level, or more runs",
      count, errors.relative.size(), limit, errors.method, worst, errors.relative[worst])};
}

}  // namespace tumble
