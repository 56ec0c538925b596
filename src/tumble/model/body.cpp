#include "tumble/model/body.hpp"

#include <numbers>

#include "tumble/random/domain/obj_file.hpp"

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
    case Shape::Kind::mesh:
      if (!shape.mesh) break;
      result.mass = shape.density * shape.mesh->volume;
      for (std::size_t k = 0; k < 6; ++k)
        result.inertia[k] = shape.density * shape.mesh->inertia[k];
      break;
  }
  return result;
}

std::shared_ptr<const ShapeMesh> make_shape_mesh(std::string_view bytes, const std::string& name,
                                                 double scale, bool has_mass) {
  TriangleSurface surface = parse_mesh(bytes, name);
  for (Vec3d& x : surface.vertices) x = scale * x;
  auto mesh = std::make_shared<ShapeMesh>();
  if (has_mass) {
    require_closed(surface);
    const SolidMoments moments = solid_moments(surface);
    const Mat3d& S = moments.second;
    mesh->volume = moments.volume;
    mesh->centre = moments.barycentre;
    // J = tr(S) I - S
    mesh->inertia = {S(1, 1) + S(2, 2), S(0, 0) + S(2, 2), S(0, 0) + S(1, 1),
                     -S(0, 1),          -S(0, 2),          -S(1, 2)};
  } else {
    const Bounds bounds = bounds_of(surface.vertices);
    mesh->centre = 0.5 * (bounds.lower + bounds.upper);
  }
  mesh->vertices = std::move(surface.vertices);
  mesh->triangles = std::move(surface.triangles);
  return mesh;
}

}  // namespace tumble
