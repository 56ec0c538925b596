#include "tumble/study/journal/journal.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tumble/base/crc64.hpp"
#include "tumble/study/test/journal_fixture.hpp"

namespace tumble {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using Reason = JournalError::Reason;
using Start = Journal::Start;

// The check value of CRC-64/XZ in the catalogue of parametrised CRC algorithms (G. Cook).
TEST(Crc64, KnownAnswerAndParts) {
  EXPECT_EQ(crc64("123456789"), 0x995DC9BBDF1939FAu);
  EXPECT_EQ(crc64(""), 0u);
  const std::string text = "a text longer than eight bytes, cut in every place";
  for (std::size_t i = 0; i <= text.size(); ++i) {
    EXPECT_EQ(crc64(text.substr(i), crc64(text.substr(0, i))), crc64(text)) << i;
  }
}

// Long data are summed in three parts at once; short pieces are not.
TEST(Crc64, LongDataHaveTheSumOfTheirPieces) {
  for (const std::size_t size : {65535u, 65536u, 65537u, 100'000u, 300'007u}) {
    std::string data(size, '\0');
    for (std::size_t i = 0; i < size; ++i) data[i] = static_cast<char>(i * 2654435761u >> 13);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < size; i += 1000)
      sum = crc64(std::string_view(data).substr(i, 1000), sum);
    EXPECT_EQ(crc64(data), sum) << size;
    EXPECT_EQ(crc64(std::string_view(data).substr(10), crc64(data.substr(0, 10))), sum) << size;
  }
}

class JournalTest : public JournalFixture {};

TEST_F(JournalTest, RoundTrip) {
  const auto ends = write_sample();
  const auto [content, report] = resume();
  EXPECT_EQ(content, sample());
  EXPECT_EQ(report.records, sample().size());
  EXPECT_FALSE(report.created);
  EXPECT_EQ(report.cut_bytes, 0u);
  EXPECT_EQ(report.message, "");
  EXPECT_EQ(bytes().size(), ends.back());
}

TEST_F(JournalTest, ResumesWhereItEnded) {
  write_sample();
  open()->append({record_kind::node, 5, 6}, "more");
  auto expected = sample();
  expected.push_back({{record_kind::node, 5, 6}, "more"});
  EXPECT_EQ(resume().first, expected);
}

TEST_F(JournalTest, IsTheSameBytesHoweverOftenInterrupted) {
  write_sample();
  const std::string whole = bytes();
  open(Start::overwrite);
  for (const auto& [key, payload] : sample()) open()->append(key, payload);
  EXPECT_EQ(bytes(), whole);
}

TEST_F(JournalTest, ReadsBackWhileOpen) {
  const auto journal = open();
  EXPECT_TRUE(journal->report().created);
  std::vector<RecordInfo> infos;
  for (const auto& [key, payload] : sample()) infos.push_back(journal->append(key, payload));
  Content content;
  journal->for_each(collect(content));
  EXPECT_EQ(content, sample());
  for (std::size_t i = 0; i < infos.size(); ++i) {
    EXPECT_EQ(journal->read(infos[i]), sample()[i].second);
  }
}

