// Points of the density exp(-<lambda, x>) inside a closed surface of triangles as a map of the unit
// cube, coordinate by coordinate.
#pragma once
#include <vector>

#include "tumble/random/domain/triangle_surface.hpp"
#include "tumble/random/law/panel_density.hpp"

namespace tumble {

/// x, y and z are the quantiles of three uniform numbers in the law of x, of y given x, and of z
/// given both (H. Knothe 1957, M. Rosenblatt 1952). The plane of given x cuts the surface along
/// closed polygons; a line in it, of given y, meets them at the ends of intervals, on which z is a
/// truncated exponential variable. Between corners of the polygons, and between vertices of the
/// surface, all densities are smooth; they are integrated there by PanelDensity.
///
/// Each coordinate increases with its own number. The map is continuous if the body is convex;
/// where lines meet several intervals, it jumps from one to the next.
class TiltedSlices {
 public:
  TiltedSlices(const TriangleSurface& surface, const Vec3d& lambda);

  Vec3d from_cube(const Vec3d& u) const;

 private:
  /// An edge of the polygons in a plane of given x. The body lies above it, in z, where it runs
  /// towards greater y, and below where it runs towards smaller y.
  struct Edge {
    double y0, z0, y1, z1;
  };
  struct Interval {
    double low, high, mass;
  };
  class Slice;

  Slice slice_at(double x) const;

  TriangleSurface surface_;  ///< relative to the heaviest vertex, where the density is greatest
  Vec3d origin_, lambda_;
  double left_, width_;                            ///< of the buckets, along x
  std::vector<std::vector<std::size_t>> buckets_;  ///< triangles that reach into each
  PanelDensity marginal_;                          ///< of x
};

}  // namespace tumble
