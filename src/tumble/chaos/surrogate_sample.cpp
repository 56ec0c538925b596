#include "tumble/chaos/surrogate_sample.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "tumble/chaos/quasi_random_points.hpp"

namespace tumble {
namespace {

// A tile of results stays in registers while all terms are added to it.
constexpr std::size_t tile_outputs = 4, tile_points = 8;
// The part of the basis that all outputs take before the next part is fetched.
constexpr std::size_t block_points = 256;

/// values[o][i] = sum over terms of coefficients[o][term] basis[term][i], in the order of terms,
/// for the tile that begins at (row, point).
template <std::size_t Outputs>
void fill_tile(const DenseMatrix& coefficients, const DenseMatrix& basis, DenseMatrix& values,
               std::size_t row, std::size_t point) {
  std::array<std::array<double, tile_points>, Outputs> sums{};
  for (std::size_t term = 0; term < basis.rows(); ++term) {
    const double* b = basis.row(term).data() + point;
    for (std::size_t o = 0; o < Outputs; ++o) {
      const double c = coefficients(row + o, term);
      for (std::size_t i = 0; i < tile_points; ++i) sums[o][i] += c * b[i];
    }
  }
  for (std::size_t o = 0; o < Outputs; ++o)
    std::ranges::copy(sums[o], values.row(row + o).begin() + static_cast<std::ptrdiff_t>(point));
}

}  // namespace

SurrogateSample::SurrogateSample(const InputSpace& space, const Expansion& expansion,
                                 std::size_t count, std::uint64_t seed)
    : expansion_(expansion), basis_(expansion.basis().size(), count) {
  if (count < 2)
    throw std::invalid_argument(
        fmt::format("polynomial chaos: a sample of {} values; at least 2 are needed", count));
  const DenseMatrix germs = quasi_random_points(space, count, seed);
  std::vector<double> terms(basis_.rows());
  for (std::size_t i = 0; i < count; ++i) {
    expansion.basis().evaluate(germs.row(i), terms);
    for (std::size_t term = 0; term < terms.size(); ++term) basis_(term, i) = terms[term];
  }
}

DenseMatrix SurrogateSample::values(std::size_t first, std::size_t count) const {
  if (first + count > expansion_.outputs())
    throw std::invalid_argument(
        fmt::format("polynomial chaos: outputs {} to {} of {}, counted from 0", first,
                    first + count - 1, expansion_.outputs()));
  DenseMatrix coefficients(count, basis_.rows());
  for (std::size_t term = 0; term < basis_.rows(); ++term)
    for (std::size_t o = 0; o < count; ++o)
      coefficients(o, term) = expansion_.coefficients()(term, first + o);
  DenseMatrix values(count, size());
  const std::size_t whole = size() - size() % tile_points, full = count - count % tile_outputs;
  for (std::size_t block = 0; block < whole; block += block_points) {
    const std::size_t end = std::min(block + block_points, whole);
    for (std::size_t o = 0; o < full; o += tile_outputs)
      for (std::size_t i = block; i < end; i += tile_points)
        fill_tile<tile_outputs>(coefficients, basis_, values, o, i);
    for (std::size_t o = full; o < count; ++o)
      for (std::size_t i = block; i < end; i += tile_points)
        fill_tile<1>(coefficients, basis_, values, o, i);
  }
  for (std::size_t o = 0; o < count; ++o)
    for (std::size_t i = whole; i < size(); ++i)
      for (std::size_t term = 0; term < basis_.rows(); ++term)
        values(o, i) += coefficients(o, term) * basis_(term, i);
  return values;
}

std::vector<double> SurrogateSample::sorted_values(std::size_t output) const {
  const DenseMatrix all = values(output, 1);
  std::vector<double> sorted(all.row(0).begin(), all.row(0).end());
  std::ranges::sort(sorted);
  return sorted;
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
