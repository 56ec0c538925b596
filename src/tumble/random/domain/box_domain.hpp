// A box as the domain of the centre of mass: everything in closed form.
#pragma once
#include "tumble/random/domain/shape_frame.hpp"

namespace tumble {

struct BoxShape {
  Vec3d centre;
  Vec3d edges;                            ///< lengths along the three axes of the box
  Mat3d orientation = Mat3d::identity();  ///< its columns are these axes
};

class BoxDomain final : public Domain {
 public:
  /// @throws std::invalid_argument for an edge that is not positive, or axes that are no rotation.
  explicit BoxDomain(const BoxShape& shape);

  std::string kind() const override { return "box"; }
  Bounds bounds() const override;
  bool contains(const Vec3d& x) const override;
  double distance_to_hull(const Vec3d& x) const override;
  TiltedMoments tilted_moments(const Vec3d& lambda) const override;
  std::unique_ptr<const TiltedSampler> sampler(const Vec3d& lambda) const override;

 private:
  ShapeFrame frame_;
  Vec3d half_;  ///< half edges
};

}  // namespace tumble
