// Where a random field lives, and the points by which it is discretised.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "tumble/math/vec3.hpp"

namespace tumble {

/// A curve that carries a field: a beam in its reference shape.
struct FieldCurve {
  double length;                         ///< [m]
  std::function<Vec3d(double s)> point;  ///< of arc length s in [0, length]
};

/// A beam by itself: its arc length is the coordinate, and how it is bent does not matter.
FieldCurve arc_length_curve(double length);
/// A straight beam in space.
FieldCurve straight_curve(const Vec3d& from, const Vec3d& to);

struct FieldNodes {
  std::vector<Vec3d> points;    ///< whose values the expansion is made of
  std::vector<double> weights;  ///< of quadrature over the domain [m, m^2 or m^3]; 1 each for EOLE
  std::vector<Vec3d> probes;    ///< where the variance error is measured
};

/// Uniform nodes with both ends, each of weight 1: those of EOLE. The longest curve gets `count`,
/// the others as many as keep the spacing at or below that one's.
FieldNodes uniform_nodes(std::span<const FieldCurve> curves, std::size_t count);

/// Gauss-Legendre points with their weights on each curve, for Karhunen-Loeve. `count` on the
/// longest curve, on others in proportion, rounded up.
FieldNodes gauss_legendre_nodes(std::span<const FieldCurve> curves, std::size_t count);

/// Any points, each with its share of the domain as weight, or 1 each for EOLE; the variance error
/// is measured at the points themselves and at `further_probes`.
FieldNodes cloud_nodes(std::vector<Vec3d> points, std::vector<double> weights,
                       std::span<const Vec3d> further_probes = {});

/// How many nodes on the longest curve serve most fields: twenty in each correlation length, and no
/// fewer than 101. Throws std::invalid_argument when that would be more than 2001.
std::size_t usual_node_count(std::span<const FieldCurve> curves, double correlation_length);

}  // namespace tumble
