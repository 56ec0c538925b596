#include "tumble/random/domain/polytope_domain.hpp"

#include "tumble/random/centre/tilted_slices.hpp"
#include "tumble/random/domain/tetrahedron_fan.hpp"

namespace tumble {

PolytopeDomain::PolytopeDomain(const std::vector<Vec3d>& vertices)
    : PolytopeDomain(ConvexHull(vertices)) {}

PolytopeDomain::PolytopeDomain(const std::vector<HalfSpace>& half_spaces)
    : PolytopeDomain(ConvexHull(corners_of(half_spaces))) {}

PolytopeDomain::PolytopeDomain(const ConvexHull& hull, const EnclosedVolume& enclosed)
    : Domain(enclosed.volume, enclosed.barycentre), hull_(hull) {}

TiltedMoments PolytopeDomain::tilted_moments(const Vec3d& lambda) const {
  return fan_moments(surface(), barycentre(), lambda);
}

std::unique_ptr<const TiltedSampler> PolytopeDomain::sampler(const Vec3d& lambda) const {
  return fan_sampler(surface(), barycentre(), lambda);
}

CubeMap PolytopeDomain::cube_map(const Vec3d& lambda) const {
  const auto slices = std::make_shared<const TiltedSlices>(surface(), lambda);
  return [slices](const Vec3d& u) { return slices->from_cube(u); };
}

}  // namespace tumble
