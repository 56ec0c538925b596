#include "tumble/random/domain/ellipsoid_domain.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tumble/random/centre/tilted_marginal.hpp"

namespace tumble {
namespace {

double checked_volume(const EllipsoidShape& shape) {
  require_finite("centre of the ellipsoid", shape.centre);
  require_positive("first semi-axis of the ellipsoid", shape.semi_axes.x);
  require_positive("second semi-axis of the ellipsoid", shape.semi_axes.y);
  require_positive("third semi-axis of the ellipsoid", shape.semi_axes.z);
  require_axes("orientation of the ellipsoid", shape.orientation);
  return 4.0 / 3.0 * std::numbers::pi * shape.semi_axes.x * shape.semi_axes.y * shape.semi_axes.z;
}

double checked_volume(const BallShape& shape) {
  require_finite("centre of the ball", shape.centre);
  require_positive("radius of the ball", shape.radius);
  return 4.0 / 3.0 * std::numbers::pi * shape.radius * shape.radius * shape.radius;
}

/// In the unit ball: the coordinate along -lambda by inversion, then a point of the disk across.
class BallSampler final : public TiltedSampler {
 public:
  /// `lambda` is that of the unit ball: M^T lambda with `map` = M.
  BallSampler(const Vec3d& centre, const Mat3d& map, const Vec3d& lambda)
      : TiltedSampler(1.0), k_(norm(lambda)) {
    const ShapeFrame ball = frame_along({}, k_ > 0 ? -lambda : Vec3d{0, 0, 1});
    frame_ = {centre, map * ball.axes};
  }

  Vec3d draw(Draws& draws) const override {
    const double u = draws.uniform(), v = draws.uniform(), w = draws.uniform();
    return from_cube({u, v, w});
  }
  bool has_cube_map() const override { return true; }
  Vec3d from_cube(const Vec3d& u) const override {
    const double z = tilted_ball_quantile(k_, u.x);
    const double radius = std::sqrt((1.0 - z) * (1.0 + z) * u.y);
    const double angle = 2.0 * std::numbers::pi * u.z;
    return frame_.to_space({radius * std::cos(angle), radius * std::sin(angle), z});
  }

 private:
  ShapeFrame frame_;  ///< its axes carry the map from the ball, so they are not orthonormal
  double k_;
};

}  // namespace

EllipsoidDomain::EllipsoidDomain(const EllipsoidShape& shape)
    : Domain(checked_volume(shape), shape.centre),
      kind_("ellipsoid"),
      frame_{shape.centre, shape.orientation},
      semi_axes_(shape.semi_axes) {}

EllipsoidDomain::EllipsoidDomain(const BallShape& shape)
    : Domain(checked_volume(shape), shape.centre),
      kind_("ball"),
      frame_{shape.centre, Mat3d::identity()},
      semi_axes_{shape.radius, shape.radius, shape.radius} {}

Mat3d EllipsoidDomain::from_ball() const {
  Mat3d map = frame_.axes;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) map(i, j) *= semi_axes_[j];
  return map;
}

Bounds EllipsoidDomain::bounds() const {
  const Mat3d map = from_ball();
  const Vec3d reach{norm(map.row(0)), norm(map.row(1)), norm(map.row(2))};
  return {frame_.origin - reach, frame_.origin + reach};
}

bool EllipsoidDomain::contains(const Vec3d& x) const {
  Vec3d y = frame_.to_local(x);
  for (int i = 0; i < 3; ++i) y[i] /= semi_axes_[i];
  return dot(y, y) <= 1.0;
}

// The foot of x on the surface, from x - foot normal to it: foot_i = a_i^2 x_i / (a_i^2 + t) with
//   sum_i (a_i x_i / (a_i^2 + t))^2 = 1,  t > -min a_i^2,
// where the sum falls in t from above 1 at -a^2 + a |x_a| to below 1 at -a^2 + |(a_i x_i)|, a the
// least semi-axis and x_a the coordinate along it. If x lies in the plane x_a = 0 and deep inside,
// the sum never reaches 1; then t = -a^2 and the foot leaves the plane.
double EllipsoidDomain::distance_to_hull(const Vec3d& x) const {
  const Vec3d local = frame_.to_local(x);
  Vec3d y, scaled;  // by symmetry, the octant of positive coordinates is enough
  int least = 0;
  for (int i = 0; i < 3; ++i) {
    y[i] = std::abs(local[i]);
    scaled[i] = y[i] * semi_axes_[i];
    if (semi_axes_[i] < semi_axes_[least] ||
        (semi_axes_[i] == semi_axes_[least] && y[i] > y[least]))
      least = i;
  }
  const double shortest = semi_axes_[least];
  // Counted from -a^2, so that no digits are lost there: s = t + a^2.
  const auto denominator = [&](int i, double s) {
    return (semi_axes_[i] - shortest) * (semi_axes_[i] + shortest) + s;
  };
  double lower = scaled[least], upper = norm(scaled);
  for (int step = 0; step < 200 && lower < upper; ++step) {
    const double s = 0.5 * (lower + upper);
    if (s == lower || s == upper) break;
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += std::pow(scaled[i] / denominator(i, s), 2);
    (sum > 1.0 ? lower : upper) = s;
  }
  Vec3d foot;
  double rest = 1.0;
  for (int i = 0; i < 3; ++i) {
    if (i == least || y[i] == 0) continue;
    foot[i] = semi_axes_[i] * scaled[i] / denominator(i, upper);
    rest -= std::pow(foot[i] / semi_axes_[i], 2);
  }
  foot[least] =
      y[least] > 0 ? shortest * scaled[least] / upper : shortest * std::sqrt(std::max(rest, 0.0));
  const double distance = norm(y - foot);
  return contains(x) ? -distance : distance;
}

// With n = M^T lambda, M = R diag(semi-axes), and q the variance across n:
//   mean y = -q n,  covariance y = q (I - d d^T) + (variance along n) d d^T,  d = n / |n|.
TiltedMoments EllipsoidDomain::tilted_moments(const Vec3d& lambda) const {
  const Mat3d map = from_ball();
  const Vec3d n = transpose_times(map, lambda);
  const double k = norm(n);
  const TiltedMarginal marginal = tilted_ball(k);
  const Vec3d direction = k > 0 ? (1.0 / k) * n : Vec3d{0, 0, 1};
  const Mat3d along = outer(direction, direction);
  const Mat3d covariance =
      marginal.transverse * (Mat3d::identity() - along) + marginal.variance * along;
  return {std::log(volume()) + marginal.log_value, map * (-marginal.transverse * n),
          map * covariance * transpose(map)};
}

std::unique_ptr<const TiltedSampler> EllipsoidDomain::sampler(const Vec3d& lambda) const {
  const Mat3d map = from_ball();
  return std::make_unique<BallSampler>(frame_.origin, map, transpose_times(map, lambda));
}

}  // namespace tumble
