#include "tumble/report/curves.hpp"

#include <algorithm>
#include <cmath>

#include "tumble/study/statistics/plain_statistics.hpp"

namespace tumble::report {
namespace {

/// The file has (1-Pc)/2, 0.5, (1+Pc)/2 and then what was asked for besides: places in the file in
/// the order of the page.
std::vector<std::size_t> quantile_order(std::size_t count) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < count; ++i)
    if (i != 2) order.push_back(i);
  if (count > 2) order.push_back(2);
  return order;
}

std::vector<double> reordered(const std::vector<double>& values, std::size_t count) {
  std::vector<double> result;
  const std::size_t size = values.size() / count;
  for (const std::size_t i : quantile_order(count))
    result.insert(result.end(), values.begin() + static_cast<std::ptrdiff_t>(i * size),
                  values.begin() + static_cast<std::ptrdiff_t>((i + 1) * size));
  return result;
}

Json densities(const ResultsView& results, const ProbedQuantity& q, Blob& blob) {
  Json all = Json::array();
  const auto times = results.numbers("density_time");
  const auto x = results.numbers(q.prefix + "_density_at");
  const auto density = results.numbers(q.prefix + "_density");
  const auto bandwidth = results.numbers(q.prefix + "_density_bandwidth");
  if (!times || !x || !density || !bandwidth || times->empty()) return all;
  // In the file [time][point][axis].
  const std::size_t axes = q.axes.size(), points = x->size() / (times->size() * axes);
  const auto component = [&](const std::vector<double>& values, std::size_t t, std::size_t a) {
    std::vector<double> one;
    for (std::size_t p = 0; p < points; ++p) one.push_back(values[(t * points + p) * axes + a]);
    return blob.f64(one, {points});
  };
  for (std::size_t t = 0; t < times->size(); ++t)
    for (std::size_t a = 0; a < axes; ++a)
      all.push_back({{"time", (*times)[t]},
                     {"axis", a},
                     {"bandwidth", (*bandwidth)[t * axes + a]},
                     {"x", component(*x, t, a)},
                     {"density", component(*density, t, a)}});
  return all;
}

/// The shape a statistic has in the page.
Shape shape_of(const ResultsView& results, const std::string& statistic, std::size_t entries,
               std::size_t axes) {
  const std::size_t times = results.shown_times().size();
  if (statistic == "cov") return {times, axes, axes};
  if (statistic == "principal_std") return {times, entries / times};
  if (statistic == "principal_axes") return {times, entries / (times * axes), axes};
  if (entries != times * axes) return {entries / (times * axes), times, axes};
  if (statistic.starts_with("quantile") || statistic.starts_with("sobol") ||
      statistic == "shapley" || statistic == "morris_mean_abs")
    return {1, times, axes};
  return {times, axes};
}

/// By axis, at the time shown with the largest standard deviation: the ends of the intervals of
/// mean and standard deviation. Whole curves of them would take the room of other things.
Json intervals(const ResultsView& results, const ProbedQuantity& q) {
  const auto deviation = results.numbers(q.prefix + "_std");
  std::vector<std::vector<double>> ends;
  for (const char* end : {"_mean_interval_lower", "_mean_interval_upper", "_std_interval_lower",
                          "_std_interval_upper"}) {
    auto values = results.numbers(q.prefix + end);
    if (!values || !deviation) return Json::array();
    ends.push_back(std::move(*values));
  }
  Json all = Json::array();
  const std::size_t axes = q.axes.size();
  for (std::size_t axis = 0; axis < axes; ++axis) {
    std::size_t at = axis;
    for (std::size_t i = axis; i < deviation->size(); i += axes)
      if ((*deviation)[i] > (*deviation)[at] || std::isnan((*deviation)[at])) at = i;
    Json row = Json::array();
    for (const auto& values : ends) row.push_back(values[at]);
    all.push_back(row);
  }
  return all;
}

Json curve(const ResultsView& results, const ProbedQuantity& q, Blob& blob) {
  const std::size_t times = results.shown_times().size(), axes = q.axes.size();
  Json json{{"probe", q.probe},
            {"quantity", q.quantity},
            {"description", q.description},
            {"unit", q.unit},
            {"axes", q.axes},
            {"nominal", blob.f64(results.numbers(q.prefix + "_nominal").value(), {times, axes})}};
  if (const auto right = results.numbers(q.prefix + "_nominal_right"))
    json["nominal_right"] = blob.f64(*right, {right->size() / axes, axes});
  const std::size_t quantiles = page_quantiles(results).size();
  for (const std::string statistic : statistics_over_time) {
    auto values = results.numbers(q.prefix + "_" + statistic);
    if (!values) continue;
    if (statistic.starts_with("quantile")) *values = reordered(*values, quantiles);
    json[statistic] = blob.f64(*values, shape_of(results, statistic, values->size(), axes));
  }
  for (const PlainStatistic& plain : plain_statistics())
    if (const auto values = results.numbers(q.prefix + "_" + plain.name))
      json["more"].push_back({{"name", plain.words},
                              {"unit", plain.unit != nullptr ? plain.unit : q.unit},
                              {"values", blob.f64(*values, {times, axes})}});
  if (Json found = intervals(results, q); !found.empty()) json["intervals"] = found;
  if (Json found = densities(results, q, blob); !found.empty()) json["densities"] = found;
  return json;
}

}  // namespace

Json curves(const ResultsView& results, Blob& blob) {
  Json all = Json::array();
  for (const ProbedQuantity& q : results.quantities()) all.push_back(curve(results, q, blob));
  return all;
}

std::vector<double> page_quantiles(const ResultsView& results) {
  const auto values = results.numbers("quantile");
  return values ? reordered(*values, values->size()) : std::vector<double>{};
}

Json widest(const ResultsView& results) {
  Json found = nullptr;
  double largest = 0;
  for (std::size_t i = 0; i < results.quantities().size(); ++i) {
    const ProbedQuantity& q = results.quantities()[i];
    // Components of quaternions and tensors tell little; what a conservative system has of total
    // energy beside a constant is errors.
    if (q.axes.size() > 3 || q.quantity == "total_energy") continue;
    const auto mean = results.numbers(q.prefix + "_mean"), std = results.numbers(q.prefix + "_std");
    if (!mean || !std) continue;
    double size = 0;
    for (const double value : *mean)
      if (std::abs(value) > size) size = std::abs(value);
    if (!(size > 0)) continue;
    const auto at = std::max_element(std->begin(), std->end(), [](double a, double b) {
      return !std::isnan(b) && (std::isnan(a) || a < b);
    });
    const double relative = *at / size;
    if (!(relative > largest) || !std::isfinite(relative)) continue;
    largest = relative;
    const auto place = static_cast<std::size_t>(at - std->begin());
    found = {{"curve", i}, {"axis", place % q.axes.size()}, {"time_index", place / q.axes.size()},
             {"std", *at}, {"mean", (*mean)[place]},        {"relative", relative}};
  }
  return found;
}

}  // namespace tumble::report
