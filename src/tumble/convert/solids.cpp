#include "tumble/convert/solids.hpp"

#include <numbers>
#include <stdexcept>
#include <utility>

#include "tumble/base/read_file.hpp"
#include "tumble/random/domain/obj_file.hpp"

namespace tumble::convert {

UnitSolid box_solid(const Vec3d& half) {
  const double m = 8 * half.x * half.y * half.z;
  const double x = half.x * half.x, y = half.y * half.y, z = half.z * half.z;
  return {m, {}, {m * (y + z) / 3, m * (x + z) / 3, m * (x + y) / 3, 0, 0, 0}};
}

UnitSolid ellipsoid_solid(const Vec3d& a) {
  const double m = 4 * std::numbers::pi / 3 * a.x * a.y * a.z;
  const double x = a.x * a.x, y = a.y * a.y, z = a.z * a.z;
  return {m, {}, {m * (y + z) / 5, m * (x + z) / 5, m * (x + y) / 5, 0, 0, 0}};
}

UnitSolid cylinder_solid(double radius, double half_length) {
  const double r2 = radius * radius, l = 2 * half_length, m = std::numbers::pi * r2 * l;
  const double across = m * (3 * r2 + l * l) / 12;
  return {m, {}, {across, across, m * r2 / 2, 0, 0, 0}};
}

// A cylinder and two half balls. Of a half ball, about an axis across through the centre of its
// flat side: 2/5 m r^2, and its own centre is 3/8 r away from there; so at a distance h from the
// middle
//   m (2/5 r^2 + h^2 + 3/4 h r).
UnitSolid capsule_solid(double radius, double half_length) {
  UnitSolid solid = cylinder_solid(radius, half_length);
  const double r2 = radius * radius, h = half_length;
  const double m = 4 * std::numbers::pi / 3 * r2 * radius;
  const double across = m * (0.4 * r2 + h * h + 0.75 * h * radius);
  solid.volume += m;
  solid.inertia[0] += across;
  solid.inertia[1] += across;
  solid.inertia[2] += 0.4 * m * r2;
  return solid;
}

UnitSolid mesh_solid(const TriangleSurface& surface) {
  require_closed(surface);
  const SolidMoments moments = solid_moments(surface);
  const Mat3d& S = moments.second;
  const double trace = S(0, 0) + S(1, 1) + S(2, 2);
  return {moments.volume, moments.barycentre, as_six(trace * Mat3d::identity() - S)};
}

// Steiner twice: from the old centre to the new one, and from the solid's own.
void add_solid(Inertial& sum, const UnitSolid& solid, double mass, const Frame& place) {
  if (!(mass > 0) || !(solid.volume > 0)) return;
  const Vec3d centre = place.p + place.R * solid.centre;
  const double total = sum.mass + mass;
  const Vec3d between = centre - sum.centre;
  Mat3d J =
      as_matrix(sum.inertia) + (mass / solid.volume) * as_matrix(turned(place.R, solid.inertia));
  J += (sum.mass * mass / total) *
       (dot(between, between) * Mat3d::identity() - outer(between, between));
  sum.centre += (mass / total) * between;
  sum.mass = total;
  sum.inertia = as_six(J);
}

TriangleSurface read_scaled_mesh(const std::string& path, const Vec3d& scale) {
  std::string error;
  const std::string bytes = read_regular_file(path, 256 << 20, error);
  if (!error.empty()) throw std::invalid_argument("mesh '" + path + "': " + error);
  TriangleSurface surface;
  try {
    surface = parse_mesh(bytes, path);
  } catch (const std::invalid_argument& fault) {
    throw std::invalid_argument("mesh '" + path + "': " + fault.what());
  }
  for (Vec3d& x : surface.vertices) x = {scale.x * x.x, scale.y * x.y, scale.z * x.z};
  if (scale.x * scale.y * scale.z < 0)
    for (auto& triangle : surface.triangles) std::swap(triangle[1], triangle[2]);
  return surface;
}

}  // namespace tumble::convert
