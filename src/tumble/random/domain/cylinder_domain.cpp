#include "tumble/random/domain/cylinder_domain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "tumble/math/special_functions.hpp"
#include "tumble/random/centre/tilted_marginal.hpp"
#include "tumble/random/law/panel_density.hpp"

namespace tumble {
namespace {

double checked_volume(const CylinderShape& shape) {
  require_finite("centre of the cylinder", shape.centre);
  require_positive("radius of the cylinder", shape.radius);
  require_positive("length of the cylinder", shape.length);
  require_finite("axis of the cylinder", shape.axis);
  if (!(norm(shape.axis) > 0))
    throw std::invalid_argument(
        fmt::format("axis of the cylinder = {} has no direction: it must not be zero",
                    format_point(shape.axis)));
  return std::numbers::pi * shape.radius * shape.radius * shape.length;
}

// Across the axis, along -lambda: w = 1 - z in (0, 2) has the density sqrt(w (2 - w)) exp(-k w).
// For small k a uniform point of the disk is kept with probability exp(-k w); for large k a gamma
// variable of shape 3/2 and rate k is kept, below 2, with probability sqrt(1 - w / 2). With the
// disk's value v = 2 I_1(k) / k exp(-k), these succeed at the rates v and v k^1.5 sqrt(pi / 2): the
// first one is better below the k where they are equal. The worse of the two extremes keeps 46 %.
constexpr double kGammaFrom = 0x1.b87336cf49f16p-1;  // (2/π)^(1/3)

class CylinderSampler final : public TiltedSampler {
 public:
  CylinderSampler(const ShapeFrame& frame, double radius, double half, const Vec3d& local_lambda)
      : TiltedSampler(rate(radius * hypotenuse(local_lambda.x, local_lambda.y))),
        frame_(frame),
        radius_(radius),
        half_(half),
        along_(local_lambda.z),
        k_(radius * hypotenuse(local_lambda.x, local_lambda.y)),
        direction_(k_ > 0 ? (-radius / k_) * Vec3d{local_lambda.x, local_lambda.y, 0}
                          : Vec3d{1, 0, 0}) {}

  Vec3d draw(Draws& draws) const override {
    const double z =
        2.0 * truncated_exponential_quantile(2.0 * half_ * along_, draws.uniform()) - 1;
    const auto [w, across] = k_ < kGammaFrom ? from_disk(draws) : from_gamma(draws);
    const double x = radius_ * (1.0 - w), y = radius_ * across;
    return frame_.to_space(
        {direction_.x * x - direction_.y * y, direction_.y * x + direction_.x * y, half_ * z});
  }

 private:
  struct DiskPoint {
    double w, across;
  };

  static double rate(double k) {
    const double value = std::exp(tilted_disk(k).log_value - k);
    return k < kGammaFrom ? value : value * std::pow(k, 1.5) * std::sqrt(0.5 * std::numbers::pi);
  }

  DiskPoint from_disk(Draws& draws) const {
    for (;;) {
      const double radius = std::sqrt(draws.uniform());
      const double angle = 2.0 * std::numbers::pi * draws.uniform();
      const double w = 1.0 - radius * std::cos(angle);
      if (draws.uniform() < std::exp(-k_ * w)) return {w, radius * std::sin(angle)};
    }
  }

  DiskPoint from_gamma(Draws& draws) const {
    for (;;) {
      // An exponential variable plus half the square of a normal one (by Box and Muller).
      const double c = std::cos(2.0 * std::numbers::pi * draws.uniform());
      const double square = -std::log(draws.uniform()) * c * c;
      const double w = (square - std::log(draws.uniform())) / k_;
      if (w < 2.0 && draws.uniform() < std::sqrt(1.0 - 0.5 * w))
        return {w, (2.0 * draws.uniform() - 1.0) * std::sqrt(w * (2.0 - w))};
    }
  }

