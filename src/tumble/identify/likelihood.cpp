#include "tumble/identify/likelihood.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace tumble {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();
const double log_two_pi = std::log(2 * 3.14159265358979323846);

double log_normal_density(double difference, double variance) {
  return -0.5 * (log_two_pi + std::log(variance) + difference * difference / variance);
}

/// exp(log_weights - their maximum).
struct Weights {
  std::vector<double> values;
  double sum = 0, sum_of_squares = 0;
  std::vector<double> by_group;

  Weights(const std::vector<double>& logarithms, const std::vector<std::size_t>& group)
      : values(logarithms.size()), by_group(draw_groups) {
    const double largest = *std::ranges::max_element(logarithms);
    if (!(largest > minus_infinity)) return;
    for (std::size_t j = 0; j < values.size(); ++j) {
      values[j] = std::exp(logarithms[j] - largest);
      sum += values[j];
      sum_of_squares += values[j] * values[j];
      by_group[group[j]] += values[j];
    }
  }
  double effective_size() const { return sum > 0 ? sum * sum / sum_of_squares : 0; }
};

LikelihoodValue impossible(std::size_t experiments) {
  LikelihoodValue value;
  value.experiments.assign(experiments, minus_infinity);
  value.left_out.assign(draw_groups * experiments, minus_infinity);
  value.effective_sizes.assign(experiments, 0);
  return value;
}

/// Sums of w_j exp(log_kernel_j) over draws, whatever the magnitude.
class KernelSums {
 public:
  /// `kernel` holds exp(log_kernel - its largest); the logarithms are only looked at where weights
  /// and kernels together leave the range of doubles.
  static void add(const Weights& weights, const std::vector<double>& log_weights,
                  const std::vector<std::size_t>& group, const double* kernel,
                  const double* log_kernel, double largest, std::size_t i, LikelihoodValue& value) {
    const std::size_t draws = weights.values.size();
    std::array<double, draw_groups> sums{};
    double square = 0;
    for (std::size_t j = 0; j < draws; ++j) {
      const double term = weights.values[j] * kernel[j];
      sums[group[j]] += term;
      square += term * term;
    }
    double total = std::accumulate(sums.begin(), sums.end(), 0.0);
    double shift = largest;
    if (!(total > 1e-250)) {
      const double top = *std::ranges::max_element(log_weights);
      double most = minus_infinity;
      for (std::size_t j = 0; j < draws; ++j)
        most = std::max(most, log_weights[j] - top + log_kernel[j]);
      sums.fill(0);
      square = 0;
      for (std::size_t j = 0; j < draws && most > minus_infinity; ++j) {
        const double term = std::exp(log_weights[j] - top + log_kernel[j] - most);
        sums[group[j]] += term;
        square += term * term;
      }
      total = std::accumulate(sums.begin(), sums.end(), 0.0);
      shift = most;
    }
    const std::size_t n = value.experiments.size();
    value.experiments[i] = shift + std::log(total / weights.sum);
    value.effective_sizes[i] = square > 0 ? total * total / square : 0;
    for (std::size_t g = 0; g < draw_groups; ++g) {
      const double rest = std::max(total - sums[g], 0.0);
      value.left_out[g * n + i] = shift + std::log(rest / (weights.sum - weights.by_group[g]));
    }
  }
};

void require_sizes(const Measurements& measurements, const Responses& responses,
                   const std::vector<std::size_t>& group) {
  if (measurements.numbers != responses.numbers || group.size() != responses.draws ||
      measurements.noise.size() != measurements.numbers || responses.draws == 0)
    throw std::invalid_argument("measurements and responses do not fit together");
}

class MarginalLikelihood : public EnsembleLikelihood {
 public:
  MarginalLikelihood(const Measurements& y, const Responses& q, std::vector<std::size_t> group)
      : experiments_(y.experiments), group_(std::move(group)) {
    require_sizes(y, q, group_);
    log_kernel_.resize(y.experiments * q.draws);
    kernel_.resize(log_kernel_.size());
    largest_.resize(y.experiments);
    for (std::size_t i = 0; i < y.experiments; ++i) {
      double* row = &log_kernel_[i * q.draws];
      for (std::size_t k = 0; k < y.numbers; ++k) {
        if (std::isnan(y.at(i, k))) continue;
        const double variance = y.noise[k] * y.noise[k];
        for (std::size_t j = 0; j < q.draws; ++j)
          row[j] += log_normal_density(y.at(i, k) - q.at(j, k), variance);
      }
      largest_[i] = *std::max_element(row, row + q.draws);
      for (std::size_t j = 0; j < q.draws; ++j)
        kernel_[i * q.draws + j] = std::exp(row[j] - largest_[i]);
    }
  }

