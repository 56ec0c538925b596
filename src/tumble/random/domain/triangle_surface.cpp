#include "tumble/random/domain/triangle_surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "tumble/random/domain/shape_frame.hpp"

namespace tumble {
namespace {

/// Along which triangles the edge between two vertices runs in each of the two directions.
struct EdgeUse {
  std::vector<std::size_t> forwards, backwards;
};

[[noreturn]] void refuse(const std::string& sentence) { throw std::invalid_argument(sentence); }

void require_indices(const TriangleSurface& surface) {
  for (std::size_t i = 0; i < surface.triangles.size(); ++i)
    for (const std::size_t vertex : surface.triangles[i])
      if (vertex >= surface.vertices.size())
        refuse(fmt::format("triangle {} of the mesh names vertex {}, but there are {} vertices",
                           i + 1, vertex + 1, surface.vertices.size()));
}

void require_paired(const TriangleSurface& surface, const std::pair<std::size_t, std::size_t>& edge,
                    const EdgeUse& use) {
  const std::string ends =
      fmt::format("the edge from {} to {}", format_point(surface.vertices[edge.first]),
                  format_point(surface.vertices[edge.second]));
  const std::size_t count = use.forwards.size() + use.backwards.size();
  const auto& some = use.forwards.empty() ? use.backwards : use.forwards;
  if (count == 1)
    refuse(fmt::format(
        "the mesh is open: {} of triangle {} belongs to no other triangle; a domain must be closed",
        ends, some[0] + 1));
  if (count == 2 && some.size() == 2)
    refuse(fmt::format(
        "triangles {} and {} of the mesh disagree on which side is outside: they run along {} in "
        "the same direction; the corners of one of them must be listed the other way round",
        some[0] + 1, some[1] + 1, ends));
  if (use.forwards.size() != use.backwards.size())
    refuse(
        fmt::format("{} belongs to {} triangles of the mesh, triangle {} among them, {} in one "
                    "direction and {} "
                    "in the other; a closed surface has as many of the one as of the other",
                    ends, count, some[0] + 1, use.forwards.size(), use.backwards.size()));
}

}  // namespace

Bounds bounds_of(const std::vector<Vec3d>& points) {
  Bounds bounds{points.at(0), points.at(0)};
  for (const Vec3d& p : points)
    for (int i = 0; i < 3; ++i) {
      bounds.lower[i] = std::min(bounds.lower[i], p[i]);
      bounds.upper[i] = std::max(bounds.upper[i], p[i]);
    }
  return bounds;
}

// The tetrahedra between the triangles and a point in the middle; those whose triangle faces the
// point count as negative.
EnclosedVolume enclosed_volume(const TriangleSurface& surface) {
  const Bounds bounds = bounds_of(surface.vertices);
  const Vec3d middle = 0.5 * (bounds.lower + bounds.upper);
  double sixfold = 0;
  Vec3d moment;
  for (const auto& triangle : surface.triangles) {
    const Vec3d a = surface.vertices[triangle[0]] - middle;
    const Vec3d b = surface.vertices[triangle[1]] - middle;
    const Vec3d c = surface.vertices[triangle[2]] - middle;
    const double volume = dot(a, cross(b, c));
    sixfold += volume;
    moment += volume * (a + b + c);
  }
  return {sixfold / 6.0, middle + (0.25 / sixfold) * moment};
}

// Of a tetrahedron with corners 0, a, b, c and volume V:
//   integral of x x^T = V/20 (a a^T + b b^T + c c^T + s s^T),  s = a + b + c
// (F. Tonon, Explicit exact formulas for the 3-D tetrahedron inertia tensor, J. Math. Stat. 1,
// 2005). About the barycentre from the start: no difference of large numbers is left.
SolidMoments solid_moments(const TriangleSurface& surface) {
  const EnclosedVolume whole = enclosed_volume(surface);
  SolidMoments result{whole.volume, whole.barycentre, {}};
  for (const auto& triangle : surface.triangles) {
    const Vec3d a = surface.vertices[triangle[0]] - whole.barycentre;
    const Vec3d b = surface.vertices[triangle[1]] - whole.barycentre;
    const Vec3d c = surface.vertices[triangle[2]] - whole.barycentre;
    const Vec3d s = a + b + c;
    const double sixfold = dot(a, cross(b, c));
    result.second += (sixfold / 120.0) * (outer(a, a) + outer(b, b) + outer(c, c) + outer(s, s));
  }
  return result;
}

void require_closed(const TriangleSurface& surface) {
  if (surface.triangles.size() < 4)
    refuse(fmt::format("the mesh has {} triangles; a closed surface has at least 4",
                       surface.triangles.size()));
  for (std::size_t i = 0; i < surface.vertices.size(); ++i)
    require_finite(fmt::format("vertex {} of the mesh", i + 1), surface.vertices[i]);
  require_indices(surface);

  std::map<std::pair<std::size_t, std::size_t>, EdgeUse> edges;
  for (std::size_t i = 0; i < surface.triangles.size(); ++i) {
    const auto& t = surface.triangles[i];
    // A triangle (a, a, b) runs along a-b and back: without it its neighbours meet each other.
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t from = t[k], to = t[(k + 1) % 3];
      EdgeUse& use = edges[std::minmax(from, to)];
      (from < to ? use.forwards : use.backwards).push_back(i);
    }
  }
  for (const auto& [edge, use] : edges) require_paired(surface, edge, use);

  const Bounds bounds = bounds_of(surface.vertices);
  const Vec3d extent = bounds.upper - bounds.lower;
  const double volume = enclosed_volume(surface).volume;
  if (volume < 0)
    refuse(fmt::format(
        "the mesh encloses the volume {:.7g}: its triangles face inwards; list the corners of "
        "each counter-clockwise as seen from outside",
        volume));
  // Written so that a flat or empty mesh, whose extents may be zero, is refused too.
  if (!(volume > 1e-12 * extent.x * extent.y * extent.z))
    refuse(fmt::format("the mesh encloses no volume ({:.3g}); the domain must have one", volume));
}

}  // namespace tumble
