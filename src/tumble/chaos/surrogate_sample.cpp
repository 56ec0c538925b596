#include "tumble/chaos/surrogate_sample.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

#include "tumble/chaos/fit/quasi_random_points.hpp"

namespace tumble {
namespace {

// A tile of results stays in registers while all terms are added to it. The basis is kept in the
// order in which tiles read it: rows as long as a power of 2 would fall on the same lines of a
// cache.
constexpr std::size_t tile_outputs = 4, tile_points = 8;
// The tiles whose part of the basis all outputs take before the next part is fetched.
constexpr std::size_t block_tiles = 64;

// Four numbers side by side. Left to themselves, compilers put neighbouring terms side by side and
// spend most of their time turning them around.
using Four [[gnu::vector_size(32)]] = double;

/// values[o][i] = sum over terms of coefficients[o][term] basis[term][i], in the order of terms,
/// for the outputs from `row` on and the points of one tile, the first of which is `point`.
template <std::size_t Outputs>
void fill_tile(const DenseMatrix& coefficients, const double* basis, DenseMatrix& values,
               std::size_t row, std::size_t point) {
  Four low[Outputs] = {}, high[Outputs] = {};
  for (std::size_t term = 0; term < coefficients.columns(); ++term, basis += tile_points) {
    Four first, second;
    std::memcpy(&first, basis, sizeof first);
    std::memcpy(&second, basis + 4, sizeof second);
    for (std::size_t o = 0; o < Outputs; ++o) {
      const double c = coefficients(row + o, term);
      low[o] += c * first;
      high[o] += c * second;
    }
  }
  const std::size_t count = std::min(tile_points, values.columns() - point);
  for (std::size_t o = 0; o < Outputs; ++o) {
    std::array<double, tile_points> sums;
    std::memcpy(sums.data(), &low[o], sizeof low[o]);
    std::memcpy(sums.data() + 4, &high[o], sizeof high[o]);
    std::copy_n(sums.data(), count, values.row(row + o).data() + point);
  }
}

}  // namespace

SurrogateSample::SurrogateSample(const InputSpace& space, const Expansion& expansion,
                                 std::size_t count, std::uint64_t seed)
    : expansion_(expansion), size_(count) {
  if (count < 2)
    throw std::invalid_argument(
        fmt::format("polynomial chaos: a sample of {} values; at least 2 are needed", count));
  const DenseMatrix germs = quasi_random_points(space, count, seed);
  const std::size_t terms = expansion.basis().size();
  basis_.resize((count + tile_points - 1) / tile_points * terms * tile_points);
  std::vector<double> values(terms);
  for (std::size_t i = 0; i < count; ++i) {
    expansion.basis().evaluate(germs.row(i), values);
    double* place = basis_.data() + i / tile_points * terms * tile_points + i % tile_points;
    for (std::size_t term = 0; term < terms; ++term) place[term * tile_points] = values[term];
  }
}

void SurrogateSample::fill(std::size_t first, DenseMatrix& values) const {
  const std::size_t count = values.rows(), terms = expansion_.basis().size();
  if (first + count > expansion_.outputs() || values.columns() != size_)
    throw std::invalid_argument(
        fmt::format("polynomial chaos: {} values of outputs {} to {}; there are {} of {} outputs",
                    values.columns(), first, first + count, size_, expansion_.outputs()));
  DenseMatrix coefficients(count, terms);
  for (std::size_t term = 0; term < terms; ++term)
    for (std::size_t o = 0; o < count; ++o)
      coefficients(o, term) = expansion_.coefficients()(term, first + o);
  const std::size_t tiles = (size_ + tile_points - 1) / tile_points;
  for (std::size_t block = 0; block < tiles; block += block_tiles) {
    const std::size_t end = std::min(block + block_tiles, tiles);
    const auto fill_rows = [&]<std::size_t Outputs>(std::size_t o) {
      for (std::size_t tile = block; tile < end; ++tile)
        fill_tile<Outputs>(coefficients, basis_.data() + tile * terms * tile_points, values, o,
                           tile * tile_points);
    };
    std::size_t o = 0;
    for (; o + tile_outputs <= count; o += tile_outputs)
      fill_rows.template operator()<tile_outputs>(o);
    for (; o < count; ++o) fill_rows.template operator()<1>(o);
  }
}

std::vector<double> SurrogateSample::sorted_values(std::size_t output) const {
  DenseMatrix values(1, size_);
  fill(output, values);
  std::vector<double> sorted(values.row(0).begin(), values.row(0).end());
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
