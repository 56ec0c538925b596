#include "tumble/identify/estimate.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>

#include "tumble/random/stream/stream.hpp"
#include "tumble/random/stream/variable_id.hpp"

namespace tumble {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Remembers what was asked before: profiles come back to the same points.
class Memory {
 public:
  explicit Memory(const LikelihoodFunction& f) : f_(f) {}
  const LikelihoodValue& at(const std::vector<double>& x) {
    const auto found = known_.find(x);
    if (found != known_.end()) return *found->second;
    return *known_.emplace(x, std::make_unique<LikelihoodValue>(f_(x))).first->second;
  }
  double operator()(const std::vector<double>& x) { return at(x).total(); }

 private:
  const LikelihoodFunction& f_;
  std::map<std::vector<double>, std::unique_ptr<LikelihoodValue>> known_;
};

class Estimation {
 public:
  Estimation(const LikelihoodFunction& likelihood, const ParameterBox& box,
             const EstimateOptions& options)
      : memory_(likelihood), box_(box), options_(options) {}

  Estimate run() {
    search();
    // A profile may find more than the search did; then everything is compared with that.
    for (int again = 0; again < 5; ++again) {
      result_ = {};
      result_.parameters.resize(box_.size());
      better_ = false;
      for (std::size_t k = 0; k < box_.size() && !better_; ++k) find_interval(k);
      if (!better_) break;
    }
    result_.log_likelihood = best_.value;
    result_.at_estimate = memory_.at(best_.at);
    result_.log_likelihood_error = jackknife_error(result_.at_estimate.differences());
    find_information();
    for (std::size_t k = 0; k < box_.size(); ++k) find_profile(k);
    return std::move(result_);
  }

 private:
  SearchOptions search_options() const { return {options_.tolerance, 0.15, 2000}; }

  void search() {
    std::vector<double> first = options_.start;
    if (first.empty())
      for (std::size_t i = 0; i < box_.size(); ++i)
        first.push_back(0.5 * (box_.lower[i] + box_.upper[i]));
    best_ = maximize([this](const auto& x) { return memory_(x); }, box_,
                     spread_starts(box_, first, options_.starts), search_options());
    if (!std::isfinite(best_.value))
      throw std::runtime_error(
          "the likelihood is zero wherever it was looked at: the measurements are impossible for "
          "these ranges of the parameters");
  }

  /// The others at their best while parameter k has a value; the search begins at `near`.
  Maximum profile(std::size_t k, double value, const std::vector<double>& near) {
    std::vector<double> x = near;
    x[k] = value;
    if (box_.size() == 1) return noted({x, memory_(x)});
    ParameterBox others;
    std::vector<double> start;
    for (std::size_t i = 0; i < box_.size(); ++i) {
      if (i == k) continue;
      others.lower.push_back(box_.lower[i]);
      others.upper.push_back(box_.upper[i]);
      start.push_back(x[i]);
    }
    const auto whole = [&](const std::vector<double>& part) {
      std::vector<double> all = x;
      for (std::size_t i = 0, j = 0; i < all.size(); ++i)
        if (i != k) all[i] = part[j++];
      return all;
    };
    SearchOptions options = search_options();
    options.first_step = 0.05;
    options.tolerance = std::max(options_.tolerance, 1e-5);
    const Maximum found =
        maximize([&](const auto& part) { return memory_(whole(part)); }, others, {start}, options);
    return noted({whole(found.at), found.value});
  }

  Maximum noted(Maximum found) {
    if (found.value > best_.value + 1e-6) {
      best_ = found;
      better_ = true;
    }
    return found;
  }

  struct End {
    double value = 0;
    bool at_bound = false;
    Maximum profile;
  };

