#include "tumble/study/stopping_rule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

#include "ensemble_for_tests.hpp"
#include "tumble/study/checked_source.hpp"

namespace tumble {
namespace {

std::vector<std::uint64_t> check_points(std::uint64_t every, std::uint64_t most) {
  std::vector<std::uint64_t> points{check_point(every, 0, most)};
  while (points.back() < most) points.push_back(check_point(every, points.back() + 1, most));
  return points;
}

TEST(StoppingRule, LooksAtFixedNumbers) {
  EXPECT_EQ(check_points(512, 5000),
            (std::vector<std::uint64_t>{512, 1024, 1536, 2560, 4096, 5000}));
  EXPECT_EQ(check_points(1, 300), (std::vector<std::uint64_t>{64, 128, 192, 300}));
  EXPECT_EQ(check_points(1000, 700), (std::vector<std::uint64_t>{700}));
  // Whoever goes on from 1100 realisations looks where an undisturbed study would.
  EXPECT_EQ(check_point(512, 1100, 5000), 1536u);
  EXPECT_EQ(check_point(512, 1536, 5000), 1536u);
}

/// Two times, a scalar that is 0 and then scatters about 10 by 2, another that is constant.
LeafStatistics sample(StoredValues& values) {
  LeafBuilder builder(values.layout(), {0, true}, 0);
  for (int i = 0; i < 64; ++i) {
    const double row[] = {0, 5, i % 2 == 0 ? 8.0 : 12.0, 5};
    builder.add(row, 1, 2);
  }
  const LeafStatistics statistics = builder.statistics();
  values.add(0, *builder.take_values());
  return statistics;
}

TEST(StoppingRule, ErrorsRelativeToTheLargestValues) {
  StoredValues values(
      std::make_shared<const StatisticsLayout>(2, std::vector<std::uint32_t>{1, 1}));
  const LeafStatistics s = sample(values);
  const EnsembleQuantiles q =
      ensemble_quantiles(s, &values, std::vector<double>{0.05, 0.5, 0.95}, {});
  StoppingRule rule;
  rule.quantities = {0, 1};
  rule.relative_mean_error = 0.03;
  rule.relative_quantile_width = 0.5;
  const RelativeErrors errors = relative_errors(rule, s, &q, {});
  // s^2 = 4 * 64 / 63; the root-mean-square value is sqrt(100 + s^2).
  const double variance = 4.0 * 64 / 63;
  EXPECT_NEAR(errors.mean, std::sqrt(variance / 64 / (100 + variance)), 1e-14);
  // 64 values are too few for an interval of the 0.05-quantile.
  EXPECT_TRUE(std::isinf(errors.quantile));
  EXPECT_FALSE(is_met(rule, errors));
  rule.relative_quantile_width.reset();
  EXPECT_TRUE(is_met(rule, relative_errors(rule, s, nullptr, {})));
  rule.relative_mean_error = 0.02;
  EXPECT_FALSE(is_met(rule, relative_errors(rule, s, nullptr, {})));
  // The constant alone has no error.
  rule.quantities = {1};
  EXPECT_EQ(relative_errors(rule, s, nullptr, {}).mean, 0.0);
  rule.relative_quantile_width = 0.5;
  const EnsembleQuantiles wide =
      ensemble_quantiles(s, &values, std::vector<double>{0.25, 0.5, 0.75}, {});
  EXPECT_EQ(relative_errors(rule, s, &wide, {}).quantile, 0.0);
  // The median lies anywhere between 8 and 12, and so do the quartiles: all of their distance.
  rule.quantities = {0};
  EXPECT_DOUBLE_EQ(relative_errors(rule, s, &wide, {}).quantile, 1.0);
}

TEST(StoppingRule, TooFewToTellIsNotMet) {
  StoredValues values(std::make_shared<const StatisticsLayout>(1, std::vector<std::uint32_t>{1}));
  LeafBuilder builder(values.layout(), {0, false}, 0);
  const double x = 1;
  builder.add(&x, 1, 1);
  StoppingRule rule;
  rule.quantities = {0};
  rule.relative_mean_error = 1e9;
  EXPECT_FALSE(is_met(rule, relative_errors(rule, builder.statistics(), nullptr, {})));
}

// 64 realisations in 16 copies are 4 in each; one copy has no errors at all.
TEST(StoppingRule, SmallCopiesDoNotMeetIt) {
  const auto layout = std::make_shared<const StatisticsLayout>(1, std::vector<std::uint32_t>{1});
  StoppingRule rule;
  rule.quantities = {0};
  rule.relative_mean_error = 1e9;
  for (const std::uint64_t copies : {16u, 8u, 1u}) {
    LeafBuilder builder(layout, {0, false, copies}, 0);
    for (int i = 0; i < 64; ++i) {
      const double x = i;
      builder.add(&x, 1, 1);
    }
    EXPECT_EQ(is_met(rule, relative_errors(rule, builder.statistics(), nullptr, {copies, {}})),
              copies == 8);
  }
}

/// Which leaves four threads compute, and where the study ends.
TEST(CheckedSource, NoLeafBeyondACheckPointBeforeTheVerdict) {
  for (const std::uint64_t enough_at : {128u, 192u, 320u, 1000u}) {
    std::mutex mutex;
    std::set<std::uint64_t> finished;
    std::vector<std::uint64_t> asked;
    CheckedSource source(64, {[&](const LeafTask& task) {
                                const std::lock_guard lock(mutex);
                                return finished.contains(task.leaf);
                              },
                              [&](std::uint64_t n) {
                                const std::lock_guard lock(mutex);
                                EXPECT_EQ(finished.size(), (n + 63) / 64);
                                asked.push_back(n);
                                return n >= enough_at;
                              },
                              [](std::uint64_t n) { return check_point(64, n + 1, 700); }});
    const auto work = [&] {
      while (const auto task = source.next()) {
        if (task->is_pause()) {
          std::this_thread::yield();
          continue;
        }
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        const std::lock_guard lock(mutex);
        EXPECT_TRUE(finished.insert(task->leaf).second);
      }
    };
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back(work);
    threads.clear();
    const std::vector<std::uint64_t> all{64, 128, 192, 320, 512, 700};
    const auto last =
        std::find_if(all.begin(), all.end() - 1, [&](std::uint64_t n) { return n >= enough_at; });
    EXPECT_EQ(asked, std::vector<std::uint64_t>(all.begin(), last + 1));
    EXPECT_EQ(source.realizations(), *last);
    EXPECT_EQ(finished.size(), (*last + 63) / 64);
    EXPECT_FALSE(source.next());
  }
}

}  // namespace
}  // namespace tumble
