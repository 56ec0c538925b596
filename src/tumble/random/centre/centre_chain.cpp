#include "tumble/random/centre/centre_chain.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>
#include <stdexcept>

#include "tumble/random/law/effective_sample_size.hpp"

namespace tumble {

CentreChain::CentreChain(const CentreLaw& law, const Stream& stream, const ChainSettings& settings)
    : law_(law), draws_(stream), settings_(settings) {
  if (settings.thinning == 0)
    throw std::invalid_argument(
        "thinning of the chain = 0 must be at least 1: the steps per point");
  if (!(settings.step > 0 && std::isfinite(settings.step)))
    throw std::invalid_argument(
        fmt::format("step of the chain = {:.7g} must be positive and finite", settings.step));
  const Eigen::Map<const Eigen::Matrix3d> covariance(law.report().covariance.m);  // symmetric
  const Eigen::Matrix3d factor = covariance.llt().matrixL();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) proposal_(i, j) = settings.step * std::sqrt(3.0) * factor(i, j);
  state_ = law.domain().contains(law.mean()) ? law.mean() : law.draw(draws_);
  log_density_ = law.log_density(state_);
  advance(settings.burn_in);
  proposed_ = accepted_ = 0;
}

void CentreChain::advance(std::size_t steps) {
  for (std::size_t i = 0; i < steps; ++i) {
    const double u = draws_.uniform(), v = draws_.uniform(), w = draws_.uniform();
    const Vec3d candidate = state_ + proposal_ * Vec3d{2 * u - 1, 2 * v - 1, 2 * w - 1};
    const double log_density = law_.log_density(candidate);
    ++proposed_;
    if (draws_.uniform() < std::exp(log_density - log_density_)) {
      state_ = candidate, log_density_ = log_density;
      ++accepted_;
    }
  }
}

void CentreChain::extend_to(std::size_t count) {
  points_.reserve(count);
  while (points_.size() < count) {
    advance(settings_.thinning);
    points_.push_back(state_);
  }
}

double CentreChain::acceptance() const {
  return proposed_ == 0 ? 0.0 : static_cast<double>(accepted_) / static_cast<double>(proposed_);
}

Vec3d CentreChain::effective_sample_size() const {
  Vec3d sizes;
  std::vector<double> values(points_.size());
  for (int i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = points_[k][i];
    sizes[i] = tumble::effective_sample_size(values);
  }
  return sizes;
}

}  // namespace tumble
