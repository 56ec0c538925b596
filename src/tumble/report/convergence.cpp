// How results settled as realisations came in: the mean-square curve of the paper, which the
// results hold, and mean and quantiles of the largest size each quantity reached in a run.
#include <algorithm>
#include <cmath>

#include "tumble/report/curves.hpp"
#include "tumble/study/quantiles/quantile_rule.hpp"

namespace tumble::report {
namespace {

/// The component that is spread most, at the time where it is.
std::size_t widest_axis(const ResultsView& results, const ProbedQuantity& q) {
  const auto std = results.numbers(q.prefix + "_std").value_or(std::vector<double>{});
  const auto most = std::max_element(std.begin(), std.end(), [](double a, double b) {
    return !std::isnan(b) && (std::isnan(a) || a < b);
  });
  return std.empty() ? 0 : static_cast<std::size_t>(most - std.begin()) % q.axes.size();
}

/// Mean and quantiles settle long before; memory must not grow with the study.
constexpr std::size_t most_realizations = 65536;

/// max |x(t)| of the first realisations in the order of their numbers; NaN where one failed.
std::vector<double> largest_sizes(const ResultsView& results, const ProbedQuantity& q,
                                  std::size_t axis) {
  std::vector<double> sizes(std::min(results.realizations(), most_realizations), 0);
  for (const char* end : {"_peak_max", "_peak_min"}) {
    const NetcdfReader::Variable* variable = results.file().find(q.prefix + end);
    if (variable == nullptr) return {};
    results.for_each_realization(
        *variable, [&](std::size_t first, const double* values, std::size_t count) {
          for (std::size_t i = 0; i < count && first + i < sizes.size(); ++i) {
            const double value = std::abs(values[i * q.axes.size() + axis]);
            double& size = sizes[first + i];
            size = std::isnan(value) ? value : std::max(size, value);
          }
        });
  }
  results.for_each_status([&](std::size_t number, std::uint8_t status) {
    if (status != 0 && number < sizes.size()) sizes[number] = std::nan("");
  });
  return sizes;
}

/// Mean, its standard error and quantiles of the first n numbers, for each n asked for. The error
/// is that of independent numbers.
Json settling(const std::vector<double>& values, const std::vector<double>& n,
              const std::vector<double>& probabilities, Blob& blob) {
  std::vector<double> mean, error, quantiles(probabilities.size() * n.size(), std::nan(""));
  std::vector<double> sorted;  // the first numbers of `values`, those that are any
  std::size_t next = 0;
  for (std::size_t k = 0; k < n.size(); ++k) {
    if (static_cast<std::size_t>(n[k]) > values.size()) {
      mean.push_back(std::nan(""));
      error.push_back(std::nan(""));
      continue;
    }
    const auto old = static_cast<std::ptrdiff_t>(sorted.size());
    for (; next < static_cast<std::size_t>(n[k]); ++next)
      if (!std::isnan(values[next])) sorted.push_back(values[next]);
    std::sort(sorted.begin() + old, sorted.end());
    std::inplace_merge(sorted.begin(), sorted.begin() + old, sorted.end());
    const auto count = static_cast<double>(sorted.size());
    double sum = 0, squares = 0;
    for (const double value : sorted) sum += value;
    for (const double value : sorted) squares += std::pow(value - sum / count, 2);
    mean.push_back(sum / count);
    error.push_back(std::sqrt(squares / (count - 1) / count));
    if (sorted.empty()) continue;
    for (std::size_t i = 0; i < probabilities.size(); ++i) {
      const QuantilePosition at(sorted.size(), probabilities[i]);
      quantiles[i * n.size() + k] = at.interpolate(sorted[at.lower], sorted[at.upper]);
    }
  }
  const Shape shape{n.size()};
  return {{"mean", blob.f64(mean, shape)},
          {"mean_se", blob.f64(error, shape)},
          {"quantile", blob.f64(quantiles, {probabilities.size(), n.size()})}};
}

}  // namespace

Json convergence(const ResultsView& results, Blob& blob) {
  const auto n = results.numbers("convergence_n");
  if (!n || n->empty()) return nullptr;
  Json json{{"n", blob.f64(*n, {n->size()})}, {"curves", Json::array()}};
  const std::vector<double> probabilities = page_quantiles(results);
  for (std::size_t i = 0; i < results.quantities().size(); ++i) {
    const ProbedQuantity& q = results.quantities()[i];
    const std::size_t axis = widest_axis(results, q);
    const std::vector<double> sizes = largest_sizes(results, q, axis);
    if (!sizes.empty()) {
      Json entry{{"curve", i}, {"axis", axis}};
      entry.update(settling(sizes, *n, probabilities, blob));
      if (results.method() != "monte-carlo" && results.method() != "table") entry.erase("mean_se");
      json["curves"].push_back(std::move(entry));
    }
    const auto curve = results.numbers(q.prefix + "_convergence");
    const auto error = results.numbers(q.prefix + "_convergence_se");
    if (!curve || !error) continue;
    json["curves"].push_back({{"curve", i},
                              {"axis", -1},
                              {"mean_square", blob.f64(*curve, {curve->size()})},
                              {"mean_se", blob.f64(*error, {error->size()})}});
  }
  return json;
}

}  // namespace tumble::report