  LikelihoodValue evaluate(const std::vector<double>& log_weights) const override {
    LikelihoodValue value = impossible(experiments_);
    const Weights weights(log_weights, group_);
    if (!(weights.sum > 0)) return value;
    value.effective_size = weights.effective_size();
    const std::size_t draws = group_.size();
    for (std::size_t i = 0; i < experiments_; ++i)
      KernelSums::add(weights, log_weights, group_, &kernel_[i * draws], &log_kernel_[i * draws],
                      largest_[i], i, value);
    return value;
  }

 private:
  std::size_t experiments_;
  std::vector<std::size_t> group_;
  std::vector<double> log_kernel_, kernel_;  // [experiment][draw]
  std::vector<double> largest_;              // log kernel of an experiment
};

class GaussianLikelihood : public EnsembleLikelihood {
 public:
  GaussianLikelihood(const Measurements& y, const Responses& q, std::vector<std::size_t> group)
      : y_(y), q_(q), group_(std::move(group)), centre_(q.numbers) {
    require_sizes(y, q, group_);
    // Second moments about the plain mean, so that little is lost in their differences.
    for (std::size_t j = 0; j < q.draws; ++j)
      for (std::size_t k = 0; k < q.numbers; ++k)
        centre_[k] += q.at(j, k) / static_cast<double>(q.draws);
  }

  LikelihoodValue evaluate(const std::vector<double>& log_weights) const override {
    LikelihoodValue value = impossible(y_.experiments);
    const Weights weights(log_weights, group_);
    if (!(weights.sum > 0)) return value;
    value.effective_size = weights.effective_size();
    value.effective_sizes.assign(y_.experiments, value.effective_size);
    const auto m = static_cast<Eigen::Index>(q_.numbers);
    std::vector<Eigen::VectorXd> first(draw_groups, Eigen::VectorXd::Zero(m));
    std::vector<Eigen::MatrixXd> second(draw_groups, Eigen::MatrixXd::Zero(m, m));
    Eigen::VectorXd x(m);
    for (std::size_t j = 0; j < q_.draws; ++j) {
      const double w = weights.values[j];
      if (w == 0) continue;
      for (Eigen::Index k = 0; k < m; ++k) {
        const auto number = static_cast<std::size_t>(k);
        x[k] = q_.at(j, number) - centre_[number];
      }
      first[group_[j]] += w * x;
      second[group_[j]] += w * x * x.transpose();
    }
    Eigen::VectorXd all_first = Eigen::VectorXd::Zero(m);
    Eigen::MatrixXd all_second = Eigen::MatrixXd::Zero(m, m);
    for (std::size_t g = 0; g < draw_groups; ++g) {
      all_first += first[g];
      all_second += second[g];
    }
    put(weights.sum, all_first, all_second, value.experiments.data());
    for (std::size_t g = 0; g < draw_groups; ++g)
      put(weights.sum - weights.by_group[g], all_first - first[g], all_second - second[g],
          &value.left_out[g * y_.experiments]);
    return value;
  }

 private:
  void put(double sum, const Eigen::VectorXd& first, const Eigen::MatrixXd& second,
           double* out) const {
    const Eigen::VectorXd mean = first / sum;
    Eigen::MatrixXd covariance = second / sum - mean * mean.transpose();
    for (Eigen::Index k = 0; k < covariance.rows(); ++k) {
      const double noise = y_.noise[static_cast<std::size_t>(k)];
      covariance(k, k) += noise * noise;
    }
    for (std::size_t i = 0; i < y_.experiments; ++i) out[i] = log_density(mean, covariance, i);
  }

  double log_density(const Eigen::VectorXd& mean, const Eigen::MatrixXd& covariance,
                     std::size_t i) const {
    std::vector<Eigen::Index> there;
    for (std::size_t k = 0; k < y_.numbers; ++k)
      if (!std::isnan(y_.at(i, k))) there.push_back(static_cast<Eigen::Index>(k));
    const auto n = static_cast<Eigen::Index>(there.size());
    Eigen::VectorXd difference(n);
    Eigen::MatrixXd part(n, n);
    for (Eigen::Index a = 0; a < n; ++a) {
      const auto k = static_cast<std::size_t>(there[static_cast<std::size_t>(a)]);
      difference[a] = y_.at(i, k) - centre_[k] - mean[static_cast<Eigen::Index>(k)];
      for (Eigen::Index b = 0; b < n; ++b)
        part(a, b) = covariance(static_cast<Eigen::Index>(k), there[static_cast<std::size_t>(b)]);
    }
    const Eigen::LLT<Eigen::MatrixXd> factor(part);
    if (factor.info() != Eigen::Success) return minus_infinity;
    double log_determinant = 0;
    for (Eigen::Index a = 0; a < n; ++a) log_determinant += 2 * std::log(factor.matrixL()(a, a));
    return -0.5 * (static_cast<double>(n) * log_two_pi + log_determinant +
                   difference.dot(factor.solve(difference)));
  }

