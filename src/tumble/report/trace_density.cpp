#include <algorithm>
#include <cmath>
#include <numbers>

#include "tumble/random/inertia/matrix_kummer_beta.hpp"
#include "tumble/report/laws.hpp"

namespace tumble::report {
namespace {

struct Cumulants {
  double value, first, second;  ///< K, K', K''
};

/// Of the trace, tilted by exp(s tr(G)).
class TraceCumulants {
 public:
  explicit TraceCumulants(const InertiaLaw& law)
      : a_(2 - law.report().lambda_l), bounded_(law.report().bound.has_value()) {
    if (!bounded_) return;
    b_ = 2 - *law.report().lambda_u;
    // In the axes of the law Gmax and mu are diagonal.
    for (int i = 0; i < 3; ++i) {
      const Vec3d axis = law.axes().column(i);
      bound_[i] = dot(axis, *law.report().bound * axis);
      x_[i] = bound_[i] * dot(axis, law.report().mu * axis);
    }
    log_partition_ = matrix_kummer_beta(a_, b_, x_).log_partition;
  }

  Cumulants at(double s) const {
    // A Wishart matrix over a: its trace is gamma with the shape 3 a and the scale 1/a.
    if (!bounded_)
      return {-3 * a_ * std::log1p(-s / a_), 3 / (1 - s / a_),
              3 / (a_ * (1 - s / a_) * (1 - s / a_))};
    const MatrixKummerBeta tilted = matrix_kummer_beta(a_, b_, x_ - s * bound_);
    return {tilted.log_partition - log_partition_, dot(bound_, tilted.mean),
            dot(bound_, tilted.covariance() * bound_)};
  }

 private:
  double a_, b_ = 0;
  bool bounded_;
  Vec3d bound_, x_;
  double log_partition_ = 0;
};

}  // namespace

DensityPoints trace_density(const InertiaLaw& law) {
  const TraceCumulants cumulants(law);
  DensityPoints points;
  // From the mean to both sides, by a sixth of the tilted standard deviation at a time, until
  // the density is a thousandth of its largest value.
  const auto add = [&](double direction) {
    std::vector<double> x, y;
    double largest = 0, s = 0;
    for (int step = 0; step < 60; ++step) {
      const Cumulants c = cumulants.at(s);
      if (!(c.second > 0)) break;
      const double f = std::exp(c.value - s * c.first) / std::sqrt(2 * std::numbers::pi * c.second);
      if (step > 0 || direction > 0) x.push_back(c.first), y.push_back(f);
      largest = std::max(largest, f);
      if (f < 1e-3 * largest) break;
      s += direction / (6 * std::sqrt(c.second));
    }
    return std::pair(x, y);
  };
  auto [below, below_y] = add(-1);
  const auto [above, above_y] = add(1);
  points.x.assign(below.rbegin(), below.rend());
  points.y.assign(below_y.rbegin(), below_y.rend());
  points.x.insert(points.x.end(), above.begin(), above.end());
  points.y.insert(points.y.end(), above_y.begin(), above_y.end());
  double integral = 0;
  for (std::size_t i = 1; i < points.x.size(); ++i)
    integral += 0.5 * (points.x[i] - points.x[i - 1]) * (points.y[i] + points.y[i - 1]);
  for (double& y : points.y) y /= integral;
  return points;
}

}  // namespace tumble::report
