#include "tumble/model/body.hpp"

#include <numbers>

namespace tumble {

// Homogeneous solids about their centre, principal axes along the body axes (any textbook; e.g.
// box: Ixx = m (b² + c²) / 12; cylinder: m r² / 2 about its axis, m (3 r² + l²) / 12 across;
// sphere: 2 m r² / 5).
MassProperties mass_properties(const Shape& shape) {
  MassProperties result;
  switch (shape.kind) {
    case Shape::Kind::none:
      break;
    case Shape::Kind::box: {
      const Vec3d& s = shape.size;
      const double m = shape.density * s.x * s.y * s.z;
      result.mass = m;
      result.inertia = {m * (s.y * s.y + s.z * s.z) / 12,
                        m * (s.x * s.x + s.z * s.z) / 12,
                        m * (s.x * s.x + s.y * s.y) / 12,
                        0,
                        0,
                        0};
      break;
    }
    case Shape::Kind::cylinder: {
      const double r2 = shape.radius * shape.radius, l = shape.length;
      const double m = shape.density * std::numbers::pi * r2 * l;
      const double across = m * (3 * r2 + l * l) / 12;
      result.mass = m;
      result.inertia = {across, across, across, 0, 0, 0};
      result.inertia[static_cast<std::size_t>(shape.axis)] = m * r2 / 2;
      break;
    }
    case Shape::Kind::sphere: {
      const double r2 = shape.radius * shape.radius;
      const double m = shape.density * 4 / 3 * std::numbers::pi * r2 * shape.radius;
      result.mass = m;
      result.inertia = {0.4 * m * r2, 0.4 * m * r2, 0.4 * m * r2, 0, 0, 0};
      break;
    }
  }
  return result;
}

}  // namespace tumble