  ShapeFrame frame_;
  double radius_, half_;
  double along_;     ///< component of lambda along the axis
  double k_;         ///< its component across, times the radius
  Vec3d direction_;  ///< of minus that component, in the frame
};

}  // namespace

CylinderDomain::CylinderDomain(const CylinderShape& shape)
    : Domain(checked_volume(shape), shape.centre),
      frame_(frame_along(shape.centre, shape.axis)),
      radius_(shape.radius),
      half_(0.5 * shape.length) {}

Bounds CylinderDomain::bounds() const {
  Vec3d reach;
  for (int i = 0; i < 3; ++i)
    reach[i] = half_ * std::abs(frame_.axes(i, 2)) +
               radius_ * hypotenuse(frame_.axes(i, 0), frame_.axes(i, 1));
  return {frame_.origin - reach, frame_.origin + reach};
}

double CylinderDomain::distance_to_hull(const Vec3d& x) const {
  const Vec3d local = frame_.to_local(x);
  const double across = hypotenuse(local.x, local.y) - radius_, along = std::abs(local.z) - half_;
  if (across <= 0 && along <= 0) return std::max(across, along);
  return hypotenuse(std::max(across, 0.0), std::max(along, 0.0));
}

TiltedMoments CylinderDomain::tilted_moments(const Vec3d& lambda) const {
  const Vec3d l = transpose_times(frame_.axes, lambda);
  const Vec3d across{l.x, l.y, 0};
  const double length = norm(across);
  const TiltedMarginal disk = tilted_disk(radius_ * length),
                       interval = tilted_interval(half_ * l.z);
  const double disk_square = radius_ * radius_, interval_square = half_ * half_;
  Vec3d mean = (-disk_square * disk.transverse) * across;
  mean.z = -interval_square * interval.transverse * l.z;
  // As for the ball, in the plane across the axis.
  const Vec3d direction = length > 0 ? (1.0 / length) * across : Vec3d{1, 0, 0};
  const Vec3d other{-direction.y, direction.x, 0};
  Mat3d covariance = disk_square * (disk.variance * outer(direction, direction) +
                                    disk.transverse * outer(other, other));
  covariance(2, 2) = interval_square * interval.variance;
  return {std::log(volume()) + disk.log_value + interval.log_value, frame_.axes * mean,
          frame_.axes * covariance * transpose(frame_.axes)};
}

std::unique_ptr<const TiltedSampler> CylinderDomain::sampler(const Vec3d& lambda) const {
  return std::make_unique<CylinderSampler>(frame_, radius_, half_,
                                           transpose_times(frame_.axes, lambda));
}

// In s of x = tanh(s), with (1-x^2)^(1/2) exp(k x) of the diameter along lambda and dx = (1-x^2)
// ds, the density (1-x^2)^(3/2) exp(k x) has its mode at k (1-x^2) = 3 x.
CubeMap CylinderDomain::cube_map(const Vec3d& lambda) const {
  const Vec3d local = transpose_times(frame_.axes, lambda);
  const double k = radius_ * hypotenuse(local.x, local.y);
  const Vec3d direction = k > 0 ? (-radius_ / k) * Vec3d{local.x, local.y, 0} : Vec3d{1, 0, 0};
  const double mode = 2.0 * k / (3.0 + std::sqrt(9.0 + 4.0 * k * k));
  const auto log_density = [k](double s) {
    // log(1-x^2) = log(4) - 2 s - 2 log(1 + exp(-2 s)) and 1 - x = 2 / (1 + exp(2 s)).
    const double size = std::abs(s),
                 log_rest = std::log(4.0) - 2 * size - 2 * std::log1p(std::exp(-2 * size));
    return 1.5 * log_rest - k * 2.0 / (1.0 + std::exp(2 * s));
  };
  const double spread = (1.0 - mode * mode) * (3.0 + 2.0 * k * mode);
  const PanelDensity diameter =
      panels_around(log_density, std::atanh(mode), 1.0 / std::sqrt(spread));
  return [frame = frame_, radius = radius_, half = half_, along = local.z, direction,
          diameter](const Vec3d& u) {
    const double z = 2.0 * truncated_exponential_quantile(2.0 * half * along, u.x) - 1.0;
    const double x = std::tanh(diameter.at_place(u.y));
    const double y = (2.0 * u.z - 1.0) * std::sqrt((1.0 - x) * (1.0 + x));
    return frame.to_space({radius * (direction.x * x - direction.y * y),
                           radius * (direction.y * x + direction.x * y), half * z});
  };
}

}  // namespace tumble
