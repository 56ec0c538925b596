// The journal of a study holds what resuming and results need, and stays small.
#include "tumble/study/journal/study_store.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "ensemble_for_tests.hpp"

namespace tumble {
namespace {

class StudyStoreTest : public testing::Test {
 protected:
  StudyStoreTest() {
    directory_ = std::filesystem::temp_directory_path() /
                 (std::string("tumble_store_") + std::to_string(::getpid()) + "_" +
                  testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(directory_);
  }
  ~StudyStoreTest() override { std::filesystem::remove_all(directory_); }

  StudyStore open(Journal::Start start) const {
    return StudyStore(directory_, {{"seed", "1"}}, start, layout_);
  }

  /// A leaf whose values follow from indices. Its statistics take about 60 KiB.
  LeafResult leaf(std::uint64_t index, std::uint64_t count = realizations_per_leaf) const {
    LeafBuilder builder(layout_, {0, false}, index);
    LeafRecord record;
    record.leaf = index;
    record.input_count = 1;
    std::vector<double> values(layout_->row());
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t r = builder.next();
      for (std::size_t k = 0; k < values.size(); ++k) values[k] = uniform(r * 1000003 + k);
      const bool good = r % 50 != 7;
      builder.add(values.data(), 1, good ? layout_->times() : 3);
      record.inputs.push_back(static_cast<double>(r));
      record.outcomes.push_back(
          good ? RealizationOutcome{}
               : RealizationOutcome{RealizationStatus::failed, 0.25, "it broke"});
    }
    record.summaries = builder.take_summaries();
    return {std::move(record), builder.statistics()};
  }

  /// The same whose values, which are kept, are the numbers of its realisations.
  LeafResult with_values(std::uint64_t index, std::uint64_t count) const {
    LeafBuilder builder(layout_, {0, true}, index);
    std::vector<double> values(layout_->row());
    LeafResult result = leaf(index, count);
    for (std::uint64_t i = 0; i < count; ++i) {
      for (double& x : values) x = static_cast<double>(builder.next());
      builder.add(values.data(), 1, layout_->times());
    }
    result.record.values = builder.take_values();
    return result;
  }

