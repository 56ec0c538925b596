// A ball or an ellipsoid as the domain of the centre of mass.
#pragma once
#include "tumble/random/domain/shape_frame.hpp"

namespace tumble {

struct BallShape {
  Vec3d centre;
  double radius = 0;
};

struct EllipsoidShape {
  Vec3d centre;
  Vec3d semi_axes;                        ///< lengths along the three axes of the ellipsoid
  Mat3d orientation = Mat3d::identity();  ///< its columns are these axes
};

/// The image of the unit ball y, |y| <= 1, under x = centre + R diag(semi-axes) y. The integral of
/// exp over the ball depends on |diag(semi-axes) R^T lambda| alone and is in closed form.
class EllipsoidDomain final : public Domain {
 public:
  /// @throws std::invalid_argument for a length that is not positive, or axes that are no rotation.
  explicit EllipsoidDomain(const EllipsoidShape& shape);
  explicit EllipsoidDomain(const BallShape& shape);

  std::string kind() const override { return kind_; }
  Bounds bounds() const override;
  bool contains(const Vec3d& x) const override;
  double distance_to_hull(const Vec3d& x) const override;
  TiltedMoments tilted_moments(const Vec3d& lambda) const override;
  std::unique_ptr<const TiltedSampler> sampler(const Vec3d& lambda) const override;

 private:
  Mat3d from_ball() const;  ///< R diag(semi-axes)

  std::string kind_;
  ShapeFrame frame_;
  Vec3d semi_axes_;
};

}  // namespace tumble
