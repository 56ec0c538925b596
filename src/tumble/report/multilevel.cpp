#include "tumble/report/multilevel.hpp"

#include <cmath>

namespace tumble::report {

Json multilevel(const ResultsView& results) {
  const NetcdfReader& file = results.file();
  const std::string quantity = file.text_attribute("multilevel_quantity");
  if (quantity.empty()) return nullptr;
  const std::string statistic = file.text_attribute("multilevel_statistic");
  const auto list = [&](const std::string& name) {
    return results.numbers(name).value_or(std::vector<double>{});
  };
  const auto number = [&](const std::string& name) -> Json {
    const auto found = results.numbers(name);
    return found && std::isfinite(found->front()) ? Json(found->front()) : Json(nullptr);
  };
  Json estimates = Json::array();
  for (const std::string name : {"mean", "variance"}) {
    const std::string stem = "multilevel_" + name;
    estimates.push_back({{"statistic", name},
                         {"unit", file.text_attribute("units", file.find(stem)->id)},
                         {"value", number(stem)},
                         {"statistical_error", number(stem + "_statistical_error")},
                         {"bias", number(stem + "_bias")},
                         {"error", number(stem + "_error")},
                         {"order", number(stem + "_order")}});
  }
  const auto seconds = [&](const char* name) -> Json {
    const auto found = file.number_attribute(name);
    return found ? Json(*found) : Json(nullptr);
  };
  return {{"quantity", quantity},
          {"statistic", statistic},
          {"target", file.number_attribute("multilevel_target").value_or(0)},
          {"met", file.text_attribute("multilevel_target_met") == "yes"},
          {"estimates", std::move(estimates)},
          {"step", list("level_step")},
          {"elements", list("level_elements")},
          {"pairs", list("level_pairs")},
          {"failed", list("level_failed")},
          {"work", list("level_work")},
          {"difference", list("level_" + statistic + "_difference")},
          {"difference_se", list("level_" + statistic + "_difference_se")},
          {"pair_variance", list("level_" + statistic + "_pair_variance")},
          {"gain", number("multilevel_gain")},
          {"plain_runs", number("plain_runs")},
          {"plain_level", number("plain_level")},
          {"seconds", seconds("multilevel_seconds")},
          {"plain_seconds", seconds("plain_seconds")}};
}

}  // namespace tumble::report
