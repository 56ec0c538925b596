#include "tumble/random/stream/variates.hpp"

#include <boost/math/special_functions/erf.hpp>
#include <cmath>

namespace tumble {
namespace {

namespace policies = boost::math::policies;
using ThrowAll = policies::policy<policies::domain_error<policies::throw_on_error>,
                                  policies::pole_error<policies::throw_on_error>,
                                  policies::overflow_error<policies::throw_on_error>,
                                  policies::evaluation_error<policies::throw_on_error>,
                                  policies::promote_double<false>>;

const double sqrt2 = std::sqrt(2.0), sqrt_half = std::sqrt(0.5);

}  // namespace

double normal_variate(Draws& draws) {
  return -sqrt2 * boost::math::erfc_inv(2.0 * draws.uniform(), ThrowAll());
}

double gamma_variate(double shape, Draws& draws) {
  // A gamma variate of shape + 1 times U^(1/shape) has the smaller shape.
  if (shape < 1.0) {
    const double larger = gamma_variate(shape + 1.0, draws);
    return larger * std::pow(draws.uniform(), 1.0 / shape);
  }
  const double d = shape - 1.0 / 3.0, c = 1.0 / std::sqrt(9.0 * d);
  while (true) {
    const double x = normal_variate(draws);
    const double root = 1.0 + c * x;
    const double u = draws.uniform();
    if (!(root > 0.0)) continue;
    const double v = root * root * root;
    if (std::log(u) < 0.5 * x * x + d * (1.0 - v + std::log(v))) return d * v;
  }
}

Eigen::Matrix3d wishart_factor(double a, Draws& draws) {
  Eigen::Matrix3d t = Eigen::Matrix3d::Zero();
  for (int j = 0; j < 3; ++j) {
    t(j, j) = std::sqrt(gamma_variate(a - 0.5 * j, draws));
    for (int i = j + 1; i < 3; ++i) t(i, j) = sqrt_half * normal_variate(draws);
  }
  return t;
}

}  // namespace tumble
