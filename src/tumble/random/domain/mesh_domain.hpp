// The inside of a closed triangle mesh as the domain of the centre of mass. It need not be convex.
#pragma once
#include "tumble/random/domain/convex_hull.hpp"
#include "tumble/random/domain/mesh_columns.hpp"

namespace tumble {

class MeshDomain final : public Domain {
 public:
  /// Cavities are surfaces of their own whose triangles face inwards, that is into the cavity.
  /// @throws std::invalid_argument as require_closed() does.
  explicit MeshDomain(const TriangleSurface& surface);

  const TriangleSurface& surface() const { return surface_; }

  std::string kind() const override { return "mesh"; }
  Bounds bounds() const override { return bounds_of(surface_.vertices); }
  bool contains(const Vec3d& x) const override { return columns_.contains(surface_, x); }
  double distance_to_hull(const Vec3d& x) const override { return hull_.distance(x); }
  TiltedMoments tilted_moments(const Vec3d& lambda) const override;
  /// Points come from the tetrahedra to the barycentre if that sees the whole surface; otherwise
  /// from the convex hull, and those outside the mesh are rejected. The sampler refers to this
  /// domain.
  std::unique_ptr<const TiltedSampler> sampler(const Vec3d& lambda) const override;
  CubeMap cube_map(const Vec3d& lambda) const override;
  /// Whether it fills its convex hull, but for 1e-9 of the volume.
  bool is_convex() const override;

 private:
  MeshDomain(const TriangleSurface& surface, const EnclosedVolume& enclosed);

  TriangleSurface surface_;
  ConvexHull hull_;
  MeshColumns columns_;
};

}  // namespace tumble
