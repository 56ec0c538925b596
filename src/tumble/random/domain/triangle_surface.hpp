// A surface of triangles, and the body it encloses.
#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include "tumble/random/domain/domain.hpp"

namespace tumble {

/// Corners of a triangle run counter-clockwise for who looks from outside.
struct TriangleSurface {
  std::vector<Vec3d> vertices;
  std::vector<std::array<std::size_t, 3>> triangles;
};

/// Of the enclosed body. With triangles that face inwards the volume is negative.
struct EnclosedVolume {
  double volume = 0;
  Vec3d barycentre;
};
EnclosedVolume enclosed_volume(const TriangleSurface& surface);

/// The same with the second moments of the volume about the barycentre: the inertia of a
/// homogeneous body is density (tr(S) I - S).
struct SolidMoments {
  double volume = 0;
  Vec3d barycentre;
  Mat3d second;  ///< S = integral of (x - c)(x - c)^T over the volume
};
SolidMoments solid_moments(const TriangleSurface& surface);

Bounds bounds_of(const std::vector<Vec3d>& points);

/// Checks that the surface is closed, that neighbouring triangles agree on which side is outside,
/// and that they enclose a positive volume. Triangles with two equal corners, as STL files have
/// them, are neither seen nor missed. Whether the surface cuts itself is not checked.
/// @throws std::invalid_argument that names the triangles at fault, counted from 1.
void require_closed(const TriangleSurface& surface);

}  // namespace tumble