  std::filesystem::path directory_;
  LayoutPointer layout_ =
      std::make_shared<const StatisticsLayout>(150, std::vector<std::uint32_t>{3, 3, 1});
};

TEST_F(StudyStoreTest, ValuesWhoseMemoryWasFreedAreReadAgain) {
  StudyStore store(directory_, {{"seed", "1"}}, Journal::Start::fresh, layout_,
                   StudyStore::Values::keep);
  for (std::uint64_t k = 0; k < 3; ++k) store.commit(with_values(k, 64));
  EXPECT_EQ(store.values(192).row(130)[0], 130);
  store.sync();
  store.free_values();
  for (std::uint64_t r = 0; r < 192; ++r)
    EXPECT_EQ(store.values(192).row(r)[5], static_cast<double>(r));
  std::uint64_t seen = 0;
  store.for_each_values(192, [&](std::uint64_t, const LeafValues&) { ++seen; });
  EXPECT_EQ(seen, 3U);
}

TEST_F(StudyStoreTest, CompactionKeepsEverythingThatCounts) {
  constexpr std::uint64_t leaves = 150, n = leaves * realizations_per_leaf + 20;
  StatisticsTree direct;
  std::uint64_t appended = 0;
  for (std::uint64_t k = 0; k < leaves; ++k) direct.add(k, leaf(k).statistics);
  direct.add(leaves, leaf(leaves, 20).statistics);
  {
    StudyStore store = open(Journal::Start::fresh);
    std::vector<std::thread> threads;
    for (std::uint64_t t = 0; t < 3; ++t)
      threads.emplace_back([&store, this, t] {
        for (std::uint64_t k = t; k < leaves; k += 3) store.commit(leaf(k));
      });
    for (auto& thread : threads) thread.join();
    store.commit(leaf(leaves, 20));
    for (std::uint64_t k = 0; k < leaves; ++k)
      appended += leaf(k).statistics.serialize().size() + leaf(k).record.serialize().size();
    EXPECT_TRUE(store.statistics(n) == direct.finish(n));
  }
  const auto size = std::filesystem::file_size(directory_ / Journal::file_name);
  EXPECT_LT(size, appended / 2) << "nothing was compacted";

  StudyStore store = open(Journal::Start::resume);
  EXPECT_EQ(store.end(), n);
  for (std::uint64_t k = 0; k < leaves; ++k) EXPECT_TRUE(store.contains({k, 64}));
  EXPECT_TRUE(store.contains({leaves, 20}));
  EXPECT_FALSE(store.contains({leaves, 21}));
  EXPECT_TRUE(store.statistics(n) == direct.finish(n));
  std::vector<int> seen(n, 0);
  std::size_t failures = 0;
  store.for_each_leaf(n, [&](const LeafRecord& record) {
    failures += record.failures();
    for (std::size_t i = 0; i < record.realizations(); ++i) {
      EXPECT_EQ(record.inputs[i], static_cast<double>(record.first() + i));
      ++seen[record.first() + i];
    }
  });
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<std::ptrdiff_t>(n));
  EXPECT_EQ(failures, (n + 42) / 50);
}

TEST_F(StudyStoreTest, AnIncompleteLeafIsReplacedByALongerOne) {
  {
    StudyStore store = open(Journal::Start::fresh);
    store.commit(leaf(0));
    store.commit(leaf(1, 36));
    EXPECT_EQ(store.end(), 100u);
  }
  StudyStore store = open(Journal::Start::resume);
  EXPECT_TRUE(store.contains({1, 36}));
  EXPECT_FALSE(store.contains({1, 64}));
  store.commit(leaf(1));
  StatisticsTree direct;
  direct.add(0, leaf(0).statistics);
  direct.add(1, leaf(1).statistics);
  EXPECT_TRUE(store.statistics(128) == direct.finish(128));
  std::size_t realizations = 0;
  store.for_each_leaf(128,
                      [&](const LeafRecord& record) { realizations += record.realizations(); });
  EXPECT_EQ(realizations, 128u);
  realizations = 0;
  store.for_each_leaf(100,
                      [&](const LeafRecord& record) { realizations += record.realizations(); });
  EXPECT_EQ(realizations, 100u);
}

TEST_F(StudyStoreTest, ALeafWithoutItsStatisticsIsNotFinished) {
  { open(Journal::Start::fresh).commit(leaf(0)); }
  // A kill between the two records of leaf 1.
  {
    Journal journal(directory_, {{"seed", "1"}}, Journal::Start::resume);
    journal.append({record_kind::leaf_data, 0, 1}, leaf(1).record.serialize());
  }
  StudyStore store = open(Journal::Start::resume);
  EXPECT_TRUE(store.contains({0, 64}));
  EXPECT_FALSE(store.contains({1, 64}));
  store.commit(leaf(1));
  std::size_t leaves = 0;
  store.for_each_leaf(128, [&](const LeafRecord&) { ++leaves; });
  EXPECT_EQ(leaves, 2u);
}

TEST_F(StudyStoreTest, ValuesComeFromMemoryAndFromTheJournal) {
  const auto open_keeping = [this](Journal::Start start) {
    return StudyStore(directory_, {{"seed", "1"}}, start, layout_, StudyStore::Values::keep);
  };
  {
    StudyStore store = open_keeping(Journal::Start::fresh);
    store.commit(with_values(0, 64));
    store.commit(with_values(1, 10));
    EXPECT_EQ(store.values(74).row(70)[0], 70);
  }
  StudyStore store = open_keeping(Journal::Start::resume);
  store.commit(with_values(2, 64));
  store.commit(with_values(1, 64));
  const StoredValues& values = store.values(192);
  EXPECT_EQ(values.realizations(), 192u);
  for (const std::uint64_t r : {0u, 63u, 64u, 75u, 150u}) EXPECT_EQ(values.row(r)[0], r);
  std::size_t seen = 0;
  store.for_each_values(192, [&](std::uint64_t, const LeafValues& leaf_values) {
    seen += leaf_values.realizations();
  });
  EXPECT_EQ(seen, 192u);
}

TEST_F(StudyStoreTest, ReducedItGoesOnAndFetchesValuesAgain) {
  const auto open_needing = [this](Journal::Start start) {
    return StudyStore(directory_, {{"seed", "1"}}, start, layout_, StudyStore::Values::keep,
                      [](std::uint64_t leaf) { return leaf != 3; });
  };
  const auto size = [this] { return std::filesystem::file_size(directory_ / Journal::file_name); };
  StatisticsTree direct;
  for (std::uint64_t k = 0; k < 5; ++k) direct.add(k, leaf(k).statistics);
  direct.add(5, leaf(5, 10).statistics);
  {
    StudyStore store = open_needing(Journal::Start::fresh);
    for (std::uint64_t k = 0; k < 4; ++k) store.commit(with_values(k, 64));
    store.commit(with_values(4, 20));
    store.finish();
    const auto whole = size();
    store.reduce(StudyStore::Values::leave);
    EXPECT_LT(size(), whole / 3);
    EXPECT_TRUE(store.lacks_values({0, 64}));
  }
  const auto reduced = size();
  {
    StudyStore store = open_needing(Journal::Start::resume);
    EXPECT_EQ(store.end(), 276u);
    EXPECT_FALSE(store.contains({0, 64}));
    EXPECT_TRUE(store.lacks_values({0, 64}));
    EXPECT_TRUE(store.contains({3, 64})) << "nobody needs the values of this one";
    EXPECT_TRUE(store.lacks_values({4, 20}));
    EXPECT_FALSE(store.contains({4, 64}));
    EXPECT_FALSE(store.lacks_values({4, 64})) << "more than values is missing";
    for (std::uint64_t k = 0; k < 5; ++k) store.commit(with_values(k, 64));
    store.commit(with_values(5, 10));
    store.sync();
    EXPECT_TRUE(store.contains({0, 64}));
    EXPECT_TRUE(store.statistics(330) == direct.finish(330));
    for (const std::uint64_t r : {0u, 200u, 270u, 329u}) EXPECT_EQ(store.values(330).row(r)[0], r);
    std::size_t realizations = 0;
    store.for_each_leaf(330,
                        [&](const LeafRecord& record) { realizations += record.realizations(); });
    EXPECT_EQ(realizations, 330u);
    store.reduce(StudyStore::Values::keep);
    EXPECT_GT(size(), 2 * reduced);
  }
  StudyStore store = open_needing(Journal::Start::resume);
  EXPECT_TRUE(store.contains({0, 64}));
  EXPECT_TRUE(store.contains({5, 10}));
  EXPECT_EQ(store.values(330).row(329)[0], 329);
  EXPECT_TRUE(store.statistics(330) == direct.finish(330));
}

TEST_F(StudyStoreTest, RecordsGoThereAndBack) {
  const LeafRecord record = leaf(3).record;
  const LeafRecord back = LeafRecord::deserialize(3, record.serialize(), layout_);
  EXPECT_EQ(back.inputs, record.inputs);
  EXPECT_EQ(back.outcomes, record.outcomes);
  EXPECT_EQ(back.summaries.peaks, record.summaries.peaks);
  ASSERT_EQ(back.summaries.square_integrals.size(), 64 * layout_->quantities());
  EXPECT_EQ(back.summaries.square_integrals[0], record.summaries.square_integrals[0]);
  LeafRecord part = LeafRecord::deserialize(3, record.serialize(), layout_);
  part.truncate(10);
  EXPECT_EQ(part.summaries.peaks.size(), 10 * layout_->numbers());
  EXPECT_EQ(part.summaries.square_integrals.size(), 10 * layout_->quantities());
  EXPECT_FALSE(back.values.has_value());
  const std::string bytes = record.serialize();
  for (const std::size_t cut : {0ul, 3ul, 20ul, bytes.size() - 1})
    EXPECT_THROW(LeafRecord::deserialize(3, bytes.substr(0, cut), layout_), std::runtime_error);
}

}  // namespace
}  // namespace tumble
