#include "tumble/study/quantiles/quantile_sketch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "ensemble_for_tests.hpp"
#include "tumble/study/quantiles/column_sorter.hpp"
#include "tumble/study/quantiles/merge_runs.hpp"
#include "tumble/study/quantiles/stored_values.hpp"

namespace tumble {
namespace {

using Order = std::function<double(std::uint64_t i, std::uint64_t n)>;

/// One number each of two quantities of 3 and one of 1: seven orders of arrival at once.
const std::vector<Order> orders{
    [](auto i, auto) { return static_cast<double>(i); },                             // sorted
    [](auto i, auto n) { return static_cast<double>(n - i); },                       // reversed
    [](auto i, auto n) { return static_cast<double>(i % 2 == 0 ? i : 2 * n - i); },  // alternating
    [](auto, auto) { return 3.25; },                                                 // constant
    [](auto i, auto) { return uniform(i); },                                         // random
    [](auto i, auto) { return static_cast<double>(i % 5); },                         // many ties
    [](auto i, auto n) {  // sorted inside each leaf, leaves interleaved with each other
      return static_cast<double>((i % 64) * (n / 64 + 1) + i / 64);
    }};

LayoutPointer layout_of_orders() {
  return std::make_shared<const StatisticsLayout>(1, std::vector<std::uint32_t>{3, 3, 1});
}

/// Realisations of which a share does not count.
struct Failures {
  double share = 0;
  bool operator()(std::uint64_t i) const { return uniform(i + (std::uint64_t{1} << 40)) < share; }
};

QuantileSketch sketch_of(std::uint64_t first, std::uint64_t end, std::uint64_t n,
                         std::uint32_t size, Failures failed = {}) {
  LeafValues leaf(layout_of_orders());
  for (std::uint64_t i = first; i < end; ++i) {
    std::vector<double> row;
    for (const Order& order : orders) row.push_back(order(i, n));
    leaf.add(row.data(), 1, failed(i) ? 0 : 1);
  }
  return QuantileSketch::of_leaf(leaf, size);
}

using Merge = std::function<QuantileSketch(std::vector<QuantileSketch>)>;

QuantileSketch balanced(std::vector<QuantileSketch> nodes) {
  while (nodes.size() > 1) {
    std::vector<QuantileSketch> next;
    for (std::size_t i = 0; i + 1 < nodes.size(); i += 2)
      next.push_back(QuantileSketch::merge(nodes[i], nodes[i + 1]));
    if (nodes.size() % 2 == 1) next.push_back(nodes.back());
    nodes = std::move(next);
  }
  return nodes[0];
}

QuantileSketch chain(std::vector<QuantileSketch> nodes) {
  QuantileSketch all = nodes[0];
  for (std::size_t i = 1; i < nodes.size(); ++i) all = QuantileSketch::merge(all, nodes[i]);
  return all;
}

void expect_within_bound(const QuantileSketch& sketch, std::uint64_t m, Failures failed = {}) {
  ASSERT_EQ(sketch.realizations(), m);
  const std::uint64_t error = sketch.rank_error();
  EXPECT_LE(static_cast<double>(error),
            QuantileSketch::guaranteed_error(m, sketch.size()) * static_cast<double>(m));
  std::vector<double> p;
  for (int i = 0; i <= 1000; ++i) p.push_back(i / 1000.0);
  std::vector<double> q(p.size());
  for (std::size_t number = 0; number < orders.size(); ++number) {
    std::vector<double> x;
    for (std::uint64_t i = 0; i < m; ++i)
      if (!failed(i)) x.push_back(orders[number](i, m));
    const std::uint64_t n = x.size();
    ASSERT_EQ(sketch.count(0), n);
    std::sort(x.begin(), x.end());
    sketch.quantiles(0, number, p, q.data());
    for (std::size_t i = 0; n > 0 && i < p.size(); ++i) {
      const auto h = static_cast<std::uint64_t>(static_cast<double>(n - 1) * p[i]);
      const double low = x[h > error ? h - error : 0];
      const double high = x[std::min(h + 1 + error, n - 1)];
      ASSERT_LE(low, q[i]) << "order " << number << " n " << n << " p " << p[i];
      ASSERT_GE(high, q[i]) << "order " << number << " n " << n << " p " << p[i];
    }
  }
}

TEST(QuantileSketch, KeepsItsBoundForEveryOrderAndTree) {
  for (const Merge& merge : {Merge(balanced), Merge(chain)}) {
    for (const std::uint32_t size : {8u, 33u, 128u}) {
      for (const std::uint64_t n : {1u, 2u, 63u, 1000u, 4096u, 20011u}) {
        std::vector<QuantileSketch> leaves;
        for (std::uint64_t first = 0; first < n; first += 64)
          leaves.push_back(sketch_of(first, std::min<std::uint64_t>(first + 64, n), n, size));
        expect_within_bound(merge(leaves), n);
      }
    }
  }
}

TEST(QuantileSketch, KeepsItsBoundWhateverFails) {
  for (const Merge& merge : {Merge(balanced), Merge(chain)}) {
    for (const double share : {0.01, 0.3, 0.9, 1.0}) {
      const std::uint64_t m = 9999;
      std::vector<QuantileSketch> leaves;
      for (std::uint64_t first = 0; first < m; first += 64)
        leaves.push_back(sketch_of(first, std::min(first + 64, m), m, 16, {share}));
      expect_within_bound(merge(leaves), m, {share});
    }
  }
}

TEST(QuantileSketch, KeepsItsBoundForUnevenLeavesAndRandomTrees) {
  const std::uint64_t n = 10007;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    std::uint64_t draw = seed << 32;
    std::vector<QuantileSketch> nodes;
    for (std::uint64_t first = 0; first < n;) {
      const auto end = std::min(n, first + 1 + static_cast<std::uint64_t>(64 * uniform(++draw)));
      nodes.push_back(sketch_of(first, end, n, 16));
      first = end;
    }
    while (nodes.size() > 1) {
      const auto at = static_cast<double>(nodes.size() - 1);
      const auto i = static_cast<std::ptrdiff_t>(at * uniform(++draw));
      nodes[static_cast<std::size_t>(i)] = QuantileSketch::merge(
          nodes[static_cast<std::size_t>(i)], nodes[static_cast<std::size_t>(i) + 1]);
      nodes.erase(nodes.begin() + i + 1);
    }
    expect_within_bound(nodes[0], n);
  }
}

TEST(QuantileSketch, IsWithinItsBoundOfExactQuantilesOfManyValues) {
  const std::uint64_t n = 100000;
  std::vector<QuantileSketch> leaves;
  for (std::uint64_t first = 0; first < n; first += 64)
    leaves.push_back(sketch_of(first, std::min(first + 64, n), n, 256));
  const QuantileSketch sketch = balanced(std::move(leaves));
  expect_within_bound(sketch, n);
  EXPECT_LE(static_cast<double>(sketch.rank_error()) / static_cast<double>(n), 9.0 / 1024);

  // Uniform values: an error of ranks is an error of the quantile, relative to n, up to how far the
  // sample itself is from uniform.
  std::vector<double> x(n);
  for (std::uint64_t i = 0; i < n; ++i) x[i] = orders[4](i, n);
  const double p[] = {0.05, 0.5, 0.95};
  double exact[3], approximate[3];
  select_quantiles(x, p, exact);
  sketch.quantiles(0, 4, p, approximate);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(approximate[i], exact[i], 9.0 / 1024);
    RecordProperty("error" + std::to_string(i), std::to_string(approximate[i] - exact[i]));
  }
}

