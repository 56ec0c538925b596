// Whether a point lies within a closed surface of triangles.
#pragma once
#include <cstddef>
#include <vector>

#include "tumble/random/domain/triangle_surface.hpp"

namespace tumble {

/// Counts the triangles above the point: with their outside up they count 1, with it down -1. The
/// sum is the number of times the surface winds around the point. Triangles are looked up in square
/// columns along z.
class MeshColumns {
 public:
  explicit MeshColumns(const TriangleSurface& surface);
  /// Points on the surface itself may go either way.
  bool contains(const TriangleSurface& surface, const Vec3d& x) const;

 private:
  std::size_t column(double x, int axis) const;

  Bounds bounds_;
  std::size_t per_side_;
  std::vector<std::vector<std::size_t>> columns_;  ///< triangles whose shadow may reach in
};

}  // namespace tumble
