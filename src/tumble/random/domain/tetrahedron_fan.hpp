// Exponentials over a body of tetrahedra, one between each triangle of its surface and its
// barycentre.
#pragma once
#include "tumble/random/domain/triangle_surface.hpp"

namespace tumble {

/// Exact but for rounding, for any closed surface: tetrahedra whose triangle faces the barycentre
/// count as negative. For convex and other star-shaped bodies there are none; otherwise
/// `rounding` grows with the ratio of what is added up to what is left.
TiltedMoments fan_moments(const TriangleSurface& surface, const Vec3d& barycentre,
                          const Vec3d& lambda);

/// Whether all tetrahedra count as positive, but for 1e-13 of the volume.
bool is_star_shaped(const TriangleSurface& surface, const Vec3d& barycentre);

/// Draws for star-shaped bodies: a tetrahedron by its exact weight, then a point of it by
/// rejection.
std::unique_ptr<const TiltedSampler> fan_sampler(const TriangleSurface& surface,
                                                 const Vec3d& barycentre, const Vec3d& lambda);

}  // namespace tumble
