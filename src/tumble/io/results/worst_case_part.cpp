#include "tumble/io/results/worst_case_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tumble/io/results/ensemble_results.hpp"

namespace tumble {
namespace {

/// What is said of every number and of every quantity of interest.
struct WorstCaseVariable {
  const char* ending;
  const char* words;
  std::vector<double> WorstCaseBounds::*outputs;
  double WorstCaseQuantity::*quantity;
};

constexpr WorstCaseVariable worst_case_variables[] = {
    {"bound_lower", "smallest value of the polynomial over the box", &WorstCaseBounds::lower,
     &WorstCaseQuantity::lower},
    {"bound_upper", "largest value of the polynomial over the box", &WorstCaseBounds::upper,
     &WorstCaseQuantity::upper},
    {"inclusion_lower", "Chebyshev inclusion: the polynomial is nowhere smaller",
     &WorstCaseBounds::inclusion_lower, &WorstCaseQuantity::inclusion_lower},
    {"inclusion_upper", "Chebyshev inclusion: the polynomial is nowhere larger",
     &WorstCaseBounds::inclusion_upper, &WorstCaseQuantity::inclusion_upper},
    {"bound_error", "largest deviation from the polynomial of a run that the fit has not seen",
     &WorstCaseBounds::error, &WorstCaseQuantity::error},
    {"found_min", "smallest value of all runs", &WorstCaseBounds::found_min,
     &WorstCaseQuantity::found_min},
    {"found_max", "largest value of all runs", &WorstCaseBounds::found_max,
     &WorstCaseQuantity::found_max}};

}  // namespace

// fmin and fmax pass over what is no number.
double WorstCaseQuantity::least() const { return std::fmin(lower - error, found_min); }
double WorstCaseQuantity::most() const { return std::fmax(upper + error, found_max); }

std::uint64_t WorstCaseResults::count(WorstCaseRole role) const {
  return static_cast<std::uint64_t>(std::ranges::count(roles, role));
}

WorstCasePart::WorstCasePart(NetcdfWriter& file, const NominalPart& nominal,
                             const EnsembleResults& results, int realization)
    : file_(file),
      nominal_(nominal),
      results_(results),
      found_(*results.worst_case),
      layout_(results.statistics->moments().layout()) {
  file.attribute("worst_case_fit", found_.fit);
  file.attribute("worst_case_kept_out", static_cast<long>(found_.kept_out));
  const int role = file.variable("role", NC_BYTE, {realization});
  file.attribute(role, "flag_values", std::vector<signed char>{0, 1, 2, 3});
  file.attribute(role, "flag_meanings", "fit kept_out extreme search");
  file.attribute(
      role, "long_name",
      "what the run is for: 0 the polynomials are fitted to it, 1 it was kept out of the "
      "fit, 2 it lies where polynomials have an extreme, 3 the search asked for it");
  puts_.push_back([this, role] {
    std::vector<signed char> all;
    for (const WorstCaseRole one : found_.roles) all.push_back(static_cast<signed char>(one));
    file_.put(role, 0, all);
  });
  define_outputs();
  for (const WorstCaseQuantity& quantity : found_.quantities) define_quantity(quantity);
}

void WorstCasePart::define_outputs() {
  for (std::size_t q = 0; q < layout_.quantities(); ++q)
    for (const WorstCaseVariable& variable : worst_case_variables) {
      const int id = nominal_.define(file_, results_.nominal->series[q], variable.ending,
                                     {nominal_.time()}, fmt::format(" ({})", variable.words));
      const std::vector<double>& all = found_.outputs.*variable.outputs;
      puts_.push_back([this, id, q, &all] {
        const std::size_t size = layout_.size(q), first = layout_.number(q);
        std::vector<double> block(layout_.times() * size);
        for (std::size_t t = 0; t < layout_.times(); ++t)
          for (std::size_t a = 0; a < size; ++a)
            block[t * size + a] = all[t * layout_.numbers() + first + a];
        file_.put(id, block);
      });
    }
}

void WorstCasePart::define_quantity(const WorstCaseQuantity& found) {
  const std::string stem = "quantity_" + found.quantity->name + "_";
  const std::string words = describe(*found.quantity), unit = found.quantity->value_unit;
  for (const WorstCaseVariable& variable : worst_case_variables)
    number(stem + variable.ending, {}, {found.*variable.quantity},
           fmt::format("{} ({})", words, variable.words), unit);
  const auto realization = [&](const char* end, std::uint64_t value) {
    const int id = file_.variable(stem + end + "_realization", NC_INT64, {});
    file_.attribute(id, "long_name", fmt::format("{} (realisation of {})", words, end));
    puts_.push_back([this, id, value] {
      file_.put(id, std::vector<long long>{static_cast<long long>(value)});
    });
  };
  realization("found_min", found.found_min_realization);
  realization("found_max", found.found_max_realization);
  if (found.time_error)
    number(stem + "time_error", {}, {*found.time_error},
           words + " (estimated error of the time integration, root mean square over some runs)",
           unit);
  if (found.search_runs == 0) return;
  number(stem + "searched_min", {}, {found.searched_min},
         words + " (smallest value that its search found, which knows nothing of the polynomials)",
         unit);
  number(stem + "searched_max", {}, {found.searched_max},
         words + " (largest value that its search found, which knows nothing of the polynomials)",
         unit);
}

void WorstCasePart::define_inputs(int input) {
  number("interval_lower", {input}, found_.interval_lower,
         "lower end of the interval, in the units of `tumble parameters`", "");
  number("interval_upper", {input}, found_.interval_upper,
         "upper end of the interval, in the units of `tumble parameters`", "");
  for (const WorstCaseQuantity& found : found_.quantities) {
    const std::string stem = "quantity_" + found.quantity->name + "_";
    const auto machine = [&](const char* end, const std::vector<double>& values) {
      if (values.empty()) return;
      number(fmt::format("{}{}_inputs", stem, end), {input}, values,
             fmt::format("{} (numbers of the machine of {}, in the units of `tumble parameters`)",
                         describe(*found.quantity), end),
             "");
    };
    machine("bound_lower", found.lower_inputs);
    machine("bound_upper", found.upper_inputs);
    machine("found_min", found.found_min_inputs);
    machine("found_max", found.found_max_inputs);
  }
}

void WorstCasePart::number(const std::string& name, const std::vector<int>& dimensions,
                           std::vector<double> values, const std::string& what,
                           const std::string& unit) {
  const int id = file_.variable(name, NC_DOUBLE, dimensions);
  if (!unit.empty()) file_.attribute(id, "units", unit);
  file_.attribute(id, "long_name", what);
  puts_.push_back([this, id, values = std::move(values)] { file_.put(id, values); });
}

void WorstCasePart::put() const {
  for (const auto& put_variable : puts_) put_variable();
}

}  // namespace tumble
