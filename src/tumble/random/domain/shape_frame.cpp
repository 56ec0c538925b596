#include "tumble/random/domain/shape_frame.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace tumble {

ShapeFrame frame_along(const Vec3d& origin, const Vec3d& third) {
  const Vec3d c = (1.0 / norm(third)) * third;
  // The coordinate axis that is farthest from c.
  int least = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(c[i]) < std::abs(c[least])) least = i;
  Vec3d other;
  other[least] = 1.0;
  const Vec3d across = cross(c, other);
  const Vec3d a = (1.0 / norm(across)) * across;
  return {origin, Mat3d::from_columns(a, cross(c, a), c)};
}

std::string format_point(const Vec3d& x) {
  // + 0.0 turns a negative zero into a positive one.
  return fmt::format("({:.7g}, {:.7g}, {:.7g})", x.x + 0.0, x.y + 0.0, x.z + 0.0);
}

void require_finite(std::string_view quantity, const Vec3d& x) {
  if (!(std::isfinite(x.x) && std::isfinite(x.y) && std::isfinite(x.z)))
    throw std::invalid_argument(
        fmt::format("{} = {} must have finite coordinates", quantity, format_point(x)));
}

void require_positive(std::string_view quantity, double value) {
  if (!(value > 0 && std::isfinite(value)))
    throw std::invalid_argument(fmt::format(
        "{} = {:.7g} must be positive and finite: the domain must have a volume", quantity, value));
}

void require_axes(std::string_view quantity, const Mat3d& axes) {
  const Mat3d product = transpose_times(axes, axes), unit = Mat3d::identity();
  for (int i = 0; i < 9; ++i)
    if (!(std::abs(product.m[i] - unit.m[i]) <= 1e-9))
      throw std::invalid_argument(fmt::format(
          "{} is no rotation: its columns {}, {}, {} must have length 1 and be perpendicular to "
          "each other",
          quantity, format_point(axes.column(0)), format_point(axes.column(1)),
          format_point(axes.column(2))));
}

}  // namespace tumble
