#include "tumble/random/law/nataf.hpp"

#include <algorithm>
#include <cmath>

#include "tumble/random/law/bisection.hpp"
#include "tumble/random/law/gauss_legendre.hpp"
#include "tumble/random/law/normal_score.hpp"

namespace tumble {
namespace {

/// Smooth laws need some twenty terms. Jumps make a_k fall as slowly as k^(-3/4), and then the
/// powers of r must do it: 0.98^1000 = 2e-9.
constexpr std::size_t orders = 1000;

/// Smooth laws have no more in all the terms that follow: the sums at r = -1 and 1 need no
/// integral.
constexpr double negligible = 1e-9;

/// Where from_normal_score() ends, too.
constexpr int last_score = 12;
/// h_1000 has one and a quarter waves in two panels: ten points are exact to rounding.
constexpr int panels_per_unit = 8;
/// Of a larger sample each jump is so small that it need not be cut at.
constexpr std::size_t most_cuts = 2000;

/// Integration points of functions of the score, cut into panels at `probabilities` too.
std::vector<QuadraturePoint> score_quadrature(const std::vector<double>& probabilities) {
  std::vector<double> edges;
  for (int k = -last_score * panels_per_unit; k <= last_score * panels_per_unit; ++k)
    edges.push_back(static_cast<double>(k) / panels_per_unit);
  if (probabilities.size() <= most_cuts)
    for (const double p : probabilities)
      if (p > 0 && p < 1) edges.push_back(standard_normal_score(p));
  std::sort(edges.begin(), edges.end());
  std::vector<QuadraturePoint> points;
  for (std::size_t k = 0; k + 1 < edges.size(); ++k) {
    const double half = 0.5 * (edges[k + 1] - edges[k]), centre = edges[k] + half;
    for (const auto& [place, weight] : gauss_legendre_10)
      points.push_back({centre + half * place, half * weight});
  }
  return points;
}

double standardized(const ScalarLaw& law, double z) {
  return (law.from_normal_score(z) - law.mean()) / law.std();
}

/// E{X Y} of the standardised variables with the scores W = sign Z.
double correlation_at_the_end(const ScalarLaw& x, const ScalarLaw& y, double sign) {
  std::vector<double> cuts = x.breakpoints();
  for (const double p : y.breakpoints()) cuts.push_back(sign > 0 ? p : 1 - p);
  double sum = 0;
  for (const auto& [z, weight] : score_quadrature(cuts))
    sum += weight * standard_normal_pdf(z) * standardized(x, z) * standardized(y, sign * z);
  return sum;
}

}  // namespace

HermiteExpansion::HermiteExpansion(const ScalarLaw& law) : coefficients_(orders) {
  // h_{k+1} = z h_k / sqrt(k + 1) - sqrt(k / (k + 1)) h_{k-1}
  std::vector<double> of_current, of_before;
  for (std::size_t k = 1; k <= orders; ++k) {
    const auto order = static_cast<double>(k);
    of_current.push_back(1 / std::sqrt(order + 1));
    of_before.push_back(std::sqrt(order / (order + 1)));
  }
  for (const auto& [z, weight] : score_quadrature(law.breakpoints())) {
    // a_k = integral of x h_k phi. The functions h_k sqrt(phi) stay below 1 for all k and z, where
    // h_k itself would overflow.
    const double root_density = std::sqrt(standard_normal_pdf(z));
    const double x = standardized(law, z) * root_density * weight;
    double before = root_density, current = z * root_density;
    for (std::size_t k = 0; k < orders; ++k) {
      coefficients_[k] += x * current;
      const double next = of_current[k] * z * current - of_before[k] * before;
      before = current;
      current = next;
    }
  }
  double squares = 0;
  for (const double a : coefficients_) squares += a * a;
  remainder_ = std::sqrt(std::max(0.0, 1 - squares));
}

PairCorrelation::PairCorrelation(const ScalarLaw& x, const ScalarLaw& y,
                                 const HermiteExpansion& expansion_x,
                                 const HermiteExpansion& expansion_y)
    : remainder_(expansion_x.remainder() * expansion_y.remainder()) {
  for (std::size_t k = 0; k < orders; ++k)
    terms_.push_back(expansion_x.coefficients()[k] * expansion_y.coefficients()[k]);
  range_ = {at(-1), at(1)};
  if (remainder_ < negligible) return;
  const double sum_at_minus_1 = range_.min, sum_at_1 = range_.max;
  range_ = {correlation_at_the_end(x, y, -1), correlation_at_the_end(x, y, 1)};
  // Now it is known what the neglected terms add up to at r = -1 and r = 1. Let it be in the next
  // odd and the next even one: then every correlation inside the range has its r.
  const double rest_at_minus_1 = range_.min - sum_at_minus_1, rest_at_1 = range_.max - sum_at_1;
  static_assert(orders % 2 == 0);
  terms_.push_back(0.5 * (rest_at_1 - rest_at_minus_1));
  terms_.push_back(0.5 * (rest_at_1 + rest_at_minus_1));
}

double PairCorrelation::at(double r) const {
  double sum = 0;
  for (std::size_t k = terms_.size(); k-- > 0;) sum = r * (sum + terms_[k]);
  return sum;
}

// The derivative with respect to r is E{x'(Z) y'(W)} > 0, because quantile functions increase: the
// correlation increases with r.
ScoreCorrelation PairCorrelation::scores_for(double correlation) const {
  const double r = root_by_bisection([&](double trial) { return at(trial) - correlation; }, -1, 1);
  // Cauchy and Schwarz, for the terms left out and, as a bound, for those put in their place.
  return {r, 2 * std::pow(std::abs(r), orders + 1) * remainder_};
}

}  // namespace tumble
