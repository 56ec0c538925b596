#include "tumble/random/inertia/moment_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>

namespace tumble {
namespace {

void require_positive_length(std::string_view name, double value) {
  if (!(value > 0.0) || !std::isfinite(value))
    throw std::invalid_argument(fmt::format("{} = {} m must be positive", name, value));
}

}  // namespace

BodyExtent extent_of_box(const Vec3<double>& center, const Vec3<double>& edges,
                         const Mat3<double>& orientation) {
  Vec3<double> half;
  for (int k = 0; k < 3; ++k) {
    require_positive_length("the edge of a box", edges[k]);
    for (int j = 0; j < 3; ++j) half[j] += 0.5 * std::abs(orientation(j, k)) * edges[k];
  }
  return {center - half, center + half};
}

BodyExtent extent_of_cylinder(const Vec3<double>& center, const Vec3<double>& axis, double radius,
                              double length) {
  require_positive_length("the radius of a cylinder", radius);
  require_positive_length("the length of a cylinder", length);
  const double size = norm(axis);
  if (!(size > 0.0)) throw std::invalid_argument("the axis of a cylinder must not be zero");
  Vec3<double> half;
  for (int j = 0; j < 3; ++j) {
    const double along = axis[j] / size;
    // The end discs reach radius * sin(angle between the axes) beyond the axis.
    half[j] =
        0.5 * length * std::abs(along) + radius * std::sqrt(std::max(0.0, 1.0 - along * along));
  }
  return {center - half, center + half};
}

BodyExtent extent_of_points(std::span<const Vec3<double>> points) {
  if (points.empty()) throw std::invalid_argument("the extent of a body needs at least one point");
  BodyExtent extent{points[0], points[0]};
  for (const Vec3<double>& point : points)
    for (int j = 0; j < 3; ++j) {
      extent.lower[j] = std::min(extent.lower[j], point[j]);
      extent.upper[j] = std::max(extent.upper[j], point[j]);
    }
  return extent;
}

Mat3<double> moment_bound(const BodyExtent& extent, const Vec3<double>& center_of_mass,
                          MomentBound kind) {
  Mat3<double> bound;
  for (int j = 0; j < 3; ++j) {
    const double farthest = std::max(std::abs(extent.lower[j] - center_of_mass[j]),
                                     std::abs(extent.upper[j] - center_of_mass[j]));
    bound(j, j) = (kind == MomentBound::safe ? 3.0 : 1.0) * farthest * farthest;
  }
  return bound;
}

}  // namespace tumble
