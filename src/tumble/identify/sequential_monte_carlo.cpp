#include "tumble/identify/sequential_monte_carlo.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tumble/random/stream/variable_id.hpp"
#include "tumble/random/stream/variates.hpp"

namespace tumble {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

class Replica {
 public:
  Replica(const std::function<double(const std::vector<double>&)>& log_likelihood,
          const std::vector<ScalarLaw>& priors, const std::vector<double>& lower,
          const std::vector<double>& upper, const SequentialOptions& options, std::size_t index)
      : log_likelihood_(log_likelihood),
        priors_(priors),
        lower_(lower),
        upper_(upper),
        options_(options),
        draws_(Stream(options.seed, index, variable_id("identification posterior"))) {}

  /// False if stopped.
  bool run() {
    for (std::size_t i = 0; i < options_.particles; ++i)
      if (!add_from_prior()) return false;
    double phi = 0;
    while (phi < 1) {
      const double next = next_exponent(phi);
      reweight(next - phi);
      phi = next;
      ++steps;
      if (!move(phi)) return false;
    }
    return true;
  }

  std::vector<std::vector<double>> points;
  std::vector<double> likelihoods;
  double log_evidence = 0, acceptance = 0;
  std::size_t steps = 0;

 private:
  bool inside(const std::vector<double>& x) const {
    for (std::size_t k = 0; k < x.size(); ++k)
      if (!(x[k] >= lower_[k] && x[k] <= upper_[k])) return false;
    return true;
  }
  double log_prior(const std::vector<double>& x) const {
    if (!inside(x)) return minus_infinity;
    double sum = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const double density = priors_[k].pdf(x[k]);
      if (!(density > 0)) return minus_infinity;
      sum += std::log(density);
    }
    return sum;
  }
  double likelihood(const std::vector<double>& x) const {
    const double value = log_likelihood_(x);
    return std::isnan(value) ? minus_infinity : value;
  }

  bool add_from_prior() {
    std::vector<double> x(priors_.size());
    for (int i = 0; i < 1'000'000; ++i) {
      if (options_.stop && options_.stop()) return false;
      for (std::size_t k = 0; k < x.size(); ++k) x[k] = priors_[k].draw(draws_);
      if (inside(x)) break;
    }
    if (!inside(x))
      throw std::invalid_argument("a prior has next to no probability between min and max");
    points.push_back(x);
    likelihoods.push_back(likelihood(x));
    return true;
  }

  double effective_share(double increment) const {
    const double top = *std::ranges::max_element(likelihoods);
    double sum = 0, squares = 0;
    for (const double l : likelihoods) {
      const double w = std::exp(increment * (l - top));
      sum += w;
      squares += w * w;
    }
    return sum * sum / squares / static_cast<double>(likelihoods.size());
  }

  /// As far as the weights stay even enough.
  double next_exponent(double phi) const {
    if (!(*std::ranges::max_element(likelihoods) > minus_infinity))
      throw std::runtime_error("the likelihood is zero at all draws of the prior");
    if (effective_share(1 - phi) >= options_.resampled_size) return 1;
    double a = 0, b = 1 - phi;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (a + b);
      (effective_share(middle) >= options_.resampled_size ? a : b) = middle;
    }
    return phi + std::max(a, 1e-12);
  }

  /// Systematic resampling.
  void reweight(double increment) {
    const double top = *std::ranges::max_element(likelihoods);
    const std::size_t n = points.size();
    std::vector<double> weights(n);
    for (std::size_t i = 0; i < n; ++i) weights[i] = std::exp(increment * (likelihoods[i] - top));
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    log_evidence += increment * top + std::log(sum / static_cast<double>(n));
    const double offset = draws_.uniform();
    std::vector<std::vector<double>> chosen;
    std::vector<double> values;
    double reached = weights[0];
    std::size_t at = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double wanted = (static_cast<double>(i) + offset) / static_cast<double>(n) * sum;
      while (reached < wanted && at + 1 < n) reached += weights[++at];
      chosen.push_back(points[at]);
      values.push_back(likelihoods[at]);
    }
    points = std::move(chosen);
    likelihoods = std::move(values);
  }

  /// Metropolis steps with the covariance of the particles, until next to all of them have moved.
  bool move(double phi) {
    const auto d = static_cast<Eigen::Index>(priors_.size());
    const Eigen::MatrixXd factor = proposal_factor();
    double unmoved = 1;
    int rounds = 0;
    while (rounds < 3 || (unmoved > 0.01 && rounds < 20)) {
      std::size_t accepted = 0;
      for (std::size_t i = 0; i < points.size(); ++i) {
        if (options_.stop && options_.stop()) return false;
        Eigen::VectorXd z(d);
        for (Eigen::Index k = 0; k < d; ++k) z[k] = normal_variate(draws_);
        z = factor * z;
        std::vector<double> x = points[i];
        for (Eigen::Index k = 0; k < d; ++k) x[static_cast<std::size_t>(k)] += z[k];
        const double u = draws_.uniform();
        const double prior = log_prior(x);
        if (!(prior > minus_infinity)) continue;
        const double value = likelihood(x);
        const double gain = phi * (value - likelihoods[i]) + prior - log_prior(points[i]);
        if (!(std::log(u) < gain)) continue;
        points[i] = std::move(x);
        likelihoods[i] = value;
        ++accepted;
      }
      acceptance = static_cast<double>(accepted) / static_cast<double>(points.size());
      unmoved *= 1 - acceptance;
      ++rounds;
    }
    return true;
  }

  Eigen::MatrixXd proposal_factor() const {
    const auto d = static_cast<Eigen::Index>(priors_.size());
    const auto n = static_cast<double>(points.size());
    Eigen::VectorXd mean = Eigen::VectorXd::Zero(d);
    for (const auto& x : points)
      for (Eigen::Index k = 0; k < d; ++k) mean[k] += x[static_cast<std::size_t>(k)] / n;
    Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(d, d);
    for (const auto& x : points) {
      Eigen::VectorXd e(d);
      for (Eigen::Index k = 0; k < d; ++k) e[k] = x[static_cast<std::size_t>(k)] - mean[k];
      covariance += e * e.transpose() / n;
    }
    // 2.38^2 / d is best for a normal law (G. O. Roberts, A. Gelman, W. R. Gilks, 1997).
    covariance *= 2.38 * 2.38 / static_cast<double>(d);
    for (Eigen::Index k = 0; k < d; ++k) {
      const double width =
          upper_[static_cast<std::size_t>(k)] - lower_[static_cast<std::size_t>(k)];
      covariance(k, k) += 1e-20 * width * width;
    }
    return covariance.llt().matrixL();
  }

  const std::function<double(const std::vector<double>&)>& log_likelihood_;
  const std::vector<ScalarLaw>& priors_;
  const std::vector<double>&lower_, &upper_;
  const SequentialOptions& options_;
  Draws draws_;
};