  const Measurements y_;
  const Responses q_;
  std::vector<std::size_t> group_;
  std::vector<double> centre_;
};

class KernelLikelihood : public EnsembleLikelihood {
 public:
  KernelLikelihood(const Measurements& y, const Responses& q, std::vector<std::size_t> group)
      : y_(y), q_(q), group_(std::move(group)) {
    require_sizes(y, q, group_);
    if (y.numbers > 2)
      throw std::invalid_argument(
          "a density from kernels is for one or two numbers: with more, draws are too far apart");
  }

  LikelihoodValue evaluate(const std::vector<double>& log_weights) const override {
    LikelihoodValue value = impossible(y_.experiments);
    const Weights weights(log_weights, group_);
    if (!(weights.sum > 0)) return value;
    value.effective_size = weights.effective_size();
    const std::vector<double> variances = kernel_variances(weights);
    std::vector<double> log_kernel(q_.draws), kernel(q_.draws);
    for (std::size_t i = 0; i < y_.experiments; ++i) {
      std::ranges::fill(log_kernel, 0.0);
      for (std::size_t k = 0; k < y_.numbers; ++k) {
        if (std::isnan(y_.at(i, k))) continue;
        for (std::size_t j = 0; j < q_.draws; ++j)
          log_kernel[j] += log_normal_density(y_.at(i, k) - q_.at(j, k), variances[k]);
      }
      const double largest = *std::ranges::max_element(log_kernel);
      for (std::size_t j = 0; j < q_.draws; ++j) kernel[j] = std::exp(log_kernel[j] - largest);
      KernelSums::add(weights, log_weights, group_, kernel.data(), log_kernel.data(), largest, i,
                      value);
    }
    return value;
  }

 private:
  std::vector<double> kernel_variances(const Weights& weights) const {
    const auto d = static_cast<double>(y_.numbers);
    const double factor =
        std::pow(4 / ((d + 2) * std::max(weights.effective_size(), 1.0)), 1 / (d + 4));
    std::vector<double> result(y_.numbers);
    for (std::size_t k = 0; k < y_.numbers; ++k) {
      double mean = 0, variance = 0;
      for (std::size_t j = 0; j < q_.draws; ++j) mean += weights.values[j] * q_.at(j, k);
      mean /= weights.sum;
      for (std::size_t j = 0; j < q_.draws; ++j)
        variance += weights.values[j] * (q_.at(j, k) - mean) * (q_.at(j, k) - mean);
      variance /= weights.sum;
      result[k] = factor * factor * variance + y_.noise[k] * y_.noise[k];
      // All weight on one draw: nothing is known of the spread.
      if (!(result[k] > 0)) result[k] = std::numeric_limits<double>::min();
    }
    return result;
  }

  const Measurements y_;
  const Responses q_;
  std::vector<std::size_t> group_;
};

}  // namespace

double LikelihoodValue::total() const {
  return std::accumulate(experiments.begin(), experiments.end(), 0.0);
}

double LikelihoodValue::total(const std::vector<double>& counts) const {
  double sum = 0;
  for (std::size_t i = 0; i < experiments.size(); ++i)
    if (counts[i] > 0) sum += counts[i] * experiments[i];
  return sum;
}

std::vector<double> LikelihoodValue::differences() const {
  const std::size_t n = experiments.size();
  std::vector<double> result(n == 0 ? 0 : left_out.size() / n);
  for (std::size_t g = 0; g < result.size(); ++g)
    for (std::size_t i = 0; i < n; ++i) result[g] += left_out[g * n + i] - experiments[i];
  return result;
}

double jackknife_error(const std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double x : values) squares += (x - mean) * (x - mean);
  return std::sqrt((n - 1) / n * squares);
}

std::unique_ptr<EnsembleLikelihood> marginal_likelihood(const Measurements& measurements,
                                                        const Responses& responses,
                                                        std::vector<std::size_t> group) {
  if (std::ranges::any_of(measurements.noise, [](double s) { return !(s > 0); }))
    throw std::invalid_argument("the marginal likelihood needs the noise of every number");
  return std::make_unique<MarginalLikelihood>(measurements, responses, std::move(group));
}

std::unique_ptr<EnsembleLikelihood> gaussian_likelihood(const Measurements& measurements,
                                                        const Responses& responses,
                                                        std::vector<std::size_t> group) {
  return std::make_unique<GaussianLikelihood>(measurements, responses, std::move(group));
}

std::unique_ptr<EnsembleLikelihood> kernel_likelihood(const Measurements& measurements,
                                                      const Responses& responses,
                                                      std::vector<std::size_t> group) {
  return std::make_unique<KernelLikelihood>(measurements, responses, std::move(group));
}

}  // namespace tumble
