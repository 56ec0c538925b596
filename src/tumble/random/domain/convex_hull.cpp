#include "tumble/random/domain/convex_hull.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <stdexcept>

#include "tumble/random/domain/shape_frame.hpp"

namespace tumble {
namespace {

// Differences of coordinates have up to 41 bits and a determinant of them up to 126.
constexpr double kGrid = 0x1p41;
__extension__ using Int128 = __int128;
using GridPoint = std::array<std::int64_t, 3>;

std::vector<GridPoint> round_to_grid(const std::vector<Vec3d>& points) {
  const Bounds bounds = bounds_of(points);
  const Vec3d extent = bounds.upper - bounds.lower;
  const double longest = std::max({extent.x, extent.y, extent.z});
  std::vector<GridPoint> grid;
  grid.reserve(points.size());
  for (const Vec3d& p : points) {
    GridPoint g{};
    for (int i = 0; i < 3; ++i)
      if (longest > 0)
        g[static_cast<std::size_t>(i)] =
            std::llround((p[i] - bounds.lower[i]) / longest * (kGrid - 1));
    grid.push_back(g);
  }
  return grid;
}

using GridVector = std::array<Int128, 3>;

GridVector difference(const GridPoint& a, const GridPoint& b) {
  return {Int128{a[0]} - b[0], Int128{a[1]} - b[1], Int128{a[2]} - b[2]};
}
GridVector cross_product(const GridVector& a, const GridVector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Int128 dot_product(const GridVector& a, const GridVector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Quickhull (C. B. Barber, D. P. Dobkin, H. Huhdanpaa, ACM TOMS 22, 1996): each point outside is
/// remembered by one facet that it sees; a facet's farthest point replaces all the facets it sees
/// by a cone over their border.
class Quickhull {
 public:
  explicit Quickhull(const std::vector<GridPoint>& points) : points_(points) { build(); }

  struct Facet {
    std::array<std::size_t, 3> corners{};
    std::array<std::size_t, 3> neighbours{};  ///< across the edge from corner k to corner k + 1
    GridVector normal{};
    std::vector<std::size_t> outside;  ///< points that see this facet
    bool alive = true;
  };
  const std::vector<Facet>& facets() const { return facets_; }

 private:
  Int128 height(const Facet& facet, std::size_t point) const {
    return dot_product(facet.normal, difference(points_[point], points_[facet.corners[0]]));
  }

  Facet make_facet(std::size_t a, std::size_t b, std::size_t c) const {
    Facet facet;
    facet.corners = {a, b, c};
    facet.normal =
        cross_product(difference(points_[b], points_[a]), difference(points_[c], points_[a]));
    return facet;
  }

  /// Hands each point to the first of the facets from `first` on that it sees.
  void distribute(const std::vector<std::size_t>& points, std::size_t first) {
    for (const std::size_t point : points)
      for (std::size_t f = first; f < facets_.size(); ++f)
        if (height(facets_[f], point) > 0) {
          facets_[f].outside.push_back(point);
          break;
        }
  }

  template <class Measure>
  std::size_t greatest(const Measure& measure) const {
    std::size_t best = 0;
    auto value = measure(std::size_t{0});
    for (std::size_t i = 1; i < points_.size(); ++i)
      if (const auto other = measure(i); other > value) value = other, best = i;
    return best;
  }

  void start() {
    const auto magnitude = [](Int128 v) { return v < 0 ? -v : v; };
    const auto length = [&](const GridVector& v) {
      return magnitude(v[0]) + magnitude(v[1]) + magnitude(v[2]);
    };
    const std::size_t a = greatest([&](std::size_t i) { return points_[i][0]; });
    const std::size_t b =
        greatest([&](std::size_t i) { return length(difference(points_[i], points_[a])); });
    const GridVector line = difference(points_[b], points_[a]);
    const std::size_t c = greatest([&](std::size_t i) {
      return length(cross_product(line, difference(points_[i], points_[a])));
    });
    const Facet base = make_facet(a, b, c);
    const std::size_t d = greatest([&](std::size_t i) { return magnitude(height(base, i)); });
    const Int128 side = height(base, d);
    if (side == 0)
      throw std::invalid_argument(
          fmt::format("the {} points lie in one plane (or closer to one than 1e-12 of their "
                      "extent): their convex hull has no volume",
                      points_.size()));
    // The base must look away from the fourth point.
    std::size_t first = a, second = b;
    if (side > 0) std::swap(first, second);
    facets_ = {make_facet(first, second, c), make_facet(second, first, d), make_facet(c, second, d),
               make_facet(first, c, d)};
    facets_[0].neighbours = {1, 2, 3};
    facets_[1].neighbours = {0, 3, 2};
    facets_[2].neighbours = {0, 1, 3};
    facets_[3].neighbours = {0, 2, 1};
    std::vector<std::size_t> all(points_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    distribute(all, 0);
  }

  /// Replaces what `apex` sees, among it the facet `seen`, by a cone.
  void add(std::size_t apex, std::size_t seen) {
    std::vector<std::size_t> visible{seen}, orphans;
    std::map<std::size_t, std::size_t> new_facet_from;  // by the first corner of its border edge
    facets_[seen].alive = false;
    const std::size_t first_new = facets_.size();
    for (std::size_t i = 0; i < visible.size(); ++i) {
      const Facet& facet = facets_[visible[i]];
      orphans.insert(orphans.end(), facet.outside.begin(), facet.outside.end());
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t beyond = facet.neighbours[k];
        if (!facets_[beyond].alive) continue;
        if (height(facets_[beyond], apex) > 0) {
          facets_[beyond].alive = false;
          visible.push_back(beyond);
        }
      }
    }
    for (const std::size_t v : visible) {
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t beyond = facets_[v].neighbours[k];
        if (!facets_[beyond].alive) continue;
        const std::size_t from = facets_[v].corners[k], to = facets_[v].corners[(k + 1) % 3];
        Facet facet = make_facet(from, to, apex);
        facet.neighbours[0] = beyond;
        for (std::size_t side = 0; side < 3; ++side)
          if (facets_[beyond].corners[side] == to)
            facets_[beyond].neighbours[side] = facets_.size();
        new_facet_from[from] = facets_.size();
        facets_.push_back(std::move(facet));
      }
      facets_[v].outside = {};
    }
    for (std::size_t f = first_new; f < facets_.size(); ++f) {
      const std::size_t next = new_facet_from.at(facets_[f].corners[1]);
      facets_[f].neighbours[1] = next;
      facets_[next].neighbours[2] = f;
    }
    distribute(orphans, first_new);
  }

  void build() {
    start();
    for (std::size_t f = 0; f < facets_.size(); ++f) {
      if (!facets_[f].alive || facets_[f].outside.empty()) continue;
      std::size_t apex = facets_[f].outside[0];
      for (const std::size_t point : facets_[f].outside)
        if (height(facets_[f], point) > height(facets_[f], apex)) apex = point;
      add(apex, f);
    }
  }

  const std::vector<GridPoint>& points_;
  std::vector<Facet> facets_;
};

double distance_to_segment(const Vec3d& x, const Vec3d& a, const Vec3d& b) {
  const Vec3d edge = b - a;
  const double square = dot(edge, edge);
  const double along = square > 0 ? std::clamp(dot(x - a, edge) / square, 0.0, 1.0) : 0.0;
  return norm(x - a - along * edge);
}

/// `normal` has length 1.
double distance_to_triangle(const Vec3d& x, const Vec3d& a, const Vec3d& b, const Vec3d& c,
                            const Vec3d& normal) {
  const bool above = dot(cross(b - a, x - a), normal) > 0 && dot(cross(c - b, x - b), normal) > 0 &&
                     dot(cross(a - c, x - c), normal) > 0;
  if (above) return std::abs(dot(x - a, normal));
  return std::min(
      {distance_to_segment(x, a, b), distance_to_segment(x, b, c), distance_to_segment(x, c, a)});
}

}  // namespace

ConvexHull::ConvexHull(const std::vector<Vec3d>& points) {
  if (points.size() < 4)
    throw std::invalid_argument(fmt::format(
        "{} points have no convex hull with a volume: at least 4 are needed", points.size()));
  for (std::size_t i = 0; i < points.size(); ++i)
    require_finite(fmt::format("point {}", i + 1), points[i]);
  const std::vector<GridPoint> grid = round_to_grid(points);
  const Quickhull hull(grid);
  std::map<std::size_t, std::size_t> kept;  // from the points given to the vertices kept
  for (const auto& facet : hull.facets()) {
    if (!facet.alive) continue;
    std::array<std::size_t, 3> triangle{};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [entry, is_new] = kept.try_emplace(facet.corners[k], surface_.vertices.size());
      if (is_new) surface_.vertices.push_back(points[facet.corners[k]]);
      triangle[k] = entry->second;
    }
    surface_.triangles.push_back(triangle);
    // From the grid, where a thin triangle has a normal that supports the hull; that of the points
    // themselves may be made of rounding errors alone.
    Vec3d normal{static_cast<double>(facet.normal[0]), static_cast<double>(facet.normal[1]),
                 static_cast<double>(facet.normal[2])};
    normal = (1.0 / norm(normal)) * normal;
    double offset = -std::numeric_limits<double>::infinity();
    for (const std::size_t corner : triangle)
      offset = std::max(offset, dot(normal, surface_.vertices[corner]));
    planes_.push_back({normal, offset});
  }
}

double ConvexHull::distance(const Vec3d& x) const {
  double highest = -std::numeric_limits<double>::infinity();
  for (const Plane& plane : planes_)
    highest = std::max(highest, dot(plane.normal, x) - plane.offset);
  if (highest <= 0) return highest;
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < planes_.size(); ++i) {
    const auto& t = surface_.triangles[i];
    nearest =
        std::min(nearest, distance_to_triangle(x, surface_.vertices[t[0]], surface_.vertices[t[1]],
                                               surface_.vertices[t[2]], planes_[i].normal));
  }
  return nearest;
}

}  // namespace tumble
