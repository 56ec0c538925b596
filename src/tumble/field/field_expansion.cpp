#include "tumble/field/field_expansion.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "tumble/field/spectrum.hpp"

namespace tumble {
namespace {

/// What negative eigenvalues of a correlation may do to the variance, relative to the tolerance of
/// its error.
constexpr double largest_excess = 0.1;

void check_nodes(const FieldNodes& nodes) {
  if (nodes.points.empty()) throw std::invalid_argument("random field: there are no nodes");
  if (nodes.weights.size() != nodes.points.size())
    throw std::invalid_argument(
        fmt::format("random field: {} weights for {} nodes; give one for each",
                    nodes.weights.size(), nodes.points.size()));
  for (std::size_t j = 0; j < nodes.weights.size(); ++j)
    if (!(nodes.weights[j] > 0 && std::isfinite(nodes.weights[j])))
      throw std::invalid_argument(
          fmt::format("random field: weight {} of node {} must be positive and finite",
                      nodes.weights[j], j + 1));
}

Eigen::MatrixXd weighted_correlation(const FieldNodes& nodes, std::span<const double> roots,
                                     const CorrelationFunction& correlation) {
  const std::size_t n = nodes.points.size();
  Eigen::MatrixXd matrix(n, n);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k <= j; ++k) {
      const double rho = correlation(nodes.points[j], nodes.points[k]);
      if (!(std::abs(rho) <= 1 + 1e-9))
        throw std::invalid_argument(
            fmt::format("random field: correlation {} of nodes {} and {} must lie between -1 and 1",
                        rho, j + 1, k + 1));
      matrix(j, k) = matrix(k, j) = roots[j] * roots[k] * rho;
    }
  return matrix;
}

/// A function that is not quite positive definite has negative eigenvalues. An expansion leaves
/// them out, and the variance at node j comes out larger by sum_i |lambda_i| psi_ij^2 / w_j. The
/// largest of these.
double excess_variance(const Spectrum& spectrum, std::span<const double> roots) {
  const Eigen::VectorXd missing = (-spectrum.values).cwiseMax(0.0);
  double largest = 0;
  for (std::size_t j = 0; j < roots.size(); ++j) {
    const double sum = spectrum.vectors.row(j).array().square().matrix().dot(missing.transpose());
    largest = std::max(largest, sum / (roots[j] * roots[j]));
  }
  return largest;
}

/// Number of eigenvalues that can be divided by.
std::size_t usable(const Eigen::VectorXd& values) {
  const double noise =
      static_cast<double>(values.size()) * std::numeric_limits<double>::epsilon() * values[0];
  std::size_t count = 0;
  while (count < static_cast<std::size_t>(values.size()) && values[count] > noise) ++count;
  return count;
}

}  // namespace

FieldExpansion::FieldExpansion(FieldNodes nodes, CorrelationFunction correlation,
                               const Truncation& truncation)
    : correlation_(std::move(correlation)) {
  check_nodes(nodes);
  if (!(truncation.tolerance > 0 && truncation.tolerance < 1))
    throw std::invalid_argument(fmt::format(
        "random field: tolerance = {} of the relative variance error must lie between 0 and 1",
        truncation.tolerance));
  std::vector<double> roots;
  for (const double weight : nodes.weights) roots.push_back(std::sqrt(weight));
  const Spectrum spectrum =
      canonical_spectrum(weighted_correlation(nodes, roots, correlation_), roots);
  report_.excess_variance = excess_variance(spectrum, roots);
  if (!(report_.excess_variance <= largest_excess * truncation.tolerance))
    throw std::invalid_argument(fmt::format(
        "random field: no Gaussian field has this correlation: the closest one differs by {:.2g} "
        "of "
        "the variance, and a tenth of the tolerance {} is allowed. If the correlation was given "
        "for "
        "a lognormal field, its coefficient of variation is too large for that; give the "
        "correlation of the underlying Gaussian field",
        report_.excess_variance, truncation.tolerance));
  const std::size_t available = usable(spectrum.values);

  nodes_ = std::move(nodes.points);
  probes_ = std::move(nodes.probes);
  if (probes_.empty()) probes_ = nodes_;
  report_.nodes = nodes_.size();
  report_.eigenvalues.assign(spectrum.values.begin(), spectrum.values.begin() + available);
  coefficients_ = ModeMatrix(nodes_.size(), available);
  for (std::size_t j = 0; j < nodes_.size(); ++j)
    for (std::size_t i = 0; i < available; ++i)
      coefficients_(j, i) = roots[j] * spectrum.vectors(j, i) / std::sqrt(spectrum.values[i]);

  if (truncation.terms) {
    if (!(*truncation.terms >= 1 && *truncation.terms <= available))
      throw std::invalid_argument(fmt::format(
          "random field: {} terms asked for; with {} nodes there are 1 to {}, beyond which "
          "eigenvalues are lost in rounding errors",
          *truncation.terms, nodes_.size(), available));
    report_.terms = *truncation.terms;
  } else {
    report_.terms = fewest_terms(truncation.tolerance);
  }
  // Modes that nobody will ask for cost time at every point.
  ModeMatrix kept(nodes_.size(), report_.terms);
  for (std::size_t j = 0; j < nodes_.size(); ++j)
    std::copy_n(coefficients_.row(j).begin(), report_.terms, kept.row(j).begin());
  coefficients_ = std::move(kept);
  measure_error();
}

