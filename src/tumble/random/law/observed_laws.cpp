// Laws made of given values: discrete ones, and those of a sample.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "tumble/random/law/law_kernel.hpp"

namespace tumble {
namespace {

void check_values(std::string_view law, const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw std::invalid_argument(
          fmt::format("{}: values[{}] = {} must be a finite number", law, i, values[i]));
}

class DiscreteKernel : public LawKernel {
 public:
  /// `atoms` are values and weights; equal values are one.
  explicit DiscreteKernel(std::vector<std::pair<double, double>> atoms) {
    std::sort(atoms.begin(), atoms.end());
    double total = 0;
    for (const auto& [value, weight] : atoms) total += weight;
    for (const auto& [value, weight] : atoms) {
      if (weight == 0) continue;
      if (values_.empty() || value != values_.back()) {
        values_.push_back(value);
        probabilities_.push_back(0);
      }
      probabilities_.back() += weight / total;
    }
    const std::size_t n = values_.size();
    at_or_below_.resize(n);
    above_.resize(n);
    // Each tail is added up from its own end, where it is small.
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) at_or_below_[k] = sum += probabilities_[k];
    sum = 0;
    for (std::size_t k = n; k-- > 0;) {
      above_[k] = sum;
      sum += probabilities_[k];
    }
    for (std::size_t k = 0; k < n; ++k) mean_ += probabilities_[k] * values_[k];
    for (std::size_t k = 0; k < n; ++k)
      variance_ += probabilities_[k] * (values_[k] - mean_) * (values_[k] - mean_);
  }

  std::vector<NamedValue> parameters() const override {
    return {{"values", static_cast<double>(values_.size())}};
  }
  Support support() const override { return {values_.front(), values_.back()}; }
  double mean() const override { return mean_; }
  double variance() const override { return variance_; }
  bool has_density() const override { return false; }
  double pdf(double) const override { throw std::logic_error("a discrete law has no density"); }
  double cdf(double x) const override { return at_or_below_[last_at_or_below(x)]; }
  double cdf_upper(double x) const override { return above_[last_at_or_below(x)]; }
  double quantile(double p) const override {
    const auto found = std::lower_bound(at_or_below_.begin(), at_or_below_.end(), p);
    // Rounding may leave the last sum below 1.
    return found == at_or_below_.end() ? values_.back() : values_[index(at_or_below_, found)];
  }
  double quantile_upper(double q) const override {
    const auto found =
        std::partition_point(above_.begin(), above_.end(), [q](double a) { return a > q; });
    return values_[index(above_, found)];  // the last of above_ is 0
  }
  std::vector<double> breakpoints() const override {
    return {at_or_below_.begin(), at_or_below_.end() - 1};
  }
  std::vector<Atom> atoms() const override {
    std::vector<Atom> list;
    for (std::size_t k = 0; k < values_.size(); ++k)
      list.push_back({values_[k], probabilities_[k]});
    return list;
  }

 private:
  template <class Iterator>
  static std::size_t index(const std::vector<double>& list, Iterator place) {
    return static_cast<std::size_t>(place - list.begin());
  }
  std::size_t last_at_or_below(double x) const {
    return index(values_, std::upper_bound(values_.begin(), values_.end(), x)) - 1;
  }

  std::vector<double> values_, probabilities_;
  std::vector<double> at_or_below_, above_;  ///< P(X <= value), P(X > value)
  double mean_ = 0, variance_ = 0;
};

/// The quantile function is linear between the sorted values: number 7 of R. J. Hyndman, Y. Fan,
/// "Sample quantiles in statistical packages", The American Statistician 50 (1996).
class LinearEmpiricalKernel : public LawKernel {
 public:
  explicit LinearEmpiricalKernel(std::vector<double> values) : values_(std::move(values)) {
    std::sort(values_.begin(), values_.end());
    gaps_ = static_cast<double>(values_.size() - 1);
    has_ties_ = std::adjacent_find(values_.begin(), values_.end()) != values_.end();
    // Between neighbours a and b the variable is uniform: mean (a + b) / 2, and E{(X - m)^2} =
    // (c^2 + c d + d^2) / 3 with c = a - m, d = b - m.
    for (std::size_t k = 0; k + 1 < values_.size(); ++k)
      mean_ += 0.5 * (values_[k] + values_[k + 1]) / gaps_;
    for (std::size_t k = 0; k + 1 < values_.size(); ++k) {
      const double c = values_[k] - mean_, d = values_[k + 1] - mean_;
      variance_ += (c * c + c * d + d * d) / (3 * gaps_);
    }
  }

