// Intervals of probabilities: against SciPy, and whether they hold what they say.
#include "tumble/study/statistics/proportion_interval.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "ensemble_for_tests.hpp"

namespace tumble::proportion_interval_test {

// scipy.stats.binomtest(k, n).proportion_ci(level, "exact"), SciPy 1.10.
TEST(ProportionInterval, KnownAnswers) {
  const auto check = [](double hits, double trials, double level, double lower, double upper) {
    const Interval found = exact_proportion_interval(hits, trials, level);
    EXPECT_NEAR(found.lower, lower, 1e-12);
    EXPECT_NEAR(found.upper, upper, 1e-12);
  };
  check(3, 20, 0.95, 0.03207093718554477, 0.37892682654529564);
  check(0, 10, 0.95, 0, 0.30849710781876294);
  check(10, 10, 0.9, 0.7411344491066528, 1);
  check(250, 1000, 0.99, 0.21549682324153813, 0.28692213443999504);
  // Numbers that are not whole: scipy.stats.beta.ppf.
  check(2.5, 17.25, 0.95, 0.024895767132615636, 0.3952636058649472);
}

TEST(ProportionInterval, OfOneCopyIsNotKnown) {
  const std::vector<std::uint64_t> hits{3, 0}, counts{8, 0};
  EXPECT_TRUE(std::isnan(copies_proportion_interval(hits, counts, 0.95).lower));
}

// Nothing scatters, and yet the fraction is not known to the last digit.
TEST(ProportionInterval, DoesNotVanish) {
  const std::vector<std::uint64_t> hits(16, 4), counts(16, 8), none(16, 0);
  const Interval half = copies_proportion_interval(hits, counts, 0.95);
  EXPECT_NEAR(half.upper - 0.5, (1 - std::pow(0.025, 1.0 / 16)) / 8, 1e-12);
  EXPECT_NEAR(0.5 - half.lower, half.upper - 0.5, 1e-12);
  const Interval zero = copies_proportion_interval(none, counts, 0.95);
  EXPECT_EQ(zero.lower, 0);
  EXPECT_NEAR(zero.upper, exact_proportion_interval(0, 128, 0.95).upper, 1e-12);
}

/// Share of 1000 studies whose interval holds the probability p; hits(study, copy) of n points.
template <class Hits>
double coverage(double p, std::size_t copies, std::uint64_t n, const Hits& hits) {
  int held = 0;
  for (std::uint64_t study = 0; study < 1000; ++study) {
    std::vector<std::uint64_t> found, counts(copies, n);
    for (std::size_t r = 0; r < copies; ++r) found.push_back(hits(study * copies + r));
    const Interval interval = copies_proportion_interval(found, counts, 0.95);
    held += interval.lower <= p && p <= interval.upper ? 1 : 0;
  }
  return held / 1000.0;
}

// The bar of all intervals: at least 0.92; by 1000 studies it is known within 0.02, which the
// tolerance allows for on the one side.
TEST(ProportionInterval, HoldsForPointsThatFillOneInputEvenly) {
  for (const std::uint64_t n : {8, 32, 128})
    for (const double p : {0.5, 0.3137, 0.1, 0.02}) {
      const double whole = std::floor(static_cast<double>(n) * p);
      const double part = static_cast<double>(n) * p - whole;
      const double held = coverage(p, 16, n, [&](std::uint64_t i) {
        return static_cast<std::uint64_t>(whole) + (uniform(i) < part ? 1 : 0);
      });
      EXPECT_GE(held, 0.90) << n << " " << p;
    }
}

// The same without chance: the number of copies with the higher number of hits is binomial. Where a
// whole number of points is beyond, nothing is random, and an interval always holds or never does.
TEST(ProportionInterval, HoldsWhereverEvenPointsEnd) {
  for (const std::uint64_t copies : {8u, 16u})
    for (const std::uint64_t n : {8u, 32u, 128u})
      for (const std::uint64_t lower : {std::uint64_t{0}, std::uint64_t{1}, n / 2, n - 1}) {
        std::vector<Interval> intervals;
        for (std::uint64_t h = 0; h <= copies; ++h) {
          std::vector<std::uint64_t> hits(copies, lower);
          for (std::uint64_t r = 0; r < h; ++r) ++hits[r];
          intervals.push_back(
              copies_proportion_interval(hits, std::vector<std::uint64_t>(copies, n), 0.95));
        }
        double worst = 1;
        for (int i = 1; i < 1000; ++i) {
          const double part = i / 1000.0;
          const double p = (static_cast<double>(lower) + part) / static_cast<double>(n);
          double held = 0, chance = std::pow(1 - part, static_cast<double>(copies));
          for (std::uint64_t h = 0; h <= copies; ++h) {
            if (intervals[h].lower <= p && p <= intervals[h].upper) held += chance;
            chance *=
                static_cast<double>(copies - h) / static_cast<double>(h + 1) * part / (1 - part);
          }
          worst = std::min(worst, held);
        }
        EXPECT_GE(worst, 0.92) << copies << " " << n << " " << lower;
      }
}

TEST(ProportionInterval, HoldsForIndependentPoints) {
  for (const double p : {0.5, 0.1, 0.02}) {
    const double held = coverage(p, 16, 32, [&](std::uint64_t i) {
      std::uint64_t hits = 0;
      for (std::uint64_t k = 0; k < 32; ++k) hits += uniform(32 * i + k) < p ? 1 : 0;
      return hits;
    });
    EXPECT_GE(held, 0.93) << p;
    EXPECT_LE(held, 0.995) << p;
  }
}

}  // namespace tumble::proportion_interval_test
