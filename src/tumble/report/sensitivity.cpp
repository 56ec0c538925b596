#include "tumble/report/sensitivity.hpp"

#include <cmath>

namespace tumble::report {
namespace {

Json finite(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

/// By component: of each factor [value, lower end, upper end], over the whole run.
Json generalized(const ResultsView& results, const std::string& statistic, std::size_t factors) {
  Json rows = Json::array();
  for (std::size_t curve = 0; curve < results.quantities().size(); ++curve) {
    const ProbedQuantity& q = results.quantities()[curve];
    const std::string stem = q.prefix + "_" + statistic + "_generalized";
    const auto value = results.numbers(stem), lower = results.numbers(stem + "_lower"),
               upper = results.numbers(stem + "_upper");
    if (!value || !lower || !upper) continue;
    const std::size_t axes = q.axes.size();
    for (std::size_t axis = 0; axis < axes; ++axis) {
      if (!std::isfinite((*value)[axis])) continue;  // it does not vary
      Json shares = Json::array();
      for (std::size_t f = 0; f < factors; ++f) {
        const std::size_t i = f * axes + axis;
        shares.push_back({finite((*value)[i]), finite((*lower)[i]), finite((*upper)[i])});
      }
      rows.push_back({{"curve", curve}, {"axis", axis}, {"shares", shares}});
    }
  }
  return rows;
}

}  // namespace

Json sensitivity(const ResultsView& results) {
  const NetcdfReader& file = results.file();
  const std::string method = file.text_attribute("sensitivity_method");
  if (method.empty()) return nullptr;
  const bool groups = file.find("group") != nullptr;
  const std::vector<std::string> factors = results.text(groups ? "group" : "germ");
  const std::string alone = method == "shapley" ? "shapley"
                            : groups            ? "sobol_group"
                                                : "sobol_first";
  const std::string total = groups ? "sobol_group_total" : "sobol_total";
  return {{"method", method},
          {"block", file.integer_attribute("sensitivity_block_size").value_or(0)},
          {"blocks", file.integer_attribute("sensitivity_blocks").value_or(0)},
          {"dropped", file.integer_attribute("sensitivity_blocks_dropped").value_or(0)},
          {"factors", factors},
          {"alone", generalized(results, alone, factors.size())},
          {"total", generalized(results, total, factors.size())}};
}

}  // namespace tumble::report
