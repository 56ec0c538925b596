// Mass, centre and inertia of homogeneous solids, and of several of them together.
#pragma once
#include <string>

#include "tumble/convert/robot.hpp"
#include "tumble/random/domain/triangle_surface.hpp"

namespace tumble::convert {

/// Of density 1, in the solid's own axes.
struct UnitSolid {
  double volume = 0;
  Vec3d centre;
  std::array<double, 6> inertia{};  ///< about the centre
};

UnitSolid box_solid(const Vec3d& half);
UnitSolid ellipsoid_solid(const Vec3d& semi_axes);
/// Along z.
UnitSolid cylinder_solid(double radius, double half_length);
UnitSolid capsule_solid(double radius, double half_length);
/// @throws std::invalid_argument if the surface is not closed.
UnitSolid mesh_solid(const TriangleSurface& surface);

/// Adds a solid of this mass, whose axes and origin are `place`, to what a link has already.
void add_solid(Inertial& sum, const UnitSolid& solid, double mass, const Frame& place);

/// The surface in a file, scaled; a reflected one is turned inside out again.
/// @throws std::invalid_argument with the name of the file.
TriangleSurface read_scaled_mesh(const std::string& path, const Vec3d& scale);

}  // namespace tumble::convert
