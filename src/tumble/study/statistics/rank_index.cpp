#include "tumble/study/statistics/rank_index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace tumble {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// In the order of x, which of equal ones is that of the sample.
std::vector<double> in_order(std::span<const double> x, std::span<const double> deviations,
                             std::vector<std::size_t> places) {
  std::ranges::stable_sort(places, {}, [&](std::size_t i) { return x[i]; });
  std::vector<double> y;
  for (const std::size_t i : places) y.push_back(deviations[i]);
  return y;
}

RatioEstimate of_independent_values(const std::vector<double>& y, double level) {
  std::vector<double> products, squares;
  for (std::size_t j = 0; j + 1 < y.size(); ++j) {
    products.push_back(y[j] * y[j + 1]);
    squares.push_back((y[j] * y[j] + y[j + 1] * y[j + 1]) / 2);
  }
  const auto sum = [](const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
  };
  const double variance = sum(squares), value = sum(products) / variance;
  std::vector<double> p(products.size());
  for (std::size_t j = 0; j < p.size(); ++j) p[j] = products[j] - value * squares[j];
  double own = 0, shared = 0;
  for (const double each : p) own += each * each;
  for (std::size_t j = 0; j + 4 < p.size(); ++j)
    shared += (p[j] - p[j + 3]) * (p[j + 1] - p[j + 4]) / 2;
  const double error = std::sqrt(std::max(own + 2 * shared, own / 4)) / variance;
  const double t = ControlledRatios::t_of(y.size(), level);
  return {value, error, {value - t * error, value + t * error}};
}

}  // namespace

RatioEstimate rank_index(std::span<const double> x, std::span<const double> y, double level,
                         std::uint64_t copies, std::span<const std::size_t> numbers) {
  const auto n = static_cast<double>(y.size());
  const double mean = std::accumulate(y.begin(), y.end(), 0.0) / n;
  std::vector<double> deviations;
  double size = 0, squares = 0;
  for (const double each : y) {
    size = std::max(size, std::abs(each));
    deviations.push_back(each - mean);
    squares += deviations.back() * deviations.back();
  }
  const double deviation = std::sqrt(squares / n);
  if (!(deviation > 1e-12 * size)) return {unknown, unknown, {unknown, unknown}};
  for (double& each : deviations) each /= deviation;
  if (copies == 0) {
    std::vector<std::size_t> all(y.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return of_independent_values(in_order(x, deviations, std::move(all)), level);
  }
  std::vector<std::vector<std::size_t>> members(copies);
  for (std::size_t i = 0; i < y.size(); ++i) members[numbers[i] % copies].push_back(i);
  ControlledRatios ratio(1);
  for (std::vector<std::size_t>& copy : members) {
    const std::vector<double> ordered = in_order(x, deviations, std::move(copy));
    double products = 0, variances = 0;
    for (std::size_t j = 0; j + 1 < ordered.size(); ++j) {
      products += ordered[j] * ordered[j + 1];
      variances += (ordered[j] * ordered[j] + ordered[j + 1] * ordered[j + 1]) / 2;
    }
    ratio.add(0, products, variances, 0);
  }
  const double t = copies < 4 ? unknown : student_quantile(static_cast<double>(copies - 1), level);
  return ratio.estimate(0, copies, t);
}

}  // namespace tumble
