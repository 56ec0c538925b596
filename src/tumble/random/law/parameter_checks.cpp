#include "tumble/random/law/parameter_checks.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace tumble {
namespace {

std::string joined(const std::vector<std::string_view>& names) {
  return fmt::format("{}", fmt::join(names, " and "));
}

std::vector<std::string_view> names_of(const LawForm& form) {
  std::vector<std::string_view> names{form[0]};
  if (!form[1].empty()) names.push_back(form[1]);
  return names;
}

}  // namespace

void check_given(std::string_view law, const std::vector<GivenParameter>& parameters,
                 std::span<const LawForm> forms) {
  std::vector<std::string_view> given;
  for (const auto& parameter : parameters) {
    if (!parameter.value) continue;
    check_finite(law, parameter.name, *parameter.value);
    given.push_back(parameter.name);
  }
  std::vector<std::string> alternatives;
  for (const LawForm& alternative : forms) {
    const std::vector<std::string_view> form = names_of(alternative);
    // Names in a form are unique, so equal sizes and inclusion mean equality.
    if (form.size() == given.size() &&
        std::all_of(form.begin(), form.end(), [&](std::string_view name) {
          return std::find(given.begin(), given.end(), name) != given.end();
        }))
      return;
    alternatives.push_back(joined(form));
  }
  throw std::invalid_argument(fmt::format("{}: give {}; given: {}", law,
                                          fmt::join(alternatives, ", or "),
                                          given.empty() ? "nothing" : joined(given)));
}

void check_finite(std::string_view law, std::string_view name, double value) {
  if (!std::isfinite(value))
    throw std::invalid_argument(
        fmt::format("{}: {} = {} must be a finite number", law, name, value));
}

void check_positive(std::string_view law, std::string_view name, double value) {
  check_finite(law, name, value);
  if (!(value > 0))
    throw std::invalid_argument(fmt::format("{}: {} = {} must be positive", law, name, value));
}

void check_above(std::string_view law, std::string_view name, double value, std::string_view why,
                 double bound) {
  check_finite(law, name, value);
  if (!(value > bound))
    throw std::invalid_argument(
        fmt::format("{}: {} = {} must be greater than {} = {}", law, name, value, why, bound));
}

MeanStd mean_and_std(std::string_view law, double mean, const std::optional<double>& std,
                     const std::optional<double>& cv) {
  if (std) {
    check_positive(law, "std", *std);
    return {mean, *std};
  }
  check_positive(law, "cv", cv.value());
  if (mean == 0)
    throw std::invalid_argument(fmt::format(
        "{}: cv = {} says nothing when mean = 0, because the standard deviation is cv times the "
        "mean: give std",
        law, *cv));
  return {mean, *cv * std::abs(mean)};
}

}  // namespace tumble
