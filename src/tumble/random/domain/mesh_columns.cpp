#include "tumble/random/domain/mesh_columns.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace tumble {
namespace {

/// On which side of the line from a to b, seen along z, the vertical through p passes.
struct Side {
  double area;    ///< twice the area of (a, b, p)
  bool positive;  ///< its sign, never undecided
};

// Neighbours ask about the same edge from both ends and must hear the same: the ends are put in the
// order of their indices. A vertical that meets the edge is decided as if p stood a little off, by
// (e, e^2) with e -> 0, the same for all edges.
Side side_of(const TriangleSurface& surface, std::size_t from, std::size_t to, const Vec3d& p) {
  const bool turned = to < from;
  const Vec3d a = surface.vertices[turned ? to : from];
  const Vec3d edge = surface.vertices[turned ? from : to] - a;
  const double area = edge.x * (p.y - a.y) - edge.y * (p.x - a.x);
  const bool positive = area != 0 ? area > 0 : edge.y != 0 ? edge.y < 0 : edge.x > 0;
  return {turned ? -area : area, positive != turned};
}

/// Where the vertical through p meets a triangle, if it does: how far above p, and the triangle's
/// side.
struct Crossing {
  double height;
  int turn;  ///< 1 if the outside is up, -1 if it is down
};

std::optional<Crossing> crossing(const TriangleSurface& surface,
                                 const std::array<std::size_t, 3>& t, const Vec3d& p) {
  const Side s0 = side_of(surface, t[1], t[2], p);
  const Side s1 = side_of(surface, t[2], t[0], p);
  if (s0.positive != s1.positive) return {};
  const Side s2 = side_of(surface, t[0], t[1], p);
  if (s1.positive != s2.positive) return {};
  const double area = s0.area + s1.area + s2.area;
  if (area == 0) return {};  // the triangle stands upright
  const double z = (s0.area * surface.vertices[t[0]].z + s1.area * surface.vertices[t[1]].z +
                    s2.area * surface.vertices[t[2]].z) /
                   area;
  return Crossing{z - p.z, s0.positive ? 1 : -1};
}

}  // namespace

MeshColumns::MeshColumns(const TriangleSurface& surface)
    : bounds_(bounds_of(surface.vertices)),
      per_side_(std::clamp<std::size_t>(
          static_cast<std::size_t>(std::sqrt(static_cast<double>(surface.triangles.size()))), 1,
          512)),
      columns_(per_side_ * per_side_) {
  for (std::size_t i = 0; i < surface.triangles.size(); ++i) {
    const auto& t = surface.triangles[i];
    const Bounds shadow =
        bounds_of({surface.vertices[t[0]], surface.vertices[t[1]], surface.vertices[t[2]]});
    for (std::size_t x = column(shadow.lower.x, 0); x <= column(shadow.upper.x, 0); ++x)
      for (std::size_t y = column(shadow.lower.y, 1); y <= column(shadow.upper.y, 1); ++y)
        columns_[x * per_side_ + y].push_back(i);
  }
}

std::size_t MeshColumns::column(double x, int axis) const {
  const double lower = bounds_.lower[axis], upper = bounds_.upper[axis];
  const auto n = static_cast<double>(per_side_);
  return static_cast<std::size_t>(std::clamp((x - lower) / (upper - lower) * n, 0.0, n - 1.0));
}

bool MeshColumns::contains(const TriangleSurface& surface, const Vec3d& x) const {
  for (int i = 0; i < 3; ++i)
    if (!(x[i] >= bounds_.lower[i] && x[i] <= bounds_.upper[i])) return false;
  int winding = 0;
  for (const std::size_t i : columns_[column(x.x, 0) * per_side_ + column(x.y, 1)])
    if (const auto met = crossing(surface, surface.triangles[i], x); met && met->height > 0)
      winding += met->turn;
  return winding > 0;
}

}  // namespace tumble
