#include "tumble/study/statistics/variability_response.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tumble/study/statistics/confidence_interval.hpp"

namespace tumble {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Points and weights of Gauss and Legendre on (-1, 1), of order 16.
constexpr std::array<double, 8> gauss_place{
    -0.9602898564975363, -0.7966664774136267, -0.5255324099163290, -0.1834346424956498,
    0.1834346424956498,  0.5255324099163290,  0.7966664774136267,  0.9602898564975363};
constexpr std::array<double, 8> gauss_weight{
    0.1012285362903763, 0.2223810344533745, 0.3137066458778873, 0.3626837833783620,
    0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};

/// Of `count` values at multiples of `spacing`, the last at the end of the waves.
std::vector<double> weights_of(std::size_t count, double spacing,
                               const std::function<double(double)>& spectral_density) {
  std::vector<double> weights(count, 0.0);
  const auto last = static_cast<std::ptrdiff_t>(count) - 1;
  constexpr int pieces = 8;  // a spectrum may be narrower than the waves are apart
  for (std::ptrdiff_t i = 0; i < last; ++i) {
    // Through the values at i - 1, ..., i + 2; an even function has at -1 what it has at 1.
    const std::ptrdiff_t first = std::min(i - 1, last - 3);
    for (int piece = 0; piece < pieces; ++piece)
      for (std::size_t g = 0; g < gauss_place.size(); ++g) {
        const double x = static_cast<double>(i) + (piece + 0.5 * (1 + gauss_place[g])) / pieces;
        // Both signs of the wave number.
        const double measure =
            2 * spectral_density(x * spacing) * 0.5 * gauss_weight[g] * spacing / pieces;
        for (std::ptrdiff_t k = 0; k < 4; ++k) {
          double cardinal = 1;
          for (std::ptrdiff_t j = 0; j < 4; ++j)
            if (j != k)
              cardinal *= (x - static_cast<double>(first + j)) / static_cast<double>(k - j);
          weights[static_cast<std::size_t>(std::abs(first + k))] += measure * cardinal;
        }
      }
  }
  return weights;
}

double sum(const std::vector<double>& weights) {
  double total = 0;
  for (const double w : weights) total += w;
  return total;
}

/// Mean and standard deviation (n) of what was added.
struct Spread {
  double n = 0, mean = 0, squares = 0;
  void add(double x) {
    n += 1;
    const double change = x - mean;
    mean += change / n;
    squares += change * (x - mean);
  }
  void add(const Spread& other) {
    if (other.n == 0) return;
    const double all = n + other.n, change = other.mean - mean;
    squares += other.squares + change * change * n * other.n / all;
    mean += change * other.n / all;
    n = all;
  }
  double variance() const { return n > 0 ? squares / n : nan; }
};

class ResponseBuilder {
 public:
  ResponseBuilder(const VariabilityPlan& plan, const StoredValues& values,
                  double interval_confidence)
      : plan_(plan), values_(values), outputs_(values.layout()->row()) {
    if (plan.copies > 1)
      factor_ = student_quantile(static_cast<double>(plan.copies - 1), interval_confidence);
  }

  VariabilityResponse compute() {
    look_at_waves();
    integrate();
    const std::uint64_t waves = plan_.wave_numbers.size() * plan_.phases;
    for (std::uint64_t law = 0; law < 2 && plan_.check > 0; ++law)
      found_.checks.push_back(
          look_at_fields(waves + law * plan_.check, 0.5 * plan_.variance_errors[law]));
    return std::move(found_);
  }

 private:
  bool whole(std::uint64_t run) const { return std::isfinite(values_.row(run)[outputs_ - 1]); }

  void look_at_waves() {
    const double scale = 1 / (plan_.std * plan_.std);
    for (std::uint64_t wave = 0; wave < plan_.wave_numbers.size(); ++wave) {
      std::vector<Spread> moments(outputs_);
      for (std::uint64_t p = 0; p < plan_.phases; ++p) {
        const double* row = values_.row(wave * plan_.phases + p);
        for (std::size_t o = 0; o < outputs_; ++o) moments[o].add(row[o]);  // NaN stays
        if (!whole(wave * plan_.phases + p)) ++found_.failed_waves;
      }
      std::vector<double>& variance = found_.dvrf.emplace_back();
      std::vector<double>& mean = found_.dmrf.emplace_back();
      for (const Spread& m : moments) {
        variance.push_back(scale * m.variance());
        mean.push_back(scale * m.mean);
      }
    }
  }

