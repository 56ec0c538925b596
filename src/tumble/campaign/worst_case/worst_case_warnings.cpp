#include "tumble/campaign/worst_case/worst_case_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tumble {
namespace {

/// Of the width of the bounds, an error that makes them worth little.
constexpr double large_share = 0.1;

const char* remedy_for_bounds = "take a higher worst_case.degree or level, or narrower intervals";

/// Runs beyond what the bounds and the runs that were kept out of the fit said together. Where the
/// width is rounding errors, so is what is beyond.
std::string found_beyond(const WorstCaseQuantity& one) {
  const double below = one.lower - one.told_error - one.found_min;
  const double above = one.found_max - (one.upper + one.told_error);
  const double size = std::max(std::fabs(one.lower), std::fabs(one.upper));
  const double beyond = std::max(below, above);
  if (!(beyond > 1e-12 * size)) return {};
  return fmt::format(
      "{}: a run is beyond the bounds and the error of {:.3g} that runs kept out of the fit had "
      "shown, by {:.3g} {}; the error is {:.3g} with the runs of the search: {}",
      one.quantity->name, one.told_error, beyond, one.quantity->value_unit, one.error,
      remedy_for_bounds);
}

}  // namespace

std::vector<std::string> worst_case_warnings(const WorstCaseResults& found,
                                             const StatisticsLayout& layout) {
  std::vector<std::string> all;
  if (found.failed > 0)
    all.push_back(fmt::format(
        "{} of {} runs failed: bounds and extremes know nothing of machines like those, "
        "and the worst case may be among them",
        found.failed, found.roles.size()));
  if (!found.failure.empty()) {
    all.push_back(fmt::format("there are no bounds: {}", found.failure));
    return all;
  }
  std::string vague;
  for (const WorstCaseQuantity& one : found.quantities) {
    if (std::isnan(one.lower))
      all.push_back(
          fmt::format("{} has no bounds: it is no finite number in some of the runs that "
                      "polynomials are fitted "
                      "to",
                      one.quantity->name));
    if (const std::string sentence = found_beyond(one); !sentence.empty()) all.push_back(sentence);
    const double width = one.upper - one.lower;
    if (one.error > large_share * width && one.error > 1e-9 * std::fabs(one.upper))
      vague += fmt::format("{}{} ({:.2g} of {:.2g} {})", vague.empty() ? "" : ", ",
                           one.quantity->name, one.error, width, one.quantity->value_unit);
  }
  if (!vague.empty())
    all.push_back(
        fmt::format("the error of the polynomials is a large share of the width of the "
                    "bounds: {}; {}",
                    vague, remedy_for_bounds));
  // Of each probed number what is largest over the run: where it hardly varies, shares say little.
  std::size_t numbers = 0;
  double worst = 0;
  for (std::size_t n = 0; n < layout.numbers(); ++n) {
    double error = 0, width = 0, size = 0;
    for (std::size_t o = n; o < layout.row(); o += layout.numbers()) {
      error = std::fmax(error, found.outputs.error[o]);
      width = std::fmax(width, found.outputs.upper[o] - found.outputs.lower[o]);
      size = std::fmax(size, std::fabs(found.outputs.upper[o]));
    }
    if (!(error > large_share * width) || !(error > 1e-9 * size)) continue;
    ++numbers;
    worst = std::max(worst, error / width);
  }
  if (numbers > 0)
    all.push_back(
        fmt::format("the error of the polynomials is a large share of the width of the bounds over "
                    "time for {} of "
                    "{} probed numbers, up to {:.2g} of it; {}",
                    numbers, layout.numbers(), worst, remedy_for_bounds));
  return all;
}

}  // namespace tumble