  /// Where the profile of parameter k has fallen by half the quantile, on one side of the estimate.
  End find_end(std::size_t k, double direction) {
    const double bound = direction > 0 ? box_.upper[k] : box_.lower[k];
    const double threshold = best_.value - 0.5 * options_.laws[k].quantile(options_.level);
    Maximum inside = best_;
    double outside = bound, step = 0.02 * box_.width(k);
    bool crossed = false;
    while (!crossed) {
      const double next = inside.at[k] + direction * step;
      const bool last = direction * (next - bound) >= 0;
      const double at = last ? bound : next;
      if (at == inside.at[k]) return {bound, true, inside};
      const Maximum there = profile(k, at, inside.at);
      if (better_) return {};
      if (there.value >= threshold) {
        inside = there;
        if (last) return {bound, true, there};
        step *= 1.5;
      } else {
        outside = at;
        crossed = true;
      }
    }
    double a = inside.at[k], b = outside;
    double fa = inside.value - threshold;
    double fb = profile(k, b, inside.at).value - threshold;
    // Regula falsi of Illinois where the profile is finite, bisection where it is not.
    int side = 0;
    for (int i = 0; i < 100 && std::abs(b - a) > options_.end_tolerance * box_.width(k); ++i) {
      double middle = 0.5 * (a + b);
      if (std::isfinite(fb) && i % 4 != 3) middle = (a * fb - b * fa) / (fb - fa);
      const Maximum there = profile(k, middle, inside.at);
      if (better_) return {};
      const double f = there.value - threshold;
      if (f >= 0) {
        a = middle;
        fa = f;
        inside = there;
        if (side == 1) fb *= 0.5;
        side = 1;
      } else {
        b = middle;
        fb = f;
        if (side == -1) fa *= 0.5;
        side = -1;
      }
    }
    return {a, false, inside};
  }

  void find_interval(std::size_t k) {
    ParameterEstimate& p = result_.parameters[k];
    p.value = best_.at[k];
    const End lower = find_end(k, -1), upper = better_ ? End{} : find_end(k, 1);
    if (better_) return;
    p.lower = lower.value;
    p.lower_at_bound = lower.at_bound;
    p.upper = upper.value;
    p.upper_at_bound = upper.at_bound;
    ends_.resize(box_.size());
    ends_[k] = {lower, upper};
  }

  /// Steps of differences: some hundredths of the interval, but not out of the box.
  double step(std::size_t k) const {
    const ParameterEstimate& p = result_.parameters[k];
    const double inside = std::min(p.value - box_.lower[k], box_.upper[k] - p.value);
    return std::min(0.03 * (p.upper - p.lower), inside);
  }

  std::vector<double> moved(std::size_t k, double by, std::size_t l = 0, double also = 0) const {
    std::vector<double> x = best_.at;
    x[k] += by;
    if (also != 0) x[l] += also;
    return x;
  }

  void find_information() {
    const std::size_t d = box_.size();
    const auto size = static_cast<Eigen::Index>(d);
    Eigen::MatrixXd information = Eigen::MatrixXd::Constant(size, size, nan);
    Eigen::MatrixXd slopes = Eigen::MatrixXd::Constant(size, draw_groups, nan);
    for (std::size_t k = 0; k < d; ++k) {
      const auto i = static_cast<Eigen::Index>(k);
      const double h = step(k);
      if (!(h > 1e-9 * box_.width(k))) continue;  // at a bound
      const LikelihoodValue &right = memory_.at(moved(k, h)), &left = memory_.at(moved(k, -h));
      information(i, i) = -(right.total() - 2 * best_.value + left.total()) / (h * h);
      const std::vector<double> a = right.differences(), b = left.differences();
      for (std::size_t g = 0; g < a.size(); ++g)
        slopes(i, static_cast<Eigen::Index>(g)) = (a[g] - b[g]) / (2 * h);
      for (std::size_t l = 0; l < k; ++l) {
        const double hl = step(l);
        if (!(hl > 1e-9 * box_.width(l))) continue;
        const double mixed = (memory_(moved(k, h, l, hl)) - memory_(moved(k, h, l, -hl)) -
                              memory_(moved(k, -h, l, hl)) + memory_(moved(k, -h, l, -hl))) /
                             (4 * h * hl);
        const auto j = static_cast<Eigen::Index>(l);
        information(i, j) = information(j, i) = -mixed;
      }
    }
    for (Eigen::Index i = 0; i < size; ++i)
      for (Eigen::Index j = 0; j < size; ++j) result_.fisher.push_back(information(i, j));
    const Eigen::LLT<Eigen::MatrixXd> factor(information);
    const bool regular = information.allFinite() && factor.info() == Eigen::Success;
    const Eigen::MatrixXd covariance =
        regular ? Eigen::MatrixXd(factor.solve(Eigen::MatrixXd::Identity(size, size)))
                : Eigen::MatrixXd::Constant(size, size, nan);
    // Without a group of draws the maximum moves by H^-1 grad(log L_without - log L), to first
    // order.
    const Eigen::MatrixXd shifts = covariance * slopes;
    const bool exact = result_.at_estimate.left_out.empty();
    for (std::size_t k = 0; k < d; ++k) {
      const auto i = static_cast<Eigen::Index>(k);
      ParameterEstimate& p = result_.parameters[k];
      p.standard_error = std::sqrt(covariance(i, i));
      std::vector<double> shift;
      for (Eigen::Index g = 0; g < shifts.cols(); ++g) shift.push_back(shifts(i, g));
      p.value_error = exact ? 0 : jackknife_error(shift);
      p.lower_error = end_error(k, ends_[k][0]);
      p.upper_error = end_error(k, ends_[k][1]);
    }
  }

