#include "tumble/io/results/multilevel_part.hpp"

#include <fmt/format.h>

#include "tumble/io/results/ensemble_results.hpp"
#include "tumble/study/levels/coupled_leaf.hpp"

namespace tumble {

MultilevelPart::MultilevelPart(NetcdfWriter& file, const EnsembleResults& results, int realization)
    : file_(file), found_(*results.multilevel) {
  file.attribute("multilevel_quantity", found_.quantity);
  file.attribute("multilevel_statistic",
                 multilevel_statistic_names[static_cast<std::size_t>(found_.statistic)]);
  file.attribute("multilevel_target", found_.target);
  file.attribute("multilevel_target_met", found_.met ? "yes" : "no");
  if (found_.seconds > 0) file.attribute("multilevel_seconds", found_.seconds);
  if (found_.plain_seconds > 0) file.attribute("plain_seconds", found_.plain_seconds);
  level_ = file.dimension("level", found_.levels.size());
  define_levels();
  define_estimates();
  define_runs(realization);
}

void MultilevelPart::put() const {
  for (const auto& put_variable : puts_) put_variable();
}

void MultilevelPart::numbers(const std::string& name, const std::vector<int>& dimensions,
                             std::vector<double> values, const std::string& unit,
                             const std::string& meaning) {
  const int id = file_.variable(name, NC_DOUBLE, dimensions);
  if (!unit.empty()) file_.attribute(id, "units", unit);
  file_.attribute(id, "long_name", meaning);
  puts_.push_back([this, id, values = std::move(values)] { file_.put(id, values); });
}

void MultilevelPart::integers(const std::string& name, const std::vector<int>& dimensions,
                              std::vector<long long> values, const std::string& meaning) {
  const int id = file_.variable(name, NC_INT64, dimensions);
  file_.attribute(id, "long_name", meaning);
  puts_.push_back([this, id, values = std::move(values)] { file_.put(id, values); });
}

void MultilevelPart::define_levels() {
  std::vector<long long> place, elements, pairs, failed;
  std::vector<double> step, work;
  for (std::size_t l = 0; l < found_.levels.size(); ++l) {
    const MultilevelResults::Level& level = found_.levels[l];
    place.push_back(static_cast<long long>(l));
    step.push_back(level.step);
    elements.push_back(level.elements);
    work.push_back(level.work);
    pairs.push_back(static_cast<long long>(found_.mean.levels[l].pairs));
    failed.push_back(static_cast<long long>(level.failed));
  }
  integers("level", {level_}, std::move(place), "level, the coarsest first");
  numbers("level_step", {level_}, std::move(step), "s", "time step of the level's grid");
  integers("level_elements", {level_}, std::move(elements), "elements of all beams");
  integers("level_pairs", {level_}, std::move(pairs),
           "pairs of runs, on level 0 runs, that did not fail");
  integers("level_failed", {level_}, std::move(failed), "pairs of which a run failed");
  numbers("level_work", {level_}, std::move(work), "1",
          "counted work of one run on the grid, by the iterations of the nominal run");
}

void MultilevelPart::define_estimates() {
  const std::string squared = found_.unit.empty() ? "" : fmt::format("({})^2", found_.unit);
  const std::string sure = fmt::format("with {:.4g} % confidence", 100 * found_.confidence);
  for (const bool is_mean : {true, false}) {
    const std::string name = is_mean ? "mean" : "variance";
    const std::string unit = is_mean ? found_.unit : squared;
    const MultilevelEstimate& e = is_mean ? found_.mean : found_.variance;
    const std::string what = fmt::format("{} of {}", name, found_.quantity);
    const auto by_level = [&](double LevelEstimate::*value) {
      std::vector<double> all;
      for (const LevelEstimate& level : e.levels) all.push_back(level.*value);
      return all;
    };
    const std::string variance_unit = unit.empty() ? "" : fmt::format("({})^2", unit);
    numbers("level_" + name, {level_}, by_level(&LevelEstimate::value), unit,
            what + " on the grid of the level, from its runs alone");
    numbers("level_" + name + "_difference", {level_}, by_level(&LevelEstimate::difference), unit,
            what + ": difference from the level before; of level 0 the value");
    numbers("level_" + name + "_difference_se", {level_}, by_level(&LevelEstimate::difference_se),
            unit, "standard error of the difference");
    numbers("level_" + name + "_pair_variance", {level_}, by_level(&LevelEstimate::pair_variance),
            variance_unit, "variance of what one pair adds to the difference");
    numbers("multilevel_" + name, {}, {e.value}, unit, what);
    numbers("multilevel_" + name + "_se", {}, {e.standard_error}, unit, "standard error");
    numbers("multilevel_" + name + "_statistical_error", {}, {e.statistical_error}, unit,
            "half the width of the confidence interval on the finest grid, " + sure);
    numbers("multilevel_" + name + "_bias", {}, {e.bias}, unit,
            "what the finest grid is off by, as far as the differences of levels tell");
    numbers("multilevel_" + name + "_error", {}, {e.error()}, unit,
            "claimed error: statistical error and bias, " + sure);
    numbers("multilevel_" + name + "_order", {}, {e.order}, "1",
            e.order_observed ? "observed order of convergence of the grids"
                             : "order of convergence that is assumed: none was observed");
  }
  numbers("multilevel_output_error", {}, {found_.output_error}, found_.unit,
          "mean error of the quantity because runs are looked at at output times only");
  numbers("multilevel_work", {}, {found_.work}, "1", "counted work of all runs");
  numbers("plain_work", {}, {found_.plain.work}, "1",
          "counted work of plain Monte Carlo that claims the same error");
  numbers("plain_runs", {}, {found_.plain.runs}, "1", "runs of plain Monte Carlo");
  integers("plain_level", {}, {static_cast<long long>(found_.plain.level)},
           "level whose grid plain Monte Carlo has: the cheapest whose bias is small enough");
  numbers("multilevel_gain", {}, {found_.gain()}, "1", "plain_work over multilevel_work");
}

void MultilevelPart::define_runs(int realization) {
  std::vector<long long> levels, grids, draws;
  const LevelLeaves numbering{found_.levels_given};
  for (std::size_t level = 0; level < found_.levels.size(); ++level)
    for (std::uint64_t place = 0; place < found_.levels[level].leaves; ++place) {
      const std::uint64_t leaf = numbering.leaf(level, place);
      for (std::size_t run = 0; run < realizations_per_leaf; ++run) {
        const std::size_t coarse = run % LevelLeaves::grids(level);
        levels.push_back(static_cast<long long>(level));
        grids.push_back(static_cast<long long>(level - coarse));
        draws.push_back(static_cast<long long>(LevelLeaves::draw(level, leaf, run)));
      }
    }
  integers("run_level", {realization}, std::move(levels), "level that the run counts for");
  integers("run_grid", {realization}, std::move(grids), "level whose grid the run has");
  integers("draw", {realization}, std::move(draws),
           "number of the machine: both runs of a pair have the same");
}

}  // namespace tumble
