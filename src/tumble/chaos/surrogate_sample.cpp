#include "tumble/chaos/surrogate_sample.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include "tumble/chaos/quasi_random_points.hpp"

namespace tumble {

SurrogateSample::SurrogateSample(const InputSpace& space, std::size_t count, std::uint64_t seed)
    : germs_(quasi_random_points(space, count, seed)) {
  if (count < 2)
    throw std::invalid_argument(
        fmt::format("polynomial chaos: a sample of {} values; at least 2 are needed", count));
}

DenseMatrix SurrogateSample::sorted_values(const Expansion& expansion,
                                           std::span<const std::size_t> outputs) const {
  for (const std::size_t output : outputs)
    if (output >= expansion.outputs())
      throw std::invalid_argument(fmt::format("polynomial chaos: output {} of {}, counted from 0",
                                              output, expansion.outputs()));
  const std::size_t term_count = expansion.basis().size();
  DenseMatrix coefficients(term_count, outputs.size());  // of these outputs, side by side
  for (std::size_t term = 0; term < term_count; ++term)
    for (std::size_t o = 0; o < outputs.size(); ++o)
      coefficients(term, o) = expansion.coefficients()(term, outputs[o]);
  DenseMatrix values(outputs.size(), size());
  std::vector<double> terms(term_count), sums(outputs.size());
  for (std::size_t i = 0; i < size(); ++i) {
    expansion.basis().evaluate(germs_.row(i), terms);
    std::ranges::fill(sums, 0.0);
    for (std::size_t term = 0; term < term_count; ++term) {
      const double* row = coefficients.row(term).data();
      for (std::size_t o = 0; o < sums.size(); ++o) sums[o] += terms[term] * row[o];
    }
    for (std::size_t o = 0; o < sums.size(); ++o) values(o, i) = sums[o];
  }
  for (std::size_t o = 0; o < outputs.size(); ++o) std::ranges::sort(values.row(o));
  return values;
}

double sorted_quantile(std::span<const double> sorted, double probability) {
  if (!(probability >= 0 && probability <= 1) || sorted.empty())
    throw std::invalid_argument(
        fmt::format("quantile: probability = {} of {} values must lie between 0 and 1, and there "
                    "must be values",
                    probability, sorted.size()));
  const double place = probability * static_cast<double>(sorted.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), sorted.size() - 1);
  const auto above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace tumble
