#include "reliability_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tumble::app {
namespace {

std::string name_of(ReliabilityMethod method) {
  switch (method) {
    case ReliabilityMethod::monte_carlo:
      return "Monte Carlo";
    case ReliabilityMethod::subset:
      return "subset simulation";
    case ReliabilityMethod::importance:
      return "importance sampling";
    case ReliabilityMethod::form:
      return "first order (FORM)";
    case ReliabilityMethod::sorm:
      return "second order (SORM)";
  }
  return {};
}

std::string one_line(ReliabilityMethod method, const ProbabilityEstimate& e, double confidence) {
  std::string text = fmt::format("  {}: {:.4g}", name_of(method), e.probability);
  if (e.is_approximation())
    text += ", an approximation without an interval";
  else
    text += fmt::format(", {:.4g} % interval {:.4g} to {:.4g}", 100 * confidence, e.lower, e.upper);
  if (std::isfinite(e.cv)) text += fmt::format(", coefficient of variation {:.2g}", e.cv);
  text += fmt::format(", {} runs", e.runs);
  if (e.search_runs > 0 && !e.is_approximation())
    text += fmt::format(" ({} to find {})", e.search_runs,
                        e.levels.empty() ? "design points" : "levels");
  return text + "\n";
}

std::string unit_of(const ReliabilityResults& results) {
  return results.unit == "1" ? "" : " " + results.unit;
}

std::string levels(const ReliabilityResults& results) {
  const std::vector<SubsetLevel>& all = results.estimate.levels;
  if (all.size() < 2) return {};
  std::string text = "  levels:";
  for (const SubsetLevel& level : all)
    text += fmt::format(" {:.4g} ({:.2g})", results.request.value_at(level.threshold),
                        level.probability);
  return fmt::format("{}{}\n", text, unit_of(results));
}

/// The nearest one: distance, and the germs that matter most.
std::string design_points(const ReliabilityResults& results) {
  const std::vector<DesignPoint>& all = results.estimate.design_points;
  if (all.empty()) return {};
  const DesignPoint& nearest = all.front();
  std::string text = fmt::format("  design point at {:.4f}", nearest.index);
  if (all.size() > 1) text += fmt::format(", the nearest of {}", all.size());
  std::vector<std::size_t> order(nearest.importance.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return nearest.importance[a] > nearest.importance[b];
  });
  constexpr std::size_t most = 5;
  for (std::size_t i = 0; i < std::min(most, order.size()); ++i)
    text += fmt::format("\n    {:<32} {:>7.1f} %  germ {:+.3f}", results.germs[order[i]],
                        100 * nearest.importance[order[i]], nearest.germs[order[i]]);
  return text + "\n";
}

}  // namespace

std::string reliability_table(const ReliabilityResults& results) {
  const ProbabilityEstimate& e = results.estimate;
  std::string text = fmt::format("\nprobability that {} is {} {:g}{}\n", results.request.quantity,
                                 results.side(), results.limit(), unit_of(results));
  text += one_line(results.request.method, e, results.confidence);
  text += fmt::format("  reliability index {:.4f}\n", reliability_index(e.probability));
  if (results.request.method == ReliabilityMethod::sorm)
    text += fmt::format("  by Breitung {:.4g}, by Hohenbichler and Rackwitz {:.4g}\n", e.breitung,
                        e.hohenbichler);
  if (!std::isnan(e.error_lower) && e.error_upper > e.error_lower)
    text += fmt::format(
        "  between outputs: {:.4g} to {:.4g} if all values were wrong by their "
        "output error\n",
        e.error_lower, e.error_upper);
  text += levels(results) + design_points(results);
  if (results.cross_check)
    text += "  cross-check\n" +
            one_line(*results.request.cross_check, *results.cross_check, results.confidence);
  return text;
}

}  // namespace tumble::app