  /// An end moves by the change of log L_profile(end) - log L over the slope of the profile there.
  double end_error(std::size_t k, const End& end) {
    if (result_.at_estimate.left_out.empty() || end.at_bound) return 0;
    const double h = 0.02 * std::abs(end.value - best_.at[k]);
    const double out = end.value + (end.value > best_.at[k] ? h : -h);
    const double in = end.value - (end.value > best_.at[k] ? h : -h);
    if (h == 0 || out > box_.upper[k] || out < box_.lower[k]) return nan;
    const double slope =
        (profile(k, out, end.profile.at).value - profile(k, in, end.profile.at).value) / (out - in);
    const std::vector<double> there = memory_.at(end.profile.at).differences(),
                              here = result_.at_estimate.differences();
    std::vector<double> shift(there.size());
    for (std::size_t g = 0; g < shift.size(); ++g) shift[g] = (there[g] - here[g]) / slope;
    return jackknife_error(shift);
  }

  /// From a little below the interval to a little above, the estimate itself among the points.
  void find_profile(std::size_t k) {
    ParameterEstimate& p = result_.parameters[k];
    const double from = std::max(box_.lower[k], p.value - 1.4 * (p.value - p.lower));
    const double to = std::min(box_.upper[k], p.value + 1.4 * (p.upper - p.value));
    std::vector<double> left, right;
    const std::size_t half = options_.points / 2;
    for (std::size_t i = 1; i <= half; ++i) {
      const double share = static_cast<double>(i) / static_cast<double>(half);
      if (from < p.value) left.push_back(p.value + share * (from - p.value));
      if (to > p.value) right.push_back(p.value + share * (to - p.value));
    }
    const auto walk = [&](const std::vector<double>& places) {
      std::vector<double> values;
      std::vector<double> near = best_.at;
      for (const double x : places) {
        const Maximum there = profile(k, x, near);
        near = there.at;
        values.push_back(there.value);
      }
      return values;
    };
    const std::vector<double> below = walk(left), above = walk(right);
    for (std::size_t i = left.size(); i-- > 0;) {
      p.profile_at.push_back(left[i]);
      p.profile.push_back(below[i]);
    }
    p.profile_at.push_back(p.value);
    p.profile.push_back(best_.value);
    for (std::size_t i = 0; i < right.size(); ++i) {
      p.profile_at.push_back(right[i]);
      p.profile.push_back(above[i]);
    }
  }

  Memory memory_;
  const ParameterBox& box_;
  const EstimateOptions& options_;
  Maximum best_;
  bool better_ = false;
  std::vector<std::array<End, 2>> ends_;
  Estimate result_;
};

}  // namespace

double ReferenceLaw::quantile(double level) const {
  return 2 * boost::math::gamma_p_inv(0.5 * degrees, level);
}

std::vector<double> Estimate::values() const {
  std::vector<double> all;
  for (const ParameterEstimate& p : parameters) all.push_back(p.value);
  return all;
}

Estimate estimate(const LikelihoodFunction& likelihood, const ParameterBox& box,
                  const EstimateOptions& options) {
  EstimateOptions complete = options;
  complete.laws.resize(box.size());
  return Estimation(likelihood, box, complete).run();
}

std::vector<double> bootstrap(const LikelihoodFunction& likelihood, const ParameterBox& box,
                              const Estimate& found, std::size_t experiments,
                              std::size_t repetitions, std::uint64_t seed) {
  std::vector<double> all;
  const std::uint64_t variable = variable_id("identification bootstrap");
  SearchOptions options{1e-4, 0.05, 300};
  for (std::size_t r = 0; r < repetitions; ++r) {
    const Stream stream(seed, r, variable);
    std::vector<double> counts(experiments);
    for (std::size_t i = 0; i < experiments; ++i)
      counts[static_cast<std::size_t>(stream.uniform(i) * static_cast<double>(experiments))] += 1;
    const Maximum best = maximize([&](const auto& x) { return likelihood(x).total(counts); }, box,
                                  {found.values()}, options);
    all.insert(all.end(), best.at.begin(), best.at.end());
  }
  return all;
}

}  // namespace tumble