void compare_replicas(Posterior& p) {
  const auto m = static_cast<double>(p.replicas), n = static_cast<double>(p.particles);
  for (std::size_t k = 0; k < p.parameters; ++k) {
    std::vector<double> means(p.replicas);
    double mean = 0, within = 0;
    for (std::size_t r = 0; r < p.replicas; ++r) {
      for (std::size_t i = 0; i < p.particles; ++i) means[r] += p.at(r, i, k) / n;
      mean += means[r] / m;
    }
    for (std::size_t r = 0; r < p.replicas; ++r)
      for (std::size_t i = 0; i < p.particles; ++i)
        within += (p.at(r, i, k) - means[r]) * (p.at(r, i, k) - means[r]) / (m * (n - 1));
    double between = 0, farthest = 0;
    for (const double x : means) {
      between += (x - mean) * (x - mean) / (m - 1);
      farthest = std::max(farthest, std::abs(x - mean));
    }
    const double variance = (n - 1) / n * within + between;
    p.mean.push_back(mean);
    p.std.push_back(std::sqrt(variance));
    p.r_hat.push_back(within > 0 ? std::sqrt(variance / within) : 1);
    // Means of replicas scatter by variance / effective size.
    p.effective_size.push_back(std::min(m * n, between > 0 ? m * variance / between : m * n));
    p.divergence.push_back(variance > 0 ? farthest / std::sqrt(variance) : 0);
  }
}

}  // namespace

double Posterior::quantile(std::size_t parameter, double probability) const {
  std::vector<double> all;
  for (std::size_t i = parameter; i < draws.size(); i += parameters) all.push_back(draws[i]);
  std::ranges::sort(all);
  const double h = probability * static_cast<double>(all.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(h), all.size() - 1);
  const double next = all[std::min(i + 1, all.size() - 1)];
  return all[i] + (h - static_cast<double>(i)) * (next - all[i]);
}

Posterior sequential_monte_carlo(
    const std::function<double(const std::vector<double>&)>& log_likelihood,
    const std::vector<ScalarLaw>& priors, const std::vector<double>& lower,
    const std::vector<double>& upper, const SequentialOptions& options) {
  Posterior result;
  result.replicas = options.replicas;
  result.particles = options.particles;
  result.parameters = priors.size();
  for (std::size_t r = 0; r < options.replicas; ++r) {
    Replica replica(log_likelihood, priors, lower, upper, options, r);
    if (!replica.run()) {
      result.stopped = true;
      return result;
    }
    for (const auto& x : replica.points)
      result.draws.insert(result.draws.end(), x.begin(), x.end());
    result.log_likelihoods.insert(result.log_likelihoods.end(), replica.likelihoods.begin(),
                                  replica.likelihoods.end());
    result.log_evidence.push_back(replica.log_evidence);
    result.acceptance.push_back(replica.acceptance);
    result.steps.push_back(static_cast<double>(replica.steps));
  }
  compare_replicas(result);
  return result;
}

}  // namespace tumble
