// A circular cylinder as the domain of the centre of mass.
#pragma once
#include "tumble/random/domain/shape_frame.hpp"

namespace tumble {

struct CylinderShape {
  Vec3d centre;
  double radius = 0;
  double length = 0;
  Vec3d axis{0, 0, 1};  ///< its direction; any length
};

/// An interval times a disk: sinh(x) / x times 2 I_1(y) / y, with x and y the components of lambda
/// along and across the axis by half the length and the radius.
class CylinderDomain final : public Domain {
 public:
  /// @throws std::invalid_argument for a length that is not positive, or an axis without direction.
  explicit CylinderDomain(const CylinderShape& shape);

  std::string kind() const override { return "cylinder"; }
  Bounds bounds() const override;
  bool contains(const Vec3d& x) const override { return distance_to_hull(x) <= 0; }
  double distance_to_hull(const Vec3d& x) const override;
  TiltedMoments tilted_moments(const Vec3d& lambda) const override;
  std::unique_ptr<const TiltedSampler> sampler(const Vec3d& lambda) const override;
  /// Along the axis; in the disk along lambda; and across it, where points are uniform.
  CubeMap cube_map(const Vec3d& lambda) const override;

 private:
  ShapeFrame frame_;  ///< the third axis is that of the cylinder
  double radius_, half_;
};

}  // namespace tumble
