// The convex hull of points in space.
#pragma once
#include <vector>

#include "tumble/random/domain/triangle_surface.hpp"

namespace tumble {

/// Found by quickhull on coordinates rounded to 2^-41 of the extent, where determinants are exact
/// integers and no decision can contradict another. Points closer to the surface than about 1e-12
/// of the extent may thus be taken for interior ones; those that are kept have their own
/// coordinates.
class ConvexHull {
 public:
  /// @throws std::invalid_argument for fewer than 4 points, or points in one plane.
  explicit ConvexHull(const std::vector<Vec3d>& points);

  /// The triangles of the hull, without the points inside. Facets with many corners are several
  /// triangles, and one of these may have a corner that lies within the facet.
  const TriangleSurface& surface() const { return surface_; }
  /// Distance of x; minus the distance to the surface for x within.
  double distance(const Vec3d& x) const;

 private:
  struct Plane {
    Vec3d normal;  ///< of length 1, outwards
    double offset;
  };

  TriangleSurface surface_;
  std::vector<Plane> planes_;  ///< of the triangles
};

}  // namespace tumble
