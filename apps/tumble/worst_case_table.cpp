#include "worst_case_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tumble::app {
namespace {

std::string machine(const WorstCaseResults& found, const std::vector<double>& inputs) {
  constexpr std::size_t shown = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, inputs.size()); ++i)
    text += fmt::format("{}{} = {:.6g}", i == 0 ? "" : ", ", found.inputs[i], inputs[i]);
  if (inputs.size() > shown) text += fmt::format(" and {} more", inputs.size() - shown);
  return text;
}

const char* role_words(WorstCaseRole role) {
  switch (role) {
    case WorstCaseRole::fit:
      return "a point of the fit";
    case WorstCaseRole::kept_out:
      return "kept out of the fit";
    case WorstCaseRole::extreme:
      return "an extreme of polynomials";
    case WorstCaseRole::search:
      return "of the search";
  }
  return "";
}

}  // namespace

std::string worst_case_table(const WorstCaseResults& found) {
  std::string text = fmt::format(
      "\nworst case: {}\nruns: {} of the fit, {} kept out of it, {} at extremes of polynomials, {} "
      "of "
      "searches\n",
      found.fit.empty() ? "no polynomials" : found.fit, found.count(WorstCaseRole::fit),
      found.count(WorstCaseRole::kept_out), found.count(WorstCaseRole::extreme),
      found.count(WorstCaseRole::search));
  if (found.quantities.empty()) return text;
  std::size_t width = 8;
  for (const WorstCaseQuantity& one : found.quantities)
    width = std::max(width, one.quantity->name.size());
  text += fmt::format("{:<{}}  {:>12}  {:>12}  {:>9}  {:>12}  {:>12}  {:>12}  {:>12}\n", "quantity",
                      width, "bound from", "to", "+-", "found from", "to", "inclusion", "to");
  for (const WorstCaseQuantity& one : found.quantities)
    text += fmt::format(
        "{:<{}}  {:>12.6g}  {:>12.6g}  {:>9.2g}  {:>12.6g}  {:>12.6g}  {:>12.6g}  {:>12.6g}  {}\n",
        one.quantity->name, width, one.lower, one.upper, one.error, one.found_min, one.found_max,
        one.inclusion_lower, one.inclusion_upper, one.quantity->value_unit);
  text +=
      fmt::format("+-: largest deviation of {} runs that the fit has not seen\n", found.kept_out);
  std::string steps;
  for (const WorstCaseQuantity& one : found.quantities)
    if (one.time_error)
      steps += fmt::format("{}{:.2g} {} of {}", steps.empty() ? "" : ", ", *one.time_error,
                           one.quantity->value_unit, one.quantity->name);
  if (!steps.empty())
    text += fmt::format("not in it, the error of the time integration: {}\n", steps);
  for (const WorstCaseQuantity& one : found.quantities) {
    if (one.found_min_inputs.empty()) continue;
    const auto line = [&](const char* end, std::uint64_t realization, WorstCaseRole role,
                          const std::vector<double>& inputs) {
      text += fmt::format("{} of {}: realisation {}, {}: {}\n", end, one.quantity->name,
                          realization, role_words(role), machine(found, inputs));
    };
    line("smallest", one.found_min_realization, one.found_min_role, one.found_min_inputs);
    line("largest", one.found_max_realization, one.found_max_role, one.found_max_inputs);
    if (one.search_runs > 0)
      text += fmt::format("search of {}: {:.6g} to {:.6g} in {} runs{}\n", one.quantity->name,
                          one.searched_min, one.searched_max, one.search_runs,
                          one.converged ? ", ended because its points had come together" : "");
  }
  return text;
}

}  // namespace tumble::app