void FieldExpansion::evaluate(const Vec3d& x, std::span<double> g) const {
  std::fill(g.begin(), g.end(), 0.0);
  for (std::size_t j = 0; j < nodes_.size(); ++j) {
    const double rho = correlation_(x, nodes_[j]);
    const auto row = coefficients_.row(j);
    for (std::size_t i = 0; i < g.size(); ++i) g[i] += rho * row[i];
  }
}

std::size_t FieldExpansion::fewest_terms(double tolerance) const {
  // Every term reduces the error everywhere, so each probe needs a certain number, and the largest
  // of these is enough for all. Few are needed as a rule, so not all are computed at once.
  std::vector<double> g(std::min<std::size_t>(16, coefficients_.terms));
  std::size_t needed = 1;
  for (const Vec3d& probe : probes_) {
    evaluate(probe, g);
    double error = 1;
    std::size_t terms = 0;
    while (!(error < tolerance)) {
      if (terms == coefficients_.terms)
        throw std::invalid_argument(fmt::format(
            "random field: all {} terms of {} nodes leave a variance error of {:.3g} at ({}, {}, "
            "{}) m, which is not below the tolerance {}: take more nodes, or a larger tolerance. "
            "Between nodes at a distance h a field with the exponential correlation and length a "
            "has the error tanh(h / (2 a))",
            terms, nodes_.size(), error, probe.x, probe.y, probe.z, tolerance));
      if (terms == g.size()) {
        g.resize(std::min(2 * g.size(), coefficients_.terms));
        evaluate(probe, g);
      }
      error -= g[terms] * g[terms];
      ++terms;
    }
    needed = std::max(needed, terms);
  }
  return needed;
}

void FieldExpansion::measure_error() {
  std::vector<double> g(terms());
  report_.largest_error = -1;
  report_.largest_error_by_terms.assign(terms(), 0.0);
  for (const Vec3d& probe : probes_) {
    evaluate(probe, g);
    double error = 1;
    for (std::size_t i = 0; i < terms(); ++i) {
      error -= g[i] * g[i];
      report_.largest_error_by_terms[i] =
          std::max(report_.largest_error_by_terms[i], std::abs(error));
    }
    error = std::abs(error);  // negative by rounding, or by excess_variance
    report_.mean_error += error;
    if (error > report_.largest_error) {
      report_.largest_error = error;
      report_.largest_error_place = probe;
    }
  }
  report_.mean_error /= static_cast<double>(probes_.size());
}

ModeMatrix FieldExpansion::modes(std::span<const Vec3d> points) const {
  ModeMatrix matrix(points.size(), terms());
  for (std::size_t p = 0; p < points.size(); ++p) evaluate(points[p], matrix.row(p));
  return matrix;
}

std::vector<double> FieldExpansion::variance_error(std::span<const Vec3d> points) const {
  std::vector<double> g(terms()), errors;
  for (const Vec3d& point : points) {
    evaluate(point, g);
    double error = 1;
    for (const double mode : g) error -= mode * mode;
    errors.push_back(std::abs(error));  // negative by rounding, or by excess_variance
  }
  return errors;
}

}  // namespace tumble