TEST_F(JournalTest, LeavesNothingButTheJournal) {
  write_sample();
  const std::filesystem::directory_iterator files(directory_);
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST_F(JournalTest, FreshRefusesAnExistingOne) {
  write_sample();
  const std::string before = bytes();
  EXPECT_THAT(refusal(Reason::exists, Start::fresh),
              AllOf(HasSubstr(path().string()), HasSubstr("continue"), HasSubstr("replace")));
  EXPECT_EQ(bytes(), before);
  EXPECT_TRUE(open(Start::overwrite)->report().created);
  EXPECT_TRUE(resume().first.empty());
}

TEST_F(JournalTest, OtherIdentityIsRefusedWithTheDifference) {
  write_sample();
  const std::string before = bytes();
  identity_["seed"] = "2";
  EXPECT_THAT(refusal(Reason::other_identity),
              AllOf(HasSubstr("seed is 1 there and 2 here"), Not(HasSubstr("model_sha256")),
                    HasSubstr("replace it"), HasSubstr(path().string())));
  identity_.erase("model_sha256");
  identity_["table_sha256"] = std::string(500, 'f');
  const std::string message = refusal(Reason::other_identity);
  EXPECT_THAT(message, AllOf(HasSubstr("model_sha256 is ab12 there and absent here; seed is"),
                             HasSubstr("table_sha256 is absent there and fff")));
  EXPECT_LT(message.size(), 600u);
  EXPECT_EQ(bytes(), before);
}

TEST_F(JournalTest, RecordsOfAnotherStudyAreNotEvenShown) {
  write_sample();
  identity_["seed"] = "2";
  Content content;
  EXPECT_THROW(open(Start::resume, collect(content)), JournalError);
  EXPECT_TRUE(content.empty());
}

TEST_F(JournalTest, IdentityHoldsAnyText) {
  identity_ = {{"", ""}, {"a=b\n", std::string("\0\xff", 2)}, {"long", std::string(100000, 'x')}};
  write_sample();
  EXPECT_EQ(resume().first, sample());
  EXPECT_EQ(inspect_journal(path()).identity, identity_);
}

TEST_F(JournalTest, InspectionNeedsNoLockAndChangesNothing) {
  const auto ends = write_sample();
  const auto journal = open();
  std::filesystem::resize_file(path(), ends.back() - 1);
  Content content;
  const ScanResult result = inspect_journal(path(), collect(content));
  EXPECT_EQ(content, first_of(sample(), 4));
  EXPECT_EQ(result.good_bytes, ends[4]);
  EXPECT_EQ(bytes().size(), ends.back() - 1);
  EXPECT_THROW(inspect_journal(directory_ / "none"), std::system_error);
}

TEST_F(JournalTest, MissingDirectoryIsASystemError) {
  EXPECT_THROW(Journal(directory_ / "none", identity_, Start::resume), std::system_error);
}

TEST_F(JournalTest, BadArgumentsWriteNothing) {
  const auto journal = open();
  const auto before = journal->bytes();
  EXPECT_THROW(journal->append({record_kind::identity, 0, 0}, ""), std::invalid_argument);
  // Refused by its size alone: the bytes are never touched.
  const std::string_view huge("", max_payload_bytes + 1);
  EXPECT_THROW(journal->append({record_kind::node, 0, 0}, huge), std::length_error);
  EXPECT_EQ(journal->bytes(), before);
}

TEST_F(JournalTest, CompactionKeepsWhatIsAlive) {
  write_sample();
  const auto journal = open();
  std::vector<RecordInfo> old;
  journal->for_each([&](const RecordInfo& info, std::string_view) { old.push_back(info); });
  const auto before = journal->bytes();
  std::vector<RecordInfo> kept;
  journal->compact([](const RecordInfo& info) { return info.key.level == 1; },
                   [&](const RecordInfo& info) { kept.push_back(info); });
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(journal->read(kept[0]), sample()[3].second);
  EXPECT_EQ(journal->bytes(), before - old[0].bytes() - old[1].bytes() - old[2].bytes());
  EXPECT_THROW(journal->read(old[0]), std::invalid_argument);
  journal->append({record_kind::node, 9, 9}, "after");
  Content content;
  journal->for_each(collect(content));
  EXPECT_EQ(content.size(), 3u);
  EXPECT_EQ(content[0].second, sample()[3].second);
  EXPECT_EQ(content[2].second, "after");
}

TEST(JournalPolicy, CompactsOnlyWhatPays) {
  constexpr std::uint64_t MiB = 1 << 20;
  EXPECT_FALSE(should_compact(0, MiB));
  EXPECT_TRUE(should_compact(MiB, 4 * MiB));
  EXPECT_TRUE(should_compact(50 * MiB, 100 * MiB));
  EXPECT_FALSE(should_compact(51 * MiB, 100 * MiB));
}

TEST_F(JournalTest, SyncIntervalIsKept) {
  using std::chrono::hours;
  const auto journal = open(Start::overwrite, {}, {hours(1), {}});
  journal->append({record_kind::node, 0, 0}, "waits");
  EXPECT_TRUE(journal->sync());
  EXPECT_FALSE(journal->sync());  // nothing is left to do
}

TEST_F(JournalTest, SynchronisesWhenDue) {
  const auto journal = open(Start::overwrite, {}, {std::chrono::milliseconds(20), {}});
  journal->append({record_kind::node, 0, 0}, "may wait");
  std::this_thread::sleep_for(std::chrono::milliseconds(25));
  journal->append({record_kind::node, 1, 0}, "takes both to the disk");
  EXPECT_FALSE(journal->sync());
}

TEST_F(JournalTest, ThreadsAppendWholeRecords) {
  constexpr std::uint64_t threads = 4, each = 50;
  {
    const auto journal = open(Start::overwrite, {}, {std::chrono::milliseconds(20), {}});
    std::vector<std::thread> workers;
    for (std::uint64_t t = 0; t < threads; ++t) {
      workers.emplace_back([&, t] {
        for (std::uint64_t i = 0; i < each; ++i) {
          journal->append({record_kind::node, t, i}, std::string(t * 100 + i, 'x'));
          if (i == each / 2) journal->compact([](const RecordInfo&) { return true; });
        }
      });
    }
    for (auto& worker : workers) worker.join();
  }
  const auto [content, report] = resume();
  EXPECT_EQ(content.size(), threads * each);
  std::vector<std::uint64_t> next(threads, 0);
  for (const auto& [key, payload] : content) {
    EXPECT_EQ(key.index, next[key.level]++);
    EXPECT_EQ(payload.size(), key.level * 100 + key.index);
  }
}

}  // namespace
}  // namespace tumble
