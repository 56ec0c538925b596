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
  const DenseMatrix& coefficients = expansion.coefficients();
  DenseMatrix values(outputs.size(), size());
  std::vector<double> terms(expansion.basis().size());
  for (std::size_t i = 0; i < size(); ++i) {
    expansion.basis().evaluate(germs_.row(i), terms);
    for (std::size_t o = 0; o < outputs.size(); ++o) {
      double sum = 0;
      for (std::size_t term = 0; term < terms.size(); ++term)
        sum += terms[term] * coefficients(term, outputs[o]);
      values(o, i) = sum;
    }
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
