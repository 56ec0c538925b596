#include "tumble/report/reliability.hpp"

#include <cmath>

namespace tumble::report {
namespace {

Json finite(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

Json scalar(const ResultsView& results, const std::string& name) {
  const auto values = results.numbers(name);
  return values && !values->empty() ? finite(values->front()) : Json(nullptr);
}

Json list(const ResultsView& results, const std::string& name) {
  Json all = Json::array();
  for (const double x : results.numbers(name).value_or(std::vector<double>{}))
    all.push_back(finite(x));
  return all;
}

Json estimate(const ResultsView& results, const std::string& stem, const std::string& runs) {
  return {{"probability", scalar(results, stem)},
          {"lower", scalar(results, stem + "_lower")},
          {"upper", scalar(results, stem + "_upper")},
          {"cv", scalar(results, stem + "_cv")},
          {"runs", scalar(results, runs)}};
}

}  // namespace

Json reliability(const ResultsView& results) {
  const NetcdfReader& file = results.file();
  const std::string method = file.text_attribute("reliability_method");
  if (method.empty()) return nullptr;
  Json json = {{"method", method},
               {"quantity", file.text_attribute("reliability_quantity")},
               {"side", file.text_attribute("reliability_side")},
               {"limit", file.number_attribute("reliability_limit").value_or(0)},
               {"unit", file.text_attribute("reliability_unit")},
               {"confidence", file.number_attribute("reliability_confidence").value_or(0.95)},
               {"estimate", estimate(results, "probability", "runs")},
               {"index", scalar(results, "reliability_index")},
               {"output_lower", scalar(results, "probability_output_lower")},
               {"output_upper", scalar(results, "probability_output_upper")},
               {"failed", scalar(results, "failed_runs")},
               {"thresholds", list(results, "level_threshold")},
               {"conditional", list(results, "level_conditional_probability")},
               {"replicas", list(results, "replica_probability")},
               {"cross_check", nullptr}};
  if (const std::string check = file.text_attribute("reliability_cross_check"); !check.empty()) {
    json["cross_check"] = estimate(results, "cross_check_probability", "cross_check_runs");
    json["cross_check"]["method"] = check;
  }
  json["design_points"] = Json::array();
  if (file.find("design_point_index") != nullptr) {
    const auto germs = results.numbers("design_point_germs").value();
    const auto shares = results.numbers("design_point_importance").value();
    const auto distances = results.numbers("design_point_index").value();
    const std::vector<std::string> names = results.text("germ");
    for (std::size_t k = 0; k < distances.size(); ++k) {
      Json rows = Json::array();
      for (std::size_t g = 0; g < names.size(); ++g)
        rows.push_back({{"name", names[g]},
                        {"germ", finite(germs[k * names.size() + g])},
                        {"share", finite(shares[k * names.size() + g])}});
      json["design_points"].push_back({{"index", finite(distances[k])}, {"germs", rows}});
    }
  }
  return json;
}

}  // namespace tumble::report