TEST(QuantileSketch, IsExactUntilItCompacts) {
  for (const std::uint64_t n : {1u, 2u, 64u, 200u, 255u}) {
    std::vector<QuantileSketch> leaves;
    for (std::uint64_t first = 0; first < n; first += 64)
      leaves.push_back(sketch_of(first, std::min<std::uint64_t>(first + 64, n), n, 128));
    const QuantileSketch sketch = balanced(std::move(leaves));
    EXPECT_EQ(sketch.rank_error(), 0u);
    const double p[] = {0, 0.05, 0.25, 0.5, 0.75, 0.95, 1};
    for (std::size_t number = 0; number < orders.size(); ++number) {
      std::vector<double> x(n);
      for (std::uint64_t i = 0; i < n; ++i) x[i] = orders[number](i, n);
      double exact[7], sketched[7];
      select_quantiles(x, p, exact);
      sketch.quantiles(0, number, p, sketched);
      for (int i = 0; i < 7; ++i) EXPECT_EQ(sketched[i], exact[i]);
    }
  }
}

TEST(QuantileSketch, StatesItsGuarantee) {
  EXPECT_EQ(QuantileSketch::guaranteed_error(511, 256), 0.0);
  EXPECT_DOUBLE_EQ(QuantileSketch::guaranteed_error(512, 256), 2.0 / 1024);
  EXPECT_DOUBLE_EQ(QuantileSketch::guaranteed_error(1000000, 256), 12.0 / 1024);
  EXPECT_THROW(QuantileSketch(layout_of_orders(), 7), std::invalid_argument);
}

