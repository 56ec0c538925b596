// A convex polytope as the domain of the centre of mass.
#pragma once
#include <vector>

#include "tumble/random/domain/convex_hull.hpp"
#include "tumble/random/domain/half_spaces.hpp"

namespace tumble {

class PolytopeDomain final : public Domain {
 public:
  /// The convex hull of `vertices`; those inside it do not matter.
  /// @throws std::invalid_argument if they have no volume.
  explicit PolytopeDomain(const std::vector<Vec3d>& vertices);
  /// The intersection of half-spaces; redundant ones do not matter.
  /// @throws std::invalid_argument if it is empty, flat or without bounds.
  explicit PolytopeDomain(const std::vector<HalfSpace>& half_spaces);

  /// Its surface, as triangles.
  const TriangleSurface& surface() const { return hull_.surface(); }

  std::string kind() const override { return "polytope"; }
  Bounds bounds() const override { return bounds_of(surface().vertices); }
  bool contains(const Vec3d& x) const override { return hull_.distance(x) <= 0; }
  double distance_to_hull(const Vec3d& x) const override { return hull_.distance(x); }
  TiltedMoments tilted_moments(const Vec3d& lambda) const override;
  std::unique_ptr<const TiltedSampler> sampler(const Vec3d& lambda) const override;
  CubeMap cube_map(const Vec3d& lambda) const override;

 private:
  PolytopeDomain(const ConvexHull& hull, const EnclosedVolume& enclosed);
  explicit PolytopeDomain(const ConvexHull& hull)
      : PolytopeDomain(hull, enclosed_volume(hull.surface())) {}

  ConvexHull hull_;
};

}  // namespace tumble