  std::vector<NamedValue> parameters() const override { return {{"values", gaps_ + 1}}; }
  Support support() const override { return {values_.front(), values_.back()}; }
  double mean() const override { return mean_; }
  double variance() const override { return variance_; }
  bool has_density() const override { return !has_ties_; }
  /// That of the gap to the right of x; at the largest value, to the left.
  double pdf(double x) const override {
    const std::size_t k = std::min(last_at_or_below(x), values_.size() - 2);
    return 1 / (gaps_ * (values_[k + 1] - values_[k]));
  }
  // Asked for x below the largest value only, so that there is a gap to the right of x.
  double cdf(double x) const override {
    const std::size_t k = last_at_or_below(x);
    return (static_cast<double>(k) + (x - values_[k]) / (values_[k + 1] - values_[k])) / gaps_;
  }
  double cdf_upper(double x) const override {
    const std::size_t k = last_at_or_below(x);
    return (gaps_ - 1 - static_cast<double>(k) +
            (values_[k + 1] - x) / (values_[k + 1] - values_[k])) /
           gaps_;
  }
  double quantile(double p) const override {
    const double place = p * gaps_, k = std::min(std::floor(place), gaps_ - 1);
    const auto i = static_cast<std::size_t>(k);
    return std::min(values_[i] + (place - k) * (values_[i + 1] - values_[i]), values_[i + 1]);
  }
  double quantile_upper(double q) const override {
    const double place = q * gaps_, k = std::min(std::floor(place), gaps_ - 1);
    const std::size_t i = values_.size() - 1 - static_cast<std::size_t>(k);
    return std::max(values_[i] - (place - k) * (values_[i] - values_[i - 1]), values_[i - 1]);
  }
  std::vector<double> breakpoints() const override {
    std::vector<double> places;
    for (std::size_t k = 1; k + 1 < values_.size(); ++k)
      places.push_back(static_cast<double>(k) / gaps_);
    return places;
  }

 private:
  std::size_t last_at_or_below(double x) const {
    return static_cast<std::size_t>(std::upper_bound(values_.begin(), values_.end(), x) -
                                    values_.begin()) -
           1;
  }

  std::vector<double> values_;
  double gaps_ = 0;  ///< number of intervals between neighbours
  bool has_ties_ = false;
  double mean_ = 0, variance_ = 0;
};

}  // namespace

Kernel make_kernel(const EmpiricalLaw& law) {
  check_values(law.type, law.values);
  if (law.values.size() < 2)
    throw std::invalid_argument(
        fmt::format("empirical: {} value(s) given; at least 2 are needed", law.values.size()));
  if (std::all_of(law.values.begin(), law.values.end(),
                  [&](double v) { return v == law.values.front(); }))
    throw std::invalid_argument(fmt::format(
        "empirical: all values are {}: that is a number, not a random one", law.values.front()));
  if (law.interpolation == EmpiricalLaw::Interpolation::linear)
    return std::make_unique<LinearEmpiricalKernel>(law.values);
  std::vector<std::pair<double, double>> atoms;
  for (const double value : law.values) atoms.emplace_back(value, 1);
  return std::make_unique<DiscreteKernel>(std::move(atoms));
}

Kernel make_kernel(const DiscreteLaw& law) {
  check_values(law.type, law.values);
  if (law.values.empty()) throw std::invalid_argument("discrete: values are missing");
  if (!law.weights.empty() && law.weights.size() != law.values.size())
    throw std::invalid_argument(fmt::format("discrete: {} weights for {} values; give one for each",
                                            law.weights.size(), law.values.size()));
  std::vector<std::pair<double, double>> atoms;
  bool any = false;
  for (std::size_t i = 0; i < law.values.size(); ++i) {
    const double weight = law.weights.empty() ? 1 : law.weights[i];
    if (!(weight >= 0 && std::isfinite(weight)))
      throw std::invalid_argument(
          fmt::format("discrete: weights[{}] = {} must be a finite number, at least 0", i, weight));
    any = any || weight > 0;
    atoms.emplace_back(law.values[i], weight);
  }
  if (!any) throw std::invalid_argument("discrete: all weights are 0; one must be positive");
  return std::make_unique<DiscreteKernel>(std::move(atoms));
}

}  // namespace tumble
