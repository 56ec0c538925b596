#include "tumble/study/statistics/moments.hpp"

#include <gtest/gtest.h>

#include "ensemble_for_tests.hpp"

namespace tumble {
namespace {

constexpr double u = 0x1p-53;

LayoutPointer layout_of(std::size_t times, std::vector<std::uint32_t> sizes) {
  return std::make_shared<const StatisticsLayout>(times, std::move(sizes));
}

/// Rows of an ensemble, reduced in leaves of 64 that are merged as a balanced tree.
Moments tree_of(const LayoutPointer& layout, const std::vector<std::vector<double>>& rows) {
  std::vector<Moments> nodes;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (r % 64 == 0) nodes.emplace_back(layout);
    nodes.back().add(static_cast<std::int64_t>(r), rows[r].data(), 1, layout->times());
  }
  while (nodes.size() > 1) {
    std::vector<Moments> next;
    for (std::size_t i = 0; i + 1 < nodes.size(); i += 2)
      next.push_back(Moments::merge(nodes[i], nodes[i + 1]));
    if (nodes.size() % 2 == 1) next.push_back(nodes.back());
    nodes = std::move(next);
  }
  return nodes[0];
}

struct TwoPass {
  long double mean_a = 0, mean_b = 0, covariance = 0;
};
TwoPass two_pass(const std::vector<std::vector<double>>& rows, std::size_t a, std::size_t b) {
  TwoPass result;
  const auto n = static_cast<long double>(rows.size());
  for (const auto& row : rows) {
    result.mean_a += row[a] / n;
    result.mean_b += row[b] / n;
  }
  for (const auto& row : rows)
    result.covariance += (row[a] - result.mean_a) * (row[b] - result.mean_b) / (n - 1);
  return result;
}

/// Sums of uniforms: standard deviation 1, components correlated.
std::vector<std::vector<double>> rows_around(double mean, std::size_t n, std::size_t width) {
  std::vector<std::vector<double>> rows(n, std::vector<double>(width));
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t i = 0; i < width; ++i)
      rows[r][i] = mean + std::sqrt(6.0) *
                              (uniform(r * (width + 1) + i) + uniform(r * (width + 1) + i + 1) - 1);
  return rows;
}

TEST(Moments, KnownAnswer) {
  Moments m(layout_of(1, {3}));
  const double rows[4][3] = {{1, 2, 0}, {2, 4, 0}, {3, 6, 0}, {4, 8, 3}};
  for (std::int64_t r = 0; r < 4; ++r) m.add(r, rows[r], 1, 1);
  EXPECT_EQ(m.count(0), 4u);
  EXPECT_DOUBLE_EQ(m.mean(0, 0), 2.5);
  EXPECT_DOUBLE_EQ(m.mean(0, 1), 5.0);
  EXPECT_DOUBLE_EQ(m.variance(0, 0), 5.0 / 3.0);
  EXPECT_DOUBLE_EQ(m.covariance(0, 0, 0, 1), 10.0 / 3.0);
  EXPECT_DOUBLE_EQ(m.covariance(0, 0, 1, 0), 10.0 / 3.0);
  EXPECT_DOUBLE_EQ(m.covariance(0, 0, 0, 2), 1.5);  // sum of (x - 2.5) z is 1.5 * 3
  EXPECT_DOUBLE_EQ(m.standard_deviation(0, 2), 1.5);
  EXPECT_EQ(m.minimum(0, 1), 2.0);
  EXPECT_EQ(m.minimum_realization(0, 1), 0);
  EXPECT_EQ(m.maximum(0, 1), 8.0);
  EXPECT_EQ(m.maximum_realization(0, 1), 3);
}

TEST(Moments, NothingCountsAndOneCounts) {
  Moments m(layout_of(2, {1}));
  const double values[] = {7, 8};
  m.add(4, values, 1, 1);
  EXPECT_EQ(m.mean(0, 0), 7.0);
  EXPECT_TRUE(std::isnan(m.standard_deviation(0, 0)));
  EXPECT_EQ(m.count(1), 0u);
  EXPECT_TRUE(std::isnan(m.mean(1, 0)));
  EXPECT_TRUE(std::isnan(m.minimum(1, 0)));
  EXPECT_EQ(m.minimum_realization(1, 0), Moments::no_realization);
}

TEST(Moments, MergingWithNothingChangesNothing) {
  const auto rows = rows_around(1e8, 64, 3);
  const auto layout = layout_of(1, {3});
  const Moments m = tree_of(layout, rows);
  const auto bytes = [](const Moments& x) {
    ByteWriter out;
    x.write(out);
    return out.take();
  };
  EXPECT_EQ(bytes(Moments::merge(m, Moments(layout))), bytes(m));
  EXPECT_EQ(bytes(Moments::merge(Moments(layout), m)), bytes(m));
}

// The bounds are those documented in moments.hpp, for L = 7 levels.
TEST(Moments, KeepTheirErrorBoundsOnIllConditionedData) {
  constexpr double L = 7;
  for (const double mean : {0.0, 1.0, 1e4, 1e8, -1e8}) {
    for (const std::size_t n : {64u, 1000u, 8192u}) {
      const auto rows = rows_around(mean, n, 4);
      const Moments m = tree_of(layout_of(1, {4}), rows);
      const double X = std::abs(mean) + std::sqrt(6.0);  // sums of uniforms end there
      // Standard deviations are 1 within the scatter of the sample: the scale of all entries.
      const double mean_bound = (40 + 4 * L) * u * X;
      const double variance_bound = (4 * std::sqrt(1 + L / 4) * (40 + 4 * L) * X + 67 + 5 * L) * u;
      for (std::size_t a = 0; a < 4; ++a) {
        for (std::size_t b = a; b < 4; ++b) {
          const TwoPass exact = two_pass(rows, a, b);
          EXPECT_NEAR(m.mean(0, a), static_cast<double>(exact.mean_a), mean_bound);
          EXPECT_NEAR(m.covariance(0, 0, a, b), static_cast<double>(exact.covariance),
                      variance_bound)
              << "mean " << mean << " n " << n;
        }
      }
    }
  }
}

