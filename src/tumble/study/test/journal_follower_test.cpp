// How far a study is, seen by another process.
#include "tumble/study/journal/journal_follower.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tumble/study/journal/journal.hpp"
#include "tumble/study/journal/leaf_record.hpp"

namespace tumble {
namespace {

class JournalFollowerTest : public ::testing::Test {
 protected:
  JournalFollowerTest()
      : directory_(std::filesystem::temp_directory_path() /
                   ("tumble_follower_" + std::to_string(::getpid()))) {
    std::filesystem::create_directory(directory_);
  }
  ~JournalFollowerTest() override { std::filesystem::remove_all(directory_); }

  std::filesystem::path path() const { return directory_ / Journal::file_name; }

  /// A leaf without probes, whose first realisations failed.
  static std::string leaf(std::size_t realizations, std::size_t failed) {
    LeafRecord record;
    record.input_count = 1;
    record.inputs.assign(realizations, 1.5);
    record.outcomes.resize(realizations);
    for (std::size_t i = 0; i < failed; ++i)
      record.outcomes[i] = {RealizationStatus::failed, 0.5, "a reason"};
    return record.serialize();
  }
  static RecordKey key(std::uint64_t index) { return {record_kind::leaf_data, 0, index}; }

  void expect(JournalFollower& follower, std::uint64_t realizations, std::uint64_t failed) {
    follower.look();
    EXPECT_EQ(follower.realizations(), realizations);
    EXPECT_EQ(follower.failed(), failed);
  }

  const std::filesystem::path directory_;
  const JournalIdentity identity_{{"study", "a"}};
};

TEST_F(JournalFollowerTest, CountsWhatIsAppended) {
  JournalFollower follower(path());
  expect(follower, 0, 0);  // there is no file
  Journal journal(directory_, identity_, Journal::Start::fresh);
  expect(follower, 0, 0);
  journal.append(key(3), leaf(64, 2));
  expect(follower, 64, 2);
  expect(follower, 64, 2);
  journal.append({record_kind::leaf_values, 0, 0}, "values");
  journal.append(key(0), leaf(64, 0));
  journal.append({record_kind::node, 0, 0}, "statistics");
  journal.append(key(4), leaf(10, 1));
  expect(follower, 138, 3);
  // The incomplete last leaf is completed.
  journal.append(key(4), leaf(64, 5));
  expect(follower, 192, 7);
}

TEST_F(JournalFollowerTest, SeesThatTheFileWasReplaced) {
  JournalFollower follower(path());
  Journal journal(directory_, identity_, Journal::Start::fresh);
  for (std::uint64_t i = 0; i < 4; ++i) journal.append(key(i), leaf(64, i));
  journal.append({record_kind::node, 0, 0}, "statistics");
  expect(follower, 256, 6);
  journal.compact([](const RecordInfo& info) { return info.key.index != 3; });
  expect(follower, 192, 3);
  journal.append(key(3), leaf(64, 0));
  expect(follower, 256, 3);
  std::filesystem::remove(path());
  expect(follower, 0, 0);
}

TEST_F(JournalFollowerTest, WaitsForRecordsThatAreBeingWritten) {
  {
    Journal journal(directory_, identity_, Journal::Start::fresh);
    journal.append(key(0), leaf(64, 1));
    journal.append(key(1), leaf(64, 1));
  }
  const auto size = std::filesystem::file_size(path());
  std::string bytes(size, '\0');
  std::ifstream(path(), std::ios::binary).read(bytes.data(), static_cast<std::streamsize>(size));
  std::filesystem::resize_file(path(), size - 1);
  JournalFollower follower(path());
  expect(follower, 64, 1);
  std::ofstream(path(), std::ios::binary | std::ios::app) << bytes.back();
  expect(follower, 128, 2);
}

}  // namespace
}  // namespace tumble
