#include "tumble/field/field_nodes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

namespace tumble {
namespace {

/// Probes on a curve: at least so many intervals.
constexpr std::size_t fewest_probe_intervals = 400;
/// And so many in each gap between uniform nodes; even, so that its middle is one of the probes,
/// where the error of a rough field is largest.
constexpr std::size_t fewest_probes_per_gap = 4;

double longest(std::span<const FieldCurve> curves) {
  if (curves.empty()) throw std::invalid_argument("random field: there is no curve to carry it");
  double length = 0;
  for (const FieldCurve& curve : curves) {
    if (!(curve.length > 0 && std::isfinite(curve.length)))
      throw std::invalid_argument(fmt::format(
          "random field: length = {} m of a curve must be positive and finite", curve.length));
    length = std::max(length, curve.length);
  }
  return length;
}

/// The share of `count` that a length has, rounded up, but not because of rounding errors.
std::size_t share(std::size_t count, double length, double longest_length) {
  return static_cast<std::size_t>(
      std::ceil(static_cast<double>(count) * (length / longest_length) - 1e-9));
}

/// Point i of n + 1 along the curve; the last one exactly at its end.
Vec3d division(const FieldCurve& curve, std::size_t i, std::size_t n) {
  return curve.point(curve.length * (static_cast<double>(i) / static_cast<double>(n)));
}

void add_probes(const FieldCurve& curve, std::size_t intervals, FieldNodes& nodes) {
  for (std::size_t i = 0; i <= intervals; ++i)
    nodes.probes.push_back(division(curve, i, intervals));
}

struct LegendreValue {
  double value, derivative;
};

/// P_n and its derivative at x in (-1, 1): (k + 1) P_(k+1) = (2 k + 1) x P_k - k P_(k-1), and
/// (1 - x^2) P_n' = n (P_(n-1) - x P_n).
LegendreValue legendre(std::size_t n, double x) {
  double before = 1, value = x;
  for (std::size_t k = 1; k < n; ++k) {
    const auto degree = static_cast<double>(k);
    before = std::exchange(value, ((2 * degree + 1) * x * value - degree * before) / (degree + 1));
  }
  return {value, static_cast<double>(n) * (before - x * value) / (1 - x * x)};
}

struct UnitPoint {
  double place, weight;
};

/// The n >= 2 Gauss-Legendre points of [0, 1] in increasing order: roots of P_n by Newton's method
/// from cos(pi (i + 3/4) / (n + 1/2)) (M. Abramowitz, I. A. Stegun, Handbook of Mathematical
/// Functions, 22.16.6), which is close enough for every n; weights 2 / ((1 - x^2) P_n'^2) on [-1,
/// 1] (25.4.29).
std::vector<UnitPoint> unit_gauss_legendre(std::size_t n) {
  std::vector<UnitPoint> points(n);
  for (std::size_t i = 0; i < (n + 1) / 2; ++i) {
    double x = std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) /
                        (static_cast<double>(n) + 0.5));
    if (2 * i + 1 == n) x = 0;
    for (int iteration = 0; iteration < 4; ++iteration) {  // quadratic from five digits on
      const auto [value, derivative] = legendre(n, x);
      x -= value / derivative;
    }
    const double slope = legendre(n, x).derivative;
    const double weight = 1 / ((1 - x * x) * slope * slope);
    points[i] = {0.5 * (1 - x), weight};
    points[n - 1 - i] = {0.5 * (1 + x), weight};
  }
  return points;
}

}  // namespace

FieldCurve arc_length_curve(double length) {
  return {length, [](double s) { return Vec3d{s, 0, 0}; }};
}

FieldCurve straight_curve(const Vec3d& from, const Vec3d& to) {
  const double length = norm(to - from);
  return {length, [from, to, length](double s) { return from + (s / length) * (to - from); }};
}

FieldNodes uniform_nodes(std::span<const FieldCurve> curves, std::size_t count) {
  if (count < 2)
    throw std::invalid_argument(
        fmt::format("random field: {} nodes on a curve; EOLE needs two or more", count));
  const double whole = longest(curves);
  FieldNodes nodes;
  for (const FieldCurve& curve : curves) {
    const std::size_t gaps = share(count - 1, curve.length, whole);
    for (std::size_t i = 0; i <= gaps; ++i) nodes.points.push_back(division(curve, i, gaps));
    std::size_t per_gap =
        std::max(fewest_probes_per_gap, (fewest_probe_intervals + gaps - 1) / gaps);
    per_gap += per_gap % 2;
    add_probes(curve, per_gap * gaps, nodes);
  }
  nodes.weights.assign(nodes.points.size(), 1.0);
  return nodes;
}

FieldNodes gauss_legendre_nodes(std::span<const FieldCurve> curves, std::size_t count) {
  if (count < 2)
    throw std::invalid_argument(fmt::format(
        "random field: {} quadrature points on a curve; Karhunen-Loeve needs two or more", count));
  const double whole = longest(curves);
  FieldNodes nodes;
  for (const FieldCurve& curve : curves) {
    const std::size_t points = std::max<std::size_t>(2, share(count, curve.length, whole));
    for (const auto& [place, weight] : unit_gauss_legendre(points)) {
      nodes.points.push_back(curve.point(curve.length * place));
      nodes.weights.push_back(curve.length * weight);
    }
    add_probes(curve, std::max(fewest_probe_intervals, fewest_probes_per_gap * points), nodes);
  }
  return nodes;
}

FieldNodes cloud_nodes(std::vector<Vec3d> points, std::vector<double> weights,
                       std::span<const Vec3d> further_probes) {
  FieldNodes nodes;
  nodes.probes = points;
  nodes.probes.insert(nodes.probes.end(), further_probes.begin(), further_probes.end());
  nodes.points = std::move(points);
  nodes.weights = std::move(weights);
  return nodes;
}

std::size_t usual_node_count(std::span<const FieldCurve> curves, double correlation_length) {
  constexpr double fewest = 101, most = 2001, per_length = 20;
  const double whole = longest(curves);
  const double wanted = 1 + std::ceil(per_length * whole / correlation_length);
  if (!(wanted <= most))
    throw std::invalid_argument(fmt::format(
        "random field: correlation length = {} m is short beside the length {} m of the beam: {} "
        "nodes would be needed; give their number if that is meant",
        correlation_length, whole, wanted));
  return static_cast<std::size_t>(std::max(fewest, wanted));
}

}  // namespace tumble