// numpy: ((y - y.mean())**3).mean() and **4 of these numbers.
TEST(Moments, ThirdAndFourthMoments) {
  const auto layout = layout_of(1, {1});
  const double values[] = {1, 2, 4, 8, 16, 32};
  Moments all(layout), low(layout), high(layout);
  for (std::int64_t r = 0; r < 6; ++r) {
    all.add(r, &values[r], 1, 1);
    (r < 2 ? low : high).add(r, &values[r], 1, 1);
  }
  for (const Moments& m : {all, Moments::merge(low, high), Moments::merge(high, low)}) {
    EXPECT_NEAR(m.third_moment(0, 0), 1390.5, 1e-12 * 1390.5);
    EXPECT_NEAR(m.fourth_moment(0, 0), 38296.5625, 1e-12 * 38296.5625);
  }
  EXPECT_TRUE(std::isnan(Moments(layout).fourth_moment(0, 0)));
}

// A distant mean costs digits, in proportion to mean / deviation as in the variance.
TEST(Moments, FourthMomentsOfTreesAreThoseOfTwoPasses) {
  for (const double mean : {0.0, -3.0, 1e4, 1e8}) {
    const auto rows = rows_around(mean, 5000, 2);
    const Moments m = tree_of(layout_of(1, {2}), rows);
    for (std::size_t a = 0; a < 2; ++a) {
      const auto n = static_cast<long double>(rows.size());
      const long double centre = two_pass(rows, a, a).mean_a;
      long double third = 0, fourth = 0;
      for (const auto& row : rows) {
        const long double d = row[a] - centre;
        third += d * d * d / n;
        fourth += d * d * d * d / n;
      }
      const double tolerance = 1e3 * u * (1 + std::abs(mean));
      EXPECT_NEAR(m.third_moment(0, a), static_cast<double>(third), tolerance);
      EXPECT_NEAR(m.fourth_moment(0, a), static_cast<double>(fourth), tolerance);
    }
  }
}

TEST(Moments, AnEmptySideLeavesLargeFourthPowersAlone) {
  const auto layout = layout_of(1, {1});
  Moments m(layout);
  const double values[] = {1e100, 1e100};
  for (std::int64_t r = 0; r < 2; ++r) m.add(r, &values[r], 1, 1);
  EXPECT_EQ(Moments::merge(m, Moments(layout)).fourth_moment(0, 0), 0.0);
  EXPECT_EQ(Moments::merge(Moments(layout), m).fourth_moment(0, 0), 0.0);
}

TEST(Moments, AConstantHasNoVariance) {
  const std::vector<std::vector<double>> rows(1000, {0.1, 1e8 / 3});
  const Moments m = tree_of(layout_of(1, {1, 1}), rows);
  EXPECT_EQ(m.mean(0, 0), 0.1);
  EXPECT_EQ(m.mean(0, 1), 1e8 / 3);
  EXPECT_EQ(m.standard_deviation(0, 0), 0.0);
  EXPECT_EQ(m.standard_deviation(0, 1), 0.0);
  EXPECT_EQ(m.fourth_moment(0, 0), 0.0);
  EXPECT_EQ(m.fourth_moment(0, 1), 0.0);
}

TEST(Moments, OfEqualExtremesTheFirstIsNamed) {
  const auto layout = layout_of(1, {1});
  Moments low(layout), high(layout);
  const double values[] = {5, 1, 5, 1};
  for (std::int64_t r = 0; r < 4; ++r) low.add(r, &values[r], 1, 1);
  for (std::int64_t r = 4; r < 8; ++r) high.add(r, &values[r - 4], 1, 1);
  for (const Moments& m : {low, Moments::merge(low, high), Moments::merge(high, low)}) {
    EXPECT_EQ(m.minimum_realization(0, 0), 1);
    EXPECT_EQ(m.maximum_realization(0, 0), 0);
  }
}

// More times than one chunk, a chunk's remainder, and lanes: the same bits as one by one.
TEST(Moments, ReadLanesInPlace) {
  const auto layout = layout_of(75, {1, 3});
  const std::size_t width = 4, row = layout->row();
  std::vector<double> lanes(width * row);
  for (std::size_t i = 0; i < lanes.size(); ++i) lanes[i] = uniform(i);
  Moments strided(layout), plain(layout);
  for (std::int64_t lane = 0; lane < static_cast<std::int64_t>(width); ++lane) {
    const std::size_t valid = lane == 2 ? 40 : 75;
    std::vector<double> alone(row);
    for (std::size_t i = 0; i < row; ++i) alone[i] = lanes[i * width + lane];
    strided.add(lane, lanes.data() + lane, width, valid);
    plain.add(lane, alone.data(), 1, valid);
  }
  ByteWriter a, b;
  strided.write(a);
  plain.write(b);
  EXPECT_EQ(a.take(), b.take());
  EXPECT_EQ(strided.count(39), 4u);
  EXPECT_EQ(strided.count(40), 3u);
  double sum = 0;
  for (std::size_t lane = 0; lane < width; ++lane)
    sum += lane == 2 ? 0 : lanes[(74 * 4 + 3) * 4 + lane];
  EXPECT_DOUBLE_EQ(strided.mean(74, 3), sum / 3);
}

}  // namespace
}  // namespace tumble