TEST(QuantileSketch, HasNothingToSayAboutNothing) {
  const QuantileSketch sketch(layout_of_orders(), 8);
  const double p[] = {0.5};
  double q = 0;
  sketch.quantiles(0, 0, p, &q);
  EXPECT_TRUE(std::isnan(q));
}

// A node of full leaves has k items per number, however many there are and whoever fails.
TEST(QuantileSketch, StaysSmall) {
  for (const double share : {0.0, 0.01, 0.5}) {
    std::vector<QuantileSketch> nodes;
    for (std::uint64_t first = 0; first < 65536; first += 64)
      nodes.push_back(sketch_of(first, first + 64, 65536, 64, {share}));
    const std::size_t leaf = nodes[0].bytes();
    EXPECT_EQ(balanced(std::move(nodes)).bytes(), leaf);
  }
}

TEST(ColumnSorter, SortsColumnsOfAnyLength) {
  for (std::size_t rows = 0; rows <= 70; ++rows) {
    std::vector<double> block(rows * ColumnSorter::width);
    // Values from a few only, so that ties are frequent too.
    for (std::size_t i = 0; i < block.size(); ++i)
      block[i] = i % 3 == 0 ? std::floor(4 * uniform(i)) : uniform(i * 71 + rows);
    std::vector<double> sorted = block;
    ColumnSorter(rows).sort(sorted.data());
    for (std::size_t c = 0; c < ColumnSorter::width; ++c) {
      std::vector<double> before, after;
      for (std::size_t r = 0; r < rows; ++r) {
        before.push_back(block[r * ColumnSorter::width + c]);
        after.push_back(sorted[r * ColumnSorter::width + c]);
      }
      std::sort(before.begin(), before.end());
      ASSERT_EQ(after, before) << rows << " rows, column " << c;
    }
  }
}

// A network of comparisons that sorts all sequences of zeros and ones sorts everything (Knuth 3,
// theorem Z of section 5.3.4). All of them up to 16 rows, 32 at a time.
TEST(ColumnSorter, SortsAllZerosAndOnes) {
  constexpr std::size_t width = ColumnSorter::width;
  for (std::size_t rows = 5; rows <= 16; ++rows) {
    const ColumnSorter sorter(rows);
    for (std::size_t first = 0; first < std::size_t{1} << rows; first += width) {
      std::vector<double> block(rows * width);
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < width; ++c)
          block[r * width + c] = ((first + c) >> r & 1) != 0 ? 1.0 : 0.0;
      sorter.sort(block.data());
      for (std::size_t r = 1; r < rows; ++r)
        for (std::size_t c = 0; c < width; ++c)
          ASSERT_LE(block[(r - 1) * width + c], block[r * width + c]);
    }
  }
}

TEST(MergeRuns, AgreesWithTheStandardLibrary) {
  for (std::size_t n_a = 0; n_a < 20; ++n_a) {
    for (std::size_t n_b = 0; n_b < 20; ++n_b) {
      std::vector<double> a(n_a), b(n_b), out(n_a + n_b), expected(n_a + n_b);
      for (std::size_t i = 0; i < n_a; ++i) a[i] = std::floor(30 * uniform(i + 1000 * n_b));
      for (std::size_t i = 0; i < n_b; ++i) b[i] = std::floor(30 * uniform(i + 77777 * (n_a + 1)));
      std::sort(a.begin(), a.end());
      std::sort(b.begin(), b.end());
      std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin());
      merge_runs(a.data(), n_a, b.data(), n_b, out.data());
      EXPECT_EQ(out, expected);
    }
  }
}

}  // namespace
}  // namespace tumble
