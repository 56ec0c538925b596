#include "tumble/random/domain/half_spaces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tumble/random/domain/shape_frame.hpp"
#include "tumble/random/domain/triangle_surface.hpp"

namespace tumble {
namespace {

constexpr double kParallel = 1e-9;   // sine of an angle below which planes have no common line
constexpr double kTouching = 1e-11;  // relative height within which a line lies in a plane

std::vector<HalfSpace> with_unit_normals(std::vector<HalfSpace> half_spaces) {
  for (std::size_t i = 0; i < half_spaces.size(); ++i) {
    HalfSpace& h = half_spaces[i];
    require_finite(fmt::format("normal of half-space {}", i + 1), h.normal);
    if (!std::isfinite(h.offset))
      throw std::invalid_argument(
          fmt::format("offset of half-space {} = {} must be finite", i + 1, h.offset));
    const double length = norm(h.normal);
    if (!(length > 0))
      throw std::invalid_argument(
          fmt::format("normal of half-space {} = {} has no direction: it must not be zero", i + 1,
                      format_point(h.normal)));
    h = {(1.0 / length) * h.normal, h.offset / length};
  }
  return half_spaces;
}

/// The points p + t direction with lower <= t <= upper.
struct Segment {
  Vec3d p, direction;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};

void clip(Segment& s, const HalfSpace& h) {
  const double slope = dot(h.normal, s.direction), room = h.offset - dot(h.normal, s.p);
  if (std::abs(slope) > kParallel) {
    double& end = slope > 0 ? s.upper : s.lower;
    end = slope > 0 ? std::min(end, room / slope) : std::max(end, room / slope);
  } else if (room < -kTouching * (norm(s.p) + std::abs(h.offset))) {
    s.upper = -std::numeric_limits<double>::infinity();
  }
}

void remove_repeated(std::vector<Vec3d>& points) {
  const Bounds bounds = bounds_of(points);
  const double close = 1e-11 * norm(bounds.upper - bounds.lower);
  std::vector<Vec3d> kept;
  for (const Vec3d& p : points)
    if (std::none_of(kept.begin(), kept.end(),
                     [&](const Vec3d& q) { return norm(p - q) <= close; }))
      kept.push_back(p);
  points = std::move(kept);
}

}  // namespace

// The common line of each pair of planes is clipped by all the others: what is left is an edge, and
// its ends are corners. An unbounded intersection with corners has an unbounded edge.
std::vector<Vec3d> corners_of(const std::vector<HalfSpace>& half_spaces) {
  if (half_spaces.size() < 4)
    throw std::invalid_argument(fmt::format(
        "{} half-spaces cannot enclose a domain: at least 4 are needed", half_spaces.size()));
  const std::vector<HalfSpace> h = with_unit_normals(half_spaces);
  std::vector<Vec3d> corners;
  for (std::size_t i = 0; i < h.size(); ++i)
    for (std::size_t j = i + 1; j < h.size(); ++j) {
      const Vec3d u = cross(h[i].normal, h[j].normal);
      const double sine = norm(u);
      if (sine < kParallel) continue;
      Segment s;
      s.p = (1.0 / (sine * sine)) *
            (h[i].offset * cross(h[j].normal, u) + h[j].offset * cross(u, h[i].normal));
      s.direction = (1.0 / sine) * u;
      for (std::size_t k = 0; k < h.size() && s.lower <= s.upper; ++k)
        if (k != i && k != j) clip(s, h[k]);
      if (!(s.lower <= s.upper)) continue;
      if (!std::isfinite(s.lower) || !std::isfinite(s.upper))
        throw std::invalid_argument(fmt::format(
            "the half-spaces leave the domain open in the direction {}, along the edge of "
            "half-spaces {} and {}: it must be bounded",
            format_point(std::isfinite(s.upper) ? -s.direction : s.direction), i + 1, j + 1));
      corners.push_back(s.p + s.lower * s.direction);
      corners.push_back(s.p + s.upper * s.direction);
    }
  if (corners.empty())
    throw std::invalid_argument(fmt::format(
        "the {} half-spaces have no corner in common: they exclude each other, or leave a domain "
        "without bounds",
        h.size()));
  remove_repeated(corners);
  return corners;
}

}  // namespace tumble
