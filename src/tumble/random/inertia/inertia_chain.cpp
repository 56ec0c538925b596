#include "tumble/random/inertia/inertia_chain.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <stdexcept>

#include "tumble/random/inertia/eigen_matrix.hpp"
#include "tumble/random/law/effective_sample_size.hpp"
#include "tumble/random/stream/variates.hpp"

namespace tumble {

InertiaChain::InertiaChain(const InertiaLaw& law, const Stream& stream,
                           const InertiaChainSettings& settings)
    : law_(law),
      draws_(stream),
      settings_(settings),
      diagonal_factor_(from_eigen(to_eigen(law.diagonal_covariance()).llt().matrixL())),
      log_density_(law.log_density(state_)) {
  if (settings.thinning == 0)
    throw std::invalid_argument("the thinning of the Markov chain = 0 must be 1 or more");
  if (!(settings.step > 0.0))
    throw std::invalid_argument(
        fmt::format("the step of the Markov chain = {} must be positive", settings.step));
  for (int i = 0; i < 9; ++i) deviations_.m[i] = std::sqrt(law.variances().m[i]);
}

// A normal step with the covariance of G itself: in the axes of the law the diagonal entries are
// correlated and the others are independent.
void InertiaChain::step() {
  Eigen::Vector3d normals;
  for (double& z : normals) z = normal_variate(draws_);
  Eigen::Matrix3d change = Eigen::Matrix3d::Zero();
  change.diagonal() = to_eigen(diagonal_factor_) * normals;
  for (int i = 0; i < 3; ++i)
    for (int j = i + 1; j < 3; ++j)
      change(i, j) = change(j, i) = deviations_(i, j) * normal_variate(draws_);
  const Eigen::Matrix3d axes = to_eigen(law_.axes());
  const Mat3<double> trial =
      state_ + settings_.step * from_eigen(symmetric_part(axes * change * axes.transpose()));
  const double log_density = law_.log_density(trial);
  ++steps_;
  if (std::log(draws_.uniform()) < log_density - log_density_) {
    state_ = trial;
    log_density_ = log_density;
    ++accepted_;
  }
}

void InertiaChain::extend_to(std::size_t count) {
  while (steps_ < settings_.burn_in) step();
  while (states_.size() < count) {
    for (std::size_t k = 0; k < settings_.thinning; ++k) step();
    states_.push_back(state_);
  }
}

double InertiaChain::acceptance() const {
  return steps_ == 0 ? 0.0 : static_cast<double>(accepted_) / static_cast<double>(steps_);
}

double InertiaChain::effective_sample_size() const {
  std::vector<double> traces;
  for (const Mat3<double>& g : states_) traces.push_back(g(0, 0) + g(1, 1) + g(2, 2));
  return tumble::effective_sample_size(traces);
}

}  // namespace tumble