  void integrate() {
    const SpectrumWeights weights = spectrum_weights(plan_.wave_numbers, plan_.spectral_density);
    const double scale = plan_.std * plan_.std;
    found_.beyond = weights.beyond;
    for (std::size_t o = 0; o < outputs_; ++o) {
      double fine = 0, coarse = 0, mean = 0, largest = 0;
      for (std::size_t w = 0; w < weights.fine.size(); ++w) {
        const double response = found_.dvrf[w][o];
        fine += weights.fine[w] * response;
        mean += weights.fine[w] * found_.dmrf[w][o];
        if (w % 2 == 0) coarse += weights.coarse[w / 2] * response;
        largest = response > largest || std::isnan(response) ? response : largest;
      }
      found_.mean.push_back(scale * mean);
      found_.variance.push_back(scale * fine);
      found_.variance_error.push_back(
          scale * (std::fabs(fine - coarse) + std::fabs(weights.beyond) * largest));
      found_.variance_bound.push_back(scale * largest);
    }
  }

  /// Standard errors by leaving out one copy at a time (the jackknife), of the logarithm of the
  /// standard deviation.
  VariabilityCheck look_at_fields(std::uint64_t first, double field_error) {
    VariabilityCheck check;
    std::vector<std::vector<Spread>> copies(plan_.copies, std::vector<Spread>(outputs_));
    for (std::uint64_t i = 0; i < plan_.check; ++i) {
      if (!whole(first + i)) {
        ++check.failed;
        continue;
      }
      const double* row = values_.row(first + i);
      std::vector<Spread>& copy = copies[i % plan_.copies];
      for (std::size_t o = 0; o < outputs_; ++o) copy[o].add(row[o]);
    }
    const auto count = static_cast<double>(plan_.copies);
    for (std::size_t o = 0; o < outputs_; ++o) {
      Spread all;
      for (const auto& copy : copies) all.add(copy[o]);
      const double std = std::sqrt(all.variance());
      double squares = 0, logs = 0;
      std::vector<double> without(plan_.copies);
      for (std::uint64_t c = 0; c < plan_.copies; ++c) {
        Spread others;
        for (std::uint64_t d = 0; d < plan_.copies; ++d)
          if (d != c) others.add(copies[d][o]);
        without[c] = 0.5 * std::log(others.variance());
        logs += without[c] / count;
      }
      for (const double log : without) squares += (log - logs) * (log - logs);
      const double log_error = std > 0 ? std::sqrt((count - 1) / count * squares) : 0;
      const double ratio = std::sqrt(std::max(found_.variance[o], 0.0)) / std;
      check.mean.push_back(all.mean);
      check.std.push_back(std);
      check.std_se.push_back(std * log_error);
      check.conjecture_error.push_back(ratio - 1);
      const double apart = factor_ * log_error + field_error;
      check.conjecture_error_lower.push_back(ratio * std::exp(-apart) - 1);
      check.conjecture_error_upper.push_back(ratio * std::exp(apart) - 1);
    }
    return check;
  }

  const VariabilityPlan& plan_;
  const StoredValues& values_;
  const std::size_t outputs_;
  double factor_ = nan;
  VariabilityResponse found_;
};

}  // namespace

SpectrumWeights spectrum_weights(const std::vector<double>& wave_numbers,
                                 const std::function<double(double)>& spectral_density) {
  const double spacing = wave_numbers[1];
  SpectrumWeights weights;
  weights.fine = weights_of(wave_numbers.size(), spacing, spectral_density);
  weights.coarse = weights_of((wave_numbers.size() + 1) / 2, 2 * spacing, spectral_density);
  // Cubic polynomials hold constants: the weights add up to the share of S that the waves reach.
  weights.beyond = 1 - sum(weights.fine);
  weights.fine.back() += weights.beyond;
  weights.coarse.back() += 1 - sum(weights.coarse);
  return weights;
}

VariabilityResponse variability_response(const VariabilityPlan& plan, const StoredValues& values,
                                         double interval_confidence) {
  return ResponseBuilder(plan, values, interval_confidence).compute();
}

}  // namespace tumble
