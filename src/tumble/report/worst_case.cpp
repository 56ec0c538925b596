#include "tumble/report/worst_case.hpp"

#include <array>
#include <cmath>

#include "tumble/io/model/study_sections.hpp"
#include "tumble/io/results/quantity_part.hpp"

namespace tumble::report {

Json worst_case(const ResultsView& results) {
  if (results.method() != "worst-case") return nullptr;
  const NetcdfReader& file = results.file();
  const auto number = [&](const std::string& name) -> Json {
    const auto found = results.numbers(name);
    return found && std::isfinite(found->front()) ? Json(found->front()) : Json(nullptr);
  };
  std::array<std::size_t, 4> runs{};
  for (const double role : results.numbers("role").value_or(std::vector<double>{}))
    ++runs.at(static_cast<std::size_t>(role));
  Json quantities = Json::array();
  constexpr std::string_view prefix = "quantity_", ending = "_bound_lower";
  for (const NetcdfReader::Variable& variable : file.variables()) {
    if (!variable.name.starts_with(prefix) || !variable.name.ends_with(ending)) continue;
    const std::string stem = variable.name.substr(0, variable.name.size() - ending.size());
    Json one{{"name", stem.substr(prefix.size())},
             {"unit", file.text_attribute("units", variable.id)}};
    for (const char* end : {"bound_lower", "bound_upper", "bound_error", "inclusion_lower",
                            "inclusion_upper", "found_min", "found_max", "found_min_realization",
                            "found_max_realization", "searched_min", "searched_max"})
      one[end] = number(stem + "_" + end);
    for (const char* end : {"found_min_inputs", "found_max_inputs"})
      one[end] = results.numbers(stem + "_" + end).value_or(std::vector<double>{});
    quantities.push_back(std::move(one));
  }
  return {{"fit", file.text_attribute("worst_case_fit")},
          {"kept_out", file.integer_attribute("worst_case_kept_out").value_or(0)},
          {"runs", runs},
          {"inputs", results.text("input")},
          {"interval_lower", results.numbers("interval_lower").value_or(std::vector<double>{})},
          {"interval_upper", results.numbers("interval_upper").value_or(std::vector<double>{})},
          {"quantities", std::move(quantities)}};
}

}  // namespace tumble::report
