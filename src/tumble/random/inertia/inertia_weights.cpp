#include "tumble/random/inertia/inertia_weights.hpp"

#include <cmath>
#include <stdexcept>

#include "tumble/random/inertia/eigen_matrix.hpp"
#include "tumble/random/inertia/matrix_kummer_beta.hpp"
#include "tumble/random/stream/variates.hpp"

namespace tumble {

std::vector<WeightedInertia> weighted_inertia(const InertiaLaw& law, Draws& draws,
                                              std::size_t count) {
  if (!law.report().bound)
    throw std::invalid_argument("the weighted estimator is for a random inertia with a bound Zmax");
  const double a = 2.0 - law.report().lambda_l;
  // log C_G0 of a^(3a) / (2^(3/2) Gamma_3(a)) det(G)^(a-2) exp(-a tr(G)), as Eq. (58).
  const double log_constant = 3.0 * a * std::log(a) - 1.5 * std::log(2.0) - log_matrix_gamma(a);
  std::vector<WeightedInertia> sample(count);
  for (WeightedInertia& draw : sample) {
    const Eigen::Matrix3d factor = wishart_factor(a, draws);
    const Eigen::Matrix3d g = symmetric_part(factor * factor.transpose() / a);
    draw.normalized = from_eigen(g);
    // Minus infinity, and the weight 0, outside the bound.
    const double log_target = law.log_density(draw.normalized);
    const double log_det = 2.0 * factor.diagonal().array().log().sum() - 3.0 * std::log(a);
    draw.weight = std::exp(log_target - (log_constant + (a - 2.0) * log_det - a * g.trace()));
  }
  return sample;
}

}  // namespace tumble
