#include "tumble/random/domain/box_domain.hpp"

#include <algorithm>
#include <cmath>

#include "tumble/random/centre/tilted_marginal.hpp"

namespace tumble {
namespace {

double checked_volume(const BoxShape& shape) {
  require_finite("centre of the box", shape.centre);
  require_positive("first edge of the box", shape.edges.x);
  require_positive("second edge of the box", shape.edges.y);
  require_positive("third edge of the box", shape.edges.z);
  require_axes("orientation of the box", shape.orientation);
  return shape.edges.x * shape.edges.y * shape.edges.z;
}

/// In the axes of the box the coordinates are independent: each is a truncated exponential.
class BoxSampler final : public TiltedSampler {
 public:
  BoxSampler(const ShapeFrame& frame, const Vec3d& half, const Vec3d& local_lambda)
      : TiltedSampler(1.0), frame_(frame), half_(half), lambda_(local_lambda) {}

  Vec3d draw(Draws& draws) const override {
    const double u = draws.uniform(), v = draws.uniform(), w = draws.uniform();
    return from_cube({u, v, w});
  }
  bool has_cube_map() const override { return true; }
  Vec3d from_cube(const Vec3d& u) const override {
    Vec3d local;
    for (int i = 0; i < 3; ++i)
      local[i] = half_[i] *
                 (2.0 * truncated_exponential_quantile(2.0 * half_[i] * lambda_[i], u[i]) - 1.0);
    return frame_.to_space(local);
  }

 private:
  ShapeFrame frame_;
  Vec3d half_, lambda_;
};

}  // namespace

BoxDomain::BoxDomain(const BoxShape& shape)
    : Domain(checked_volume(shape), shape.centre),
      frame_{shape.centre, shape.orientation},
      half_(0.5 * shape.edges) {}

Bounds BoxDomain::bounds() const {
  Vec3d reach;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) reach[i] += std::abs(frame_.axes(i, j)) * half_[j];
  return {frame_.origin - reach, frame_.origin + reach};
}

bool BoxDomain::contains(const Vec3d& x) const { return distance_to_hull(x) <= 0; }

double BoxDomain::distance_to_hull(const Vec3d& x) const {
  const Vec3d local = frame_.to_local(x);
  Vec3d outside;
  double inside = -std::max({half_.x, half_.y, half_.z});
  for (int i = 0; i < 3; ++i) {
    const double excess = std::abs(local[i]) - half_[i];
    outside[i] = std::max(excess, 0.0);
    inside = std::max(inside, excess);
  }
  return inside > 0 ? norm(outside) : inside;
}

// The integral is the product over the axes of the box of 2 sinh(l a) / l, l the component of
// lambda and a the half edge.
TiltedMoments BoxDomain::tilted_moments(const Vec3d& lambda) const {
  const Vec3d l = transpose_times(frame_.axes, lambda);
  TiltedMoments moments;
  moments.log_integral = std::log(volume());
  Vec3d mean;
  Mat3d covariance;
  for (int i = 0; i < 3; ++i) {
    const TiltedMarginal marginal = tilted_interval(l[i] * half_[i]);
    moments.log_integral += marginal.log_value;
    mean[i] = -half_[i] * half_[i] * l[i] * marginal.transverse;
    covariance(i, i) = half_[i] * half_[i] * marginal.variance;
  }
  moments.mean = frame_.axes * mean;
  moments.covariance = frame_.axes * covariance * transpose(frame_.axes);
  return moments;
}

std::unique_ptr<const TiltedSampler> BoxDomain::sampler(const Vec3d& lambda) const {
  return std::make_unique<BoxSampler>(frame_, half_, transpose_times(frame_.axes, lambda));
}

}  // namespace tumble
