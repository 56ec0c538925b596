#include "quantity_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace tumble::app {
namespace {

/// "81 % bodies.bob.mass, 12 % pull, 7 % several together": the largest few, of each alone.
std::string shares_text(const QuantityShares& shares) {
  if (shares.group_alone.values.empty()) return {};
  constexpr std::size_t most = 4;
  std::vector<std::pair<double, std::string>> alone;
  double together = 1;
  for (std::size_t g = 0; g < shares.groups.size(); ++g) {
    alone.emplace_back(shares.group_alone.values[g], shares.groups[g]);
    together -= alone.back().first;
  }
  if (alone.size() < 2 || !std::isfinite(together)) return {};
  std::ranges::stable_sort(alone, std::ranges::greater{}, [](const auto& a) { return a.first; });
  std::string text;
  for (std::size_t i = 0; i < std::min(most, alone.size()); ++i)
    text += fmt::format("{}{:.3g} % {}", i == 0 ? "" : ", ", 100 * alone[i].first, alone[i].second);
  if (alone.size() > most) text += fmt::format(" and {} more", alone.size() - most);
  return text + fmt::format("; {:.3g} % several together", 100 * std::max(0.0, together));
}

std::string number_text(double x, const char* form) {
  return std::isfinite(x) ? fmt::format(fmt::runtime(form), x) : "-";
}

}  // namespace

namespace {

/// A line for each band, in place of one for each of its frequencies.
std::string band_lines(const std::vector<QuantityResults>& results) {
  std::string text;
  for (std::size_t i = 0; i < results.size();) {
    const QuantityOfInterest& first = *results[i].quantity;
    std::size_t end = i + 1;
    while (!first.group.empty() && end < results.size() &&
           results[end].quantity->group == first.group)
      ++end;
    if (!first.group.empty())
      text += fmt::format("{}: {} of {} by {} at {} frequencies from {:.6g} to {:.6g} Hz\n",
                          first.group, quantity_kind_names[static_cast<std::size_t>(first.kind)],
                          first.of, first.input.value_or(""), end - i, *first.frequency,
                          *results[end - 1].quantity->frequency);
    i = end;
  }
  return text;
}

}  // namespace

std::string quantity_table(const std::vector<QuantityResults>& all, double confidence) {
  std::vector<QuantityResults> results;
  std::ranges::copy_if(all, std::back_inserter(results),
                       [](const QuantityResults& r) { return r.quantity->group.empty(); });
  if (results.empty()) return band_lines(all);
  std::size_t width = 22;
  for (const QuantityResults& result : results)
    width = std::max(width, result.quantity->name.size() + 1);
  std::string text;
  auto out = std::back_inserter(text);
  const bool ensemble =
      std::ranges::any_of(results, [](const auto& r) { return r.statistics.has_value(); });
  if (!ensemble) {
    fmt::format_to(out, "{:<{}}{:>13}{:>14}\n", "quantity", width, "value", "output error");
    for (const QuantityResults& result : results)
      fmt::format_to(
          out, "{:<{}}{:>13}{:>14}  {}\n", result.quantity->name, width,
          std::isinf(result.nominal.value) ? "never" : number_text(result.nominal.value, "{:.6g}"),
          number_text(result.nominal.output_error, "{:.1e}"), result.quantity->value_unit);
    return text + band_lines(all);
  }
  fmt::format_to(out, "{:<{}}{:>12}{:>12}{:>10}{:>13}{:>11}{:>11}{:>10}  {}\n", "quantity", width,
                 "nominal", "mean", "its error", "output error", "time error", "std", "its error",
                 fmt::format("{:g} % region", 100 * confidence));
  for (const QuantityResults& result : results) {
    fmt::format_to(
        out, "{:<{}}{:>12}", result.quantity->name, width,
        std::isinf(result.nominal.value) ? "never" : number_text(result.nominal.value, "{:.5g}"));
    if (!result.statistics) {
      fmt::format_to(out, "  no statistics\n");
      continue;
    }
    const QuantityStatistics& s = *result.statistics;
    fmt::format_to(out, "{:>12}{:>10}{:>13}{:>11}{:>11}{:>10}  {:<27} {}\n",
                   number_text(s.mean.value, "{:.5g}"), number_text(s.mean.error, "{:.2g}"),
                   number_text(s.mean_output_error, "{:.1e}"),
                   number_text(result.mean_time_error.value_or(NAN), "{:.1e}"),
                   number_text(s.deviation.value, "{:.3g}"),
                   number_text(s.deviation.error, "{:.2g}"),
                   fmt::format("{} ... {}", number_text(s.quantiles[0], "{:.5g}"),
                               number_text(s.quantiles[2], "{:.5g}")),
                   result.quantity->value_unit);
  }
  for (const QuantityResults& result : results)
    if (const std::string shares = result.shares ? shares_text(*result.shares) : std::string();
        !shares.empty())
      fmt::format_to(out, "variance of {}: {}\n", result.quantity->name, shares);
  for (const QuantityResults& result : results) {
    if (!result.statistics || !result.quantity->may_not_happen()) continue;
    const QuantityStatistics& s = *result.statistics;
    fmt::format_to(out, "{} happens in {} of {} realisations: probability {:.4g}",
                   result.quantity->name, s.happened, s.counted, s.probability.value);
    if (!std::isnan(s.probability.interval.lower))
      fmt::format_to(out, " ({:.4g} to {:.4g})", s.probability.interval.lower,
                     s.probability.interval.upper);
    fmt::format_to(out, "; its other numbers are on condition that it does\n");
  }
  return text + band_lines(all);
}

}  // namespace tumble::app
