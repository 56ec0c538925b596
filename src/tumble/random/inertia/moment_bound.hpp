// Upper bounds of a body's second moments from where its mass can be.
#pragma once
#include <span>

#include "tumble/math/vec3.hpp"

namespace tumble {

/// The smallest box along the body's axes that holds its mass.
struct BodyExtent {
  Vec3<double> lower, upper;
};

/// `edges` along the columns of `orientation`.
BodyExtent extent_of_box(const Vec3<double>& center, const Vec3<double>& edges,
                         const Mat3<double>& orientation = Mat3<double>::identity());
/// `axis` need not be of unit length.
BodyExtent extent_of_cylinder(const Vec3<double>& center, const Vec3<double>& axis, double radius,
                              double length);
/// Of the convex hull of points; also of a mesh.
BodyExtent extent_of_points(std::span<const Vec3<double>> points);

enum class MomentBound {
  /// diag(max x_j^2), Eq. (33) of Batou and Soize (2012). No true bound: masses at opposite corners
  /// of a cube have Z_jk = x_j x_k, which exceeds it in the direction of the diagonal.
  paper,
  /// 3 diag(max x_j^2): as (sum_j u_j x_j)^2 <= 3 sum_j u_j^2 x_j^2, no mass within the extent can
  /// exceed it.
  safe
};

/// Zmax for mass within `extent`, x_j measured from the nominal centre of mass.
Mat3<double> moment_bound(const BodyExtent& extent, const Vec3<double>& center_of_mass,
                          MomentBound kind);

}  // namespace tumble
