// A made-up ensemble for tests of statistics: values and failures follow from indices.
#pragma once
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "tumble/study/leaf_builder.hpp"

namespace tumble {

/// Uniform in [0, 1) from a mixed integer (splitmix64, S. Vigna's public-domain constants).
inline double uniform(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  x ^= x >> 31;
  return static_cast<double>(x >> 11) * 0x1p-53;
}

struct TestEnsemble {
  LayoutPointer layout =
      std::make_shared<const StatisticsLayout>(7, std::vector<std::uint32_t>{1, 3, 4});
  StatisticsOptions options{16, false};  // small, so that few leaves already compact

  /// Some realisations fail: at the start, or at one of the output times.
  std::size_t valid_times(std::uint64_t r) const {
    if (r % 101 == 5) return 0;
    if (r % 37 == 3) return r % layout->times();
    return layout->times();
  }
  std::vector<double> row(std::uint64_t r) const {
    std::vector<double> values(layout->row());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::uint64_t key = r * values.size() + i;
      values[i] = 10.0 * static_cast<double>(i % layout->numbers()) + std::exp(3.0 * uniform(key));
    }
    return values;
  }
  LeafBuilder builder(std::uint64_t leaf, std::uint64_t realizations) const {
    LeafBuilder b(layout, options, leaf);
    for (std::uint64_t i = 0; i < realizations; ++i) {
      const std::uint64_t r = b.next();
      b.add(row(r).data(), 1, valid_times(r));
    }
    return b;
  }
  LeafStatistics leaf(std::uint64_t index,
                      std::uint64_t realizations = realizations_per_leaf) const {
    return builder(index, realizations).statistics();
  }
};

}  // namespace tumble
