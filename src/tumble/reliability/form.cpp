#include "tumble/reliability/form.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>

#include "tumble/random/law/normal_score.hpp"

namespace tumble {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// An orthonormal basis whose last vector is the unit vector `last`.
MatrixXd basis_with(const VectorXd& last) {
  const Eigen::Index d = last.size();
  MatrixXd all(d, d);
  all.setIdentity();
  all.col(0) = last;
  Eigen::Index largest = 0;
  last.cwiseAbs().maxCoeff(&largest);
  // The rest: all unit vectors but the one most like `last`.
  for (Eigen::Index c = 0, next = 1; c < d; ++c)
    if (c != largest) all.col(next++) = VectorXd::Unit(d, c);
  MatrixXd q = Eigen::HouseholderQR<MatrixXd>(all).householderQ();
  MatrixXd basis(d, d);
  basis.leftCols(d - 1) = q.rightCols(d - 1);
  basis.col(d - 1) = last;
  return basis;
}

struct Curvatures {
  std::vector<double> values;
  std::uint64_t runs = 0, failed = 0;
};

/// Of g = 0 at the design point u, from second differences of g in a turned basis. With n =
/// -gradient / |gradient|, the outward direction, g = |gradient| (-v_d + v^T A v / 2 + ...), the
/// surface is v_d = v^T A v / 2, and A's eigenvalues are the curvatures: positive where the surface
/// bends away from the origin, so that less lies beyond it.
Curvatures curvatures_at(const DesignPoint& point, const LimitState& g) {
  constexpr double h =
      0.05;  // wide: peaks of runs have small kinks that narrow differences magnify
  const auto d = static_cast<Eigen::Index>(point.germs.size());
  const VectorXd u = Eigen::Map<const VectorXd>(point.germs.data(), d);
  const MatrixXd basis = basis_with(u.normalized());
  GermPoints points(point.germs.size());
  const auto add = [&](const VectorXd& v) { points.add({v.data(), point.germs.size()}); };
  add(u);
  add(u + h * basis.col(d - 1));
  add(u - h * basis.col(d - 1));
  for (Eigen::Index i = 0; i + 1 < d; ++i) {
    add(u + h * basis.col(i));
    add(u - h * basis.col(i));
  }
  for (Eigen::Index i = 0; i + 1 < d; ++i)
    for (Eigen::Index j = 0; j < i; ++j) {
      add(u + h * basis.col(i) + h * basis.col(j));
      add(u - h * basis.col(i) - h * basis.col(j));
    }
  const std::vector<LimitValue> values = g(points);
  Curvatures found;
  found.runs = points.size();
  for (const LimitValue& value : values) found.failed += std::isnan(value.g) ? 1 : 0;
  const double g0 = values[0].g;
  const double slope = (values[2].g - values[1].g) / (2 * h);
  MatrixXd a(d - 1, d - 1);
  const auto plus = [&](Eigen::Index i) { return values[static_cast<std::size_t>(3 + 2 * i)].g; };
  const auto minus = [&](Eigen::Index i) { return values[static_cast<std::size_t>(4 + 2 * i)].g; };
  auto next = static_cast<std::size_t>(3 + 2 * (d - 1));
  for (Eigen::Index i = 0; i + 1 < d; ++i) {
    a(i, i) = (plus(i) - 2 * g0 + minus(i)) / (h * h);
    for (Eigen::Index j = 0; j < i; ++j, next += 2)
      a(i, j) = a(j, i) =
          (values[next].g + values[next + 1].g - plus(i) - minus(i) - plus(j) - minus(j) + 2 * g0) /
          (2 * h * h);
  }
  if (d > 1) {
    if (!a.allFinite() || !(slope != 0)) {
      found.values.assign(static_cast<std::size_t>(d - 1), ProbabilityEstimate::none);
      return found;
    }
    const VectorXd eigenvalues =
        Eigen::SelfAdjointEigenSolver<MatrixXd>(a / slope, Eigen::EigenvaluesOnly).eigenvalues();
    found.values.assign(eigenvalues.data(), eigenvalues.data() + eigenvalues.size());
  }
  return found;
}

/// prod (1 + psi kappa)^(-1/2); NaN where a paraboloid holds no finite share.
double curvature_factor(const std::vector<double>& curvatures, double psi) {
  double factor = 1;
  for (const double kappa : curvatures) factor /= std::sqrt(1 + psi * kappa);
  return factor;
}

}  // namespace

std::uint64_t curvature_runs(std::size_t dimension) {
  return 3 + 2 * (dimension - 1) + (dimension - 1) * (dimension > 1 ? dimension - 2 : 0);
}

ProbabilityEstimate form(std::size_t dimension, const LimitState& g, const FormOptions& options) {
  ProbabilityEstimate found;
  DesignPointOptions search;
  search.seed = options.seed;
  search.runs = options.runs;
  if (options.second_order) search.runs -= std::min(options.runs, curvature_runs(dimension));
  search.starts = options.starts;
  DesignPoints known = find_design_points(dimension, g, search);
  found.runs = found.search_runs = known.runs;
  found.failed = known.failed;
  found.design_points = std::move(known.points);
  if (found.design_points.empty()) {
    found.warnings.push_back("no design point was found: there is no approximation to give");
    return found;
  }
  const DesignPoint& nearest = found.design_points.front();
  const double beta = nearest.index;
  found.probability = standard_normal_cdf(-beta);
  if (!nearest.converged)
    found.warnings.push_back(
        fmt::format("the search for the design point did not converge: g is {:.2g} there, at a "
                    "distance of {:.3f}",
                    nearest.g, std::abs(beta)));
  std::size_t as_near = 0;
  for (const DesignPoint& point : found.design_points)
    as_near += std::abs(point.index) < std::abs(beta) + 1 ? 1 : 0;
  if (as_near > 1)
    found.warnings.push_back(
        fmt::format("there are {} design points of nearly the same distance: the approximation "
                    "counts the nearest alone",
                    as_near));
  if (!options.second_order || beta < 0) return found;
  const Curvatures curvatures = curvatures_at(nearest, g);
  found.runs += curvatures.runs;
  found.failed += curvatures.failed;
  found.curvatures = curvatures.values;
  found.breitung = found.probability * curvature_factor(curvatures.values, beta);
  found.hohenbichler =
      found.probability *
      curvature_factor(curvatures.values, standard_normal_pdf(beta) / standard_normal_cdf(-beta));
  if (!std::isfinite(found.hohenbichler) || found.hohenbichler > 1)
    found.warnings.push_back(
        "the limit state bends towards the origin more than the second order allows: there is no "
        "second-order approximation");
  found.probability = found.hohenbichler;
  return found;
}

}  // namespace tumble
