#include "tumble/campaign/times/study_time_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tumble/study/statistics/standard_errors.hpp"

namespace tumble {

std::vector<std::uint64_t> sample_realizations(const StudyInputs& inputs, std::uint64_t end,
                                               std::size_t count) {
  count = static_cast<std::size_t>(std::min<std::uint64_t>(count, end));
  std::vector<std::uint64_t> chosen;
  for (std::size_t i = 0; i < count; ++i) {
    if (inputs.random() != nullptr) {
      chosen.push_back(i);
      continue;
    }
    // One in each of `count` parts, at irregular places, so that no regular order is met in step.
    const double golden = 0.6180339887498949;
    const double place =
        (static_cast<double>(i) + std::fmod(golden * static_cast<double>(i), 1.0)) /
        static_cast<double>(count);
    chosen.push_back(
        std::min(end - 1, static_cast<std::uint64_t>(place * static_cast<double>(end))));
  }
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

std::vector<std::string> time_error_warnings(const EnsembleTimeErrors& errors,
                                             const LeafStatistics& statistics,
                                             const Sampling& sampling, const Trajectory& nominal) {
  std::vector<std::string> sentences;
  if (errors.used < errors.asked)
    sentences.push_back(fmt::format(
        "the error of the time integration rests on {} of {} realisations towards the end of the "
        "run: the others had failed or ended, as they are or with half the steps",
        errors.used, errors.asked));
  const StatisticsLayout& layout = statistics.moments().layout();
  for (std::size_t q = 0; q < layout.quantities(); ++q) {
    double from_steps = 0, from_sample = 0;
    for (std::size_t t = 0; t < layout.times(); ++t)
      for (std::size_t a = 0; a < layout.size(q); ++a) {
        const std::size_t n = layout.number(q) + a;
        from_steps = std::max(from_steps, errors.mean[t * layout.numbers() + n]);  // not NaN
        from_sample = std::max(from_sample, mean_error(statistics, sampling, t, n));
      }
    // The zero of potential energy is arbitrary, and a conserved energy has no spread to compare.
    if (nominal.series[q].quantity == Quantity::total_energy) continue;
    if (!(from_steps > from_sample) || from_sample == 0) continue;
    sentences.push_back(fmt::format(
        "{} {}: the steps put an error of {:.2g} into the mean, more than the {:.2g} that the "
        "sample leaves in it; take a smaller simulation.step, or accuracy in its place",
        nominal.series[q].probe, info(nominal.series[q].quantity).name, from_steps, from_sample));
  }
  return sentences;
}

}  // namespace tumble
