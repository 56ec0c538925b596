#include "tumble/chaos/basis/stieltjes.hpp"

#include <fmt/core.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "tumble/random/law/gauss_legendre.hpp"
#include "tumble/random/law/normal_score.hpp"

namespace tumble {
namespace {

/// P(Z < -37) = 6e-300.
constexpr double outermost_score = 37;
/// Zeros of a polynomial of degree 100 are not much closer to each other.
constexpr double panel_width = 0.1;

std::vector<double> panel_ends(const ScalarLaw& law) {
  std::vector<double> cuts = {-outermost_score};
  for (const double u : law.breakpoints())
    if (u > 0 && u < 1) cuts.push_back(standard_normal_score(u));
  cuts.push_back(outermost_score);
  std::sort(cuts.begin(), cuts.end());
  std::vector<double> ends = {cuts.front()};
  for (std::size_t i = 1; i < cuts.size(); ++i) {
    const double from = cuts[i - 1], to = cuts[i];
    if (!(to > from)) continue;
    const double panels = std::ceil((to - from) / panel_width);
    for (double k = 1; k < panels; ++k) ends.push_back(from + (to - from) * k / panels);
    ends.push_back(to);
  }
  return ends;
}

/// The tail is written as a small probability on either side.
double quantile_of_score(const ScalarLaw& law, double z) {
  const double tail = standard_normal_cdf(-std::abs(z));
  return z < 0 ? law.quantile(tail) : law.quantile_upper(tail);
}

}  // namespace

DiscreteMeasure standardized_measure(const ScalarLaw& law) {
  const double mean = law.mean(), std = law.std();
  if (!(std > 0 && std::isfinite(std) && std::isfinite(mean)))
    throw std::invalid_argument(
        fmt::format("{}: mean = {} and std = {} must be finite, and std positive: otherwise there "
                    "are no polynomials of this law",
                    law.name(), mean, std));
  if (const std::vector<Atom> atoms = law.atoms(); !atoms.empty()) {
    DiscreteMeasure measure;
    for (const auto& [value, probability] : atoms) {
      measure.nodes.push_back((value - mean) / std);
      measure.weights.push_back(probability);
    }
    return measure;
  }
  std::vector<std::pair<double, double>> points;
  const std::vector<double> ends = panel_ends(law);
  for (std::size_t panel = 0; panel + 1 < ends.size(); ++panel) {
    const double centre = 0.5 * (ends[panel] + ends[panel + 1]);
    const double half = 0.5 * (ends[panel + 1] - ends[panel]);
    for (const auto& [place, weight] : gauss_legendre_10) {
      const double z = centre + half * place;
      points.emplace_back((quantile_of_score(law, z) - mean) / std,
                          half * weight * standard_normal_pdf(z));
    }
  }
  std::sort(points.begin(), points.end());
  DiscreteMeasure measure;
  double total = 0;
  for (const auto& [t, weight] : points) {
    if (measure.nodes.empty() || t != measure.nodes.back()) {
      measure.nodes.push_back(t);
      measure.weights.push_back(0);
    }
    measure.weights.back() += weight;
    total += weight;
  }
  for (double& weight : measure.weights) weight /= total;
  return measure;
}

OrthonormalPolynomials stieltjes_polynomials(const DiscreteMeasure& measure, int degree) {
  const auto size = static_cast<Eigen::Index>(measure.nodes.size());
  if (degree < 0 || degree >= size || degree > OrthonormalPolynomials::most_degree)
    throw std::invalid_argument(fmt::format(
        "degree = {} must lie between 0 and {}: a law with {} different values has no orthonormal "
        "polynomials of higher degree",
        degree, std::min<Eigen::Index>(size - 1, OrthonormalPolynomials::most_degree), size));
  const Eigen::Map<const Eigen::ArrayXd> t(measure.nodes.data(), size);
  const Eigen::Map<const Eigen::ArrayXd> weights(measure.weights.data(), size);
  // Columns are sqrt(weight) p_k(t), orthonormal as vectors.
  Eigen::MatrixXd q(size, degree + 1);
  q.col(0) = weights.sqrt().matrix();
  q.col(0).normalize();
  std::vector<double> a, b = {1.0};
  for (int k = 0;; ++k) {
    const auto known = q.leftCols(k + 1);
    Eigen::VectorXd next = (t * q.col(k).array()).matrix();
    a.push_back(q.col(k).dot(next));
    if (k == degree) break;
    for (int pass = 0; pass < 3; ++pass) next -= known * (known.transpose() * next);
    const double length = next.norm();
    b.push_back(length * length);
    q.col(k + 1) = next / length;
  }
  return {std::move(a), std::move(b)};
}

}  // namespace tumble
