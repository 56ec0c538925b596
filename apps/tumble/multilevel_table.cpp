#include "multilevel_table.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tumble::app {
namespace {

std::string estimate_line(const char* what, const MultilevelEstimate& e, const std::string& unit) {
  return fmt::format("{} {:.6g} {}, claimed error {:.3g} ({:.3g} by chance, {:.3g} of the grid)\n",
                     what, e.value, unit, e.error(), e.statistical_error, e.bias);
}

}  // namespace

std::string multilevel_table(const MultilevelResults& found) {
  const MultilevelEstimate& e = found.wanted();
  const std::string_view statistic =
      multilevel_statistic_names[static_cast<std::size_t>(found.statistic)];
  const bool beams = found.levels.back().elements > 0;
  std::string text = fmt::format("\nmultilevel: {} of {}\n", statistic, found.quantity);
  text +=
      fmt::format("{:>5}  {:>10}  {}{:>9}  {:>10}  {:>13}  {:>10}  {:>10}\n", "level", "step [s]",
                  beams ? "elements  " : "", "pairs", "work", "difference", "+-", "variance");
  for (std::size_t l = 0; l < found.levels.size(); ++l) {
    const MultilevelResults::Level& level = found.levels[l];
    const LevelEstimate& one = e.levels[l];
    text +=
        fmt::format("{:>5}  {:>10.4g}  {}{:>9}  {:>10.3g}  {:>13.5g}  {:>10.2g}  {:>10.3g}\n", l,
                    level.step, beams ? fmt::format("{:>8}  ", level.elements) : "", one.pairs,
                    level.work, one.difference, one.difference_se, one.pair_variance);
  }
  const std::string squared = found.unit.empty() ? "" : fmt::format("({})^2", found.unit);
  text += estimate_line("mean", found.mean, found.unit);
  text += estimate_line("variance", found.variance, squared);
  text += fmt::format("target {:.3g}: {}; order of the grids {:.2f}{}\n", found.target,
                      found.met ? "reached" : "not reached", e.order,
                      e.order_observed ? "" : " (assumed)");
  text += fmt::format(
      "plain Monte Carlo of the same error: {:.0f} runs on the grid of level {}, counted work "
      "{:.3g} "
      "against {:.3g}: gain {:.2f}\n",
      found.plain.runs, found.plain.level, found.plain.work, found.work, found.gain());
  if (found.plain_seconds > 0)
    text += fmt::format("measured, on one core: {:.3g} s against {:.3g} s: gain {:.2f}\n",
                        found.plain_seconds, found.seconds, found.plain_seconds / found.seconds);
  return text;
}

}  // namespace tumble::app
