#include "sensitivity_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace tumble::app {
namespace {

/// "0.313 ± 0.021"
std::string with_interval(const SensitivityIndices& kind, std::size_t i) {
  if (!std::isfinite(kind.generalized[i])) return "-";
  const double half = (kind.generalized_upper[i] - kind.generalized_lower[i]) / 2;
  return std::isfinite(half) ? fmt::format("{:.3f} ± {:.3f}", kind.generalized[i], half)
                             : fmt::format("{:.3f}", kind.generalized[i]);
}

std::string component(const ProbeSeries& series, int axis) {
  const std::string name = fmt::format("{}.{}", series.probe, info(series.quantity).name);
  if (series.size == 1) return name;
  return series.size == 3 ? fmt::format("{}.{}", name, "xyz"[axis])
                          : fmt::format("{}[{}]", name, axis);
}

/// Of names that begin alike, what they differ in: "mass", "position".
std::string shortened(const std::string& name) {
  constexpr std::size_t most = 24;
  const std::size_t dot = name.find(", ") == std::string::npos ? name.rfind('.') : name.npos;
  std::string text = name.size() > most && dot != name.npos ? name.substr(dot + 1) : name;
  if (text.size() > most) text = text.substr(0, most - 2) + "..";
  return text;
}

}  // namespace

std::string sensitivity_table(const SensitivityResults& results, const Trajectory& nominal) {
  std::string text = fmt::format("sensitivity by {}: {} blocks of {} runs", results.method,
                                 results.blocks, results.block);
  if (results.dropped > 0)
    text += fmt::format("; {} more are left out, of which a run failed", results.dropped);
  text += "\n";
  if (results.indices.empty() || results.indices[0].generalized.empty()) return text;
  constexpr std::size_t most_factors = 4, most_rows = 12;
  constexpr int width = 16;
  const std::size_t shown = std::min(most_factors, results.factors.size());
  const std::size_t kinds = results.indices.size();
  auto out = std::back_inserter(text);
  fmt::format_to(out, "\n{:<32}",
                 kinds > 1 ? "variance over time: alone, total" : "variance over time");
  for (std::size_t f = 0; f < shown; ++f)
    fmt::format_to(out, "  {:<{}}", shortened(results.factors[f]), width * static_cast<int>(kinds));
  fmt::format_to(out, "{}\n",
                 shown < results.factors.size()
                     ? fmt::format("  and {} more", results.factors.size() - shown)
                     : "");
  const std::size_t numbers = results.indices[0].generalized.size() / results.factors.size();
  std::size_t number = 0, rows = 0, left_out = 0;
  for (const ProbeSeries& series : nominal.series)
    for (int axis = 0; axis < series.size; ++axis, ++number) {
      if (!std::isfinite(results.indices[0].generalized[number])) continue;  // it does not vary
      if (rows == most_rows) {
        ++left_out;
        continue;
      }
      ++rows;
      fmt::format_to(out, "{:<32}", component(series, axis));
      for (std::size_t f = 0; f < shown; ++f) {
        fmt::format_to(out, "  ");
        for (const SensitivityIndices& kind : results.indices)
          fmt::format_to(out, "{:<{}}", with_interval(kind, f * numbers + number), width);
      }
      fmt::format_to(out, "\n");
    }
  if (left_out > 0) fmt::format_to(out, "{} more components are in the results\n", left_out);
  return text;
}

}  // namespace tumble::app
