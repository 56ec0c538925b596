#include "tumble/random/inertia/inertia_map.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "tumble/random/inertia/eigen_matrix.hpp"
#include "tumble/random/inertia/kummer_beta_map.hpp"
#include "tumble/random/law/map_error.hpp"
#include "tumble/random/law/normal_score.hpp"
#include "tumble/random/law/scalar_law.hpp"

namespace tumble {
namespace {

/// Of the points at which a map is compared with its law.
constexpr std::size_t measured_points = 64;

/// Without an upper bound G = T T^T / a with Bartlett's lower triangular T, see wishart_factor():
/// three gamma and three normal numbers, all independent.
class BartlettCoordinates final : public InertiaMap::Coordinates {
 public:
  explicit BartlettCoordinates(double a)
      : a_(a), squares_{gamma(a), gamma(a - 0.5), gamma(a - 1.0)} {}

  Mat3<double> normalized(std::span<const double> scores) const override {
    Eigen::Matrix3d t = Eigen::Matrix3d::Zero();
    std::size_t next = 0;
    for (int j = 0; j < 3; ++j) {
      t(j, j) = std::sqrt(squares_[static_cast<std::size_t>(j)].from_normal_score(scores[next++]));
      for (int i = j + 1; i < 3; ++i) t(i, j) = std::sqrt(0.5) * scores[next++];
    }
    return from_eigen(symmetric_part(t * t.transpose() / a_));
  }

 private:
  static ScalarLaw gamma(double shape) { return ScalarLaw(GammaLaw{.shape = shape, .scale = 1}); }

  double a_;
  std::array<ScalarLaw, 3> squares_;
};

/// G = U^(1/2) B U^(1/2) in the axes of Gmax, U its eigenvalues; mu is diagonal there. Axes run
/// from the largest x_i = u_i mu_i to the smallest: then the functions that KummerBetaMap tabulates
/// are the smoothest. Where the mean is closer to the bound than to zero it is I - B that is taken,
/// which has the exponents -x and the powers exchanged: large negative x leave no digits.
class KummerBetaCoordinates final : public InertiaMap::Coordinates {
 public:
  explicit KummerBetaCoordinates(const InertiaLaw& law)
      : from_bound_(exponents(law, axes_of(law)).sum() < 0),
        to_axes_(sorted_axes(law)),
        map_(make_map(law)) {}

  Mat3<double> normalized(std::span<const double> scores) const override {
    Eigen::Matrix3d b = map_(scores);
    if (from_bound_) b = Eigen::Matrix3d::Identity() - b;
    return from_eigen(symmetric_part(to_axes_ * b * to_axes_.transpose()));
  }

 private:
  static Eigen::Matrix3d axes_of(const InertiaLaw& law) {
    const Vec3<double>& u = law.bound_eigenvalues();
    return to_eigen(law.axes()) * Eigen::Vector3d(u.x, u.y, u.z).cwiseSqrt().asDiagonal();
  }

  static Eigen::Vector3d exponents(const InertiaLaw& law, const Eigen::Matrix3d& axes) {
    return (axes.transpose() * to_eigen(law.report().mu) * axes).diagonal();
  }

  Eigen::Matrix3d sorted_axes(const InertiaLaw& law) const {
    const Eigen::Matrix3d axes = axes_of(law);
    const Eigen::Vector3d x = (from_bound_ ? -1.0 : 1.0) * exponents(law, axes);
    std::array<int, 3> order{0, 1, 2};
    std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return x[i] > x[j]; });
    Eigen::Matrix3d sorted;
    for (int k = 0; k < 3; ++k) sorted.col(k) = axes.col(order[static_cast<std::size_t>(k)]);
    return sorted;
  }

  KummerBetaMap make_map(const InertiaLaw& law) const {
    const double a = 2.0 - law.report().lambda_l, b = 2.0 - *law.report().lambda_u;
    const Eigen::Vector3d x = exponents(law, to_axes_);
    if (from_bound_) return KummerBetaMap(b, a, {-x[0], -x[1], -x[2]});
    return KummerBetaMap(a, b, {x[0], x[1], x[2]});
  }

  bool from_bound_;
  Eigen::Matrix3d to_axes_;
  KummerBetaMap map_;
};

std::shared_ptr<const InertiaMap::Coordinates> coordinates_of(const InertiaLaw& law) {
  if (law.report().bound) return std::make_shared<KummerBetaCoordinates>(law);
  return std::make_shared<BartlettCoordinates>(2.0 - law.report().lambda_l);
}

Mat3<double> symmetric(const std::array<double, 6>& g) {
  return {{g[0], g[3], g[4], g[3], g[1], g[5], g[4], g[5], g[2]}};
}

}  // namespace

InertiaMap::InertiaMap(const InertiaLaw& law) : coordinates_(coordinates_of(law)) {
  const auto entries_of = [&](const std::array<double, 6>& u) {
    std::array<double, 6> scores{};
    for (std::size_t k = 0; k < 6; ++k) scores[k] = standard_normal_score(u[k]);
    const Mat3<double> g = coordinates_->normalized(scores);
    return std::array{g(0, 0), g(1, 1), g(2, 2), g(0, 1), g(0, 2), g(1, 2)};
  };
  // The density of the law is with respect to 2^(3/2) prod dG_jk.
  const auto log_density = [&](const std::array<double, 6>& entries) {
    return law.log_density(symmetric(entries)) + 1.5 * std::log(2.0);
  };
  error_ = map_error<6>(entries_of, log_density, measured_points, 1e-4);
}

Mat3<double> InertiaMap::operator()(std::span<const double> scores) const {
  return coordinates_->normalized(scores);
}

}  // namespace tumble
