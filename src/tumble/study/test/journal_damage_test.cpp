// Files cut short, altered, or never a journal: repaired or refused, and never read as other data.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <chrono>
#include <cstdint>
#include <string>

#include "tumble/base/crc64.hpp"
#include "tumble/study/test/journal_fixture.hpp"

namespace tumble {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using Reason = JournalError::Reason;

class JournalDamage : public JournalFixture {
 protected:
  // A record with a sound header, whatever it says.
  static std::string forged(RecordHeader header, const std::string& payload) {
    header.payload_checksum = crc64(payload);
    const auto bytes = encode_header(header);
    return std::string(bytes.data(), bytes.size()) + payload;
  }
  static RecordHeader header_at(std::uint64_t offset, std::uint64_t sequence, std::uint64_t size) {
    return {{{record_kind::node, 0, 0}, sequence, offset, size}, journal_format_version, offset, 0};
  }
};

TEST_F(JournalDamage, CutAnywhereKeepsAllCompleteRecords) {
  const auto ends = write_sample();
  const std::string whole = bytes();
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    SCOPED_TRACE(length);
    set_bytes(whole.substr(0, length));
    const auto [content, report] = resume();
    std::size_t complete = 0;  // with the identity
    while (complete < ends.size() && ends[complete] <= length) ++complete;
    const std::size_t records = complete == 0 ? 0 : complete - 1;
    ASSERT_EQ(content, first_of(sample(), records));
    ASSERT_EQ(report.created, complete == 0);
    const std::uint64_t good = complete == 0 ? 0 : ends[complete - 1];
    ASSERT_EQ(report.cut_bytes, length - good);
    ASSERT_EQ(report.message.empty(), length == good);
    // The repaired file is what a run without the accident would have had.
    ASSERT_EQ(bytes(), whole.substr(0, complete == 0 ? ends[0] : good));
  }
}

TEST_F(JournalDamage, RepairIsReported) {
  const auto ends = write_sample();
  set_bytes(bytes().substr(0, ends[5] - 1));
  EXPECT_THAT(resume().second.message,
              AllOf(HasSubstr(path().string()), HasSubstr("incomplete record"),
                    HasSubstr("cut off at byte " + std::to_string(ends[4]))));
  EXPECT_EQ(resume().second.message, "");
}

// Every byte, altered in one bit, in all bits, and in another bit: damage in the last record looks
// like an interrupted write, elsewhere it is refused.
TEST_F(JournalDamage, EveryAlteredByteIsNoticed) {
  const auto ends = write_sample();
  const std::string whole = bytes();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int mask : {0x01, 0x80, 0xff}) {
      SCOPED_TRACE(testing::Message() << "byte " << at << " mask " << mask);
      std::string altered = whole;
      altered[at] = static_cast<char>(altered[at] ^ mask);
      set_bytes(altered);
      if (at >= ends[4]) {
        const auto [content, report] = resume();
        ASSERT_EQ(content, first_of(sample(), 4));
        ASSERT_EQ(report.cut_at, ends[4]);
        ASSERT_EQ(report.cut_bytes, ends[5] - ends[4]);
        continue;
      }
      refusal(at < journal_magic.size() ? Reason::foreign : Reason::corrupt);
      ASSERT_EQ(bytes(), altered);  // refusing changes nothing
    }
  }
}

TEST_F(JournalDamage, AlteredIdentityWithNothingBehindItStartsAfresh) {
  open(Journal::Start::fresh);
  const std::string whole = bytes();
  for (std::size_t at = journal_magic.size(); at < whole.size(); ++at) {
    std::string altered = whole;
    altered[at] = static_cast<char>(altered[at] ^ 1);
    set_bytes(altered);
    const auto [content, report] = resume();
    ASSERT_TRUE(content.empty() && report.created && !report.message.empty()) << at;
    ASSERT_EQ(bytes(), whole);
  }
}

TEST_F(JournalDamage, RefusalSaysWhereAndWhatToDoAndThatWorks) {
  const auto ends = write_sample();
  std::string altered = bytes();
  altered[ends[2] + record_header_bytes] ^= 1;
  set_bytes(altered);
  const std::string place = std::to_string(ends[2]);
  EXPECT_THAT(refusal(Reason::corrupt),
              AllOf(HasSubstr("damaged at byte " + place), HasSubstr("start the study again"),
                    HasSubstr("truncate -s " + place + " " + path().string())));
  std::filesystem::resize_file(path(), ends[2]);
  EXPECT_EQ(resume().first, first_of(sample(), 2));
}

// Between two synchronisations a disk may write in any order, so a hole before sound records proves
// damage only if one of those was written after the hole had been synchronised.
TEST_F(JournalDamage, HoleInWhatWasNeverSynchronisedIsATornTail) {
  std::vector<std::uint64_t> ends;
  {
    const auto journal = open(Journal::Start::fresh, {}, {std::chrono::hours(1), {}});
    ends.push_back(journal->bytes());
    for (const auto& [key, payload] : sample()) {
      journal->append(key, payload);
      ends.push_back(journal->bytes());
      if (ends.size() == 3) journal->sync();  // records 1 and 2
    }
  }
  const std::string whole = bytes();
  for (std::size_t record = 1; record <= sample().size(); ++record) {
    SCOPED_TRACE(record);
    std::string holed = whole;
    holed.replace(ends[record - 1], ends[record] - ends[record - 1],
                  ends[record] - ends[record - 1], '\0');
    set_bytes(holed);
    if (record <= 2) {
      refusal(Reason::corrupt);
    } else {
      const auto [content, report] = resume();
      EXPECT_EQ(content, first_of(sample(), record - 1));
      EXPECT_EQ(report.cut_at, ends[record - 1]);
    }
  }
}

TEST_F(JournalDamage, ForeignFilesAreRefused) {
  for (const std::string& content : {std::string("time,x,y\n0,1,2\n"), std::string(1000, '\0'),
                                     std::string("T"), std::string("CDF\x01")}) {
    set_bytes(content);
    EXPECT_THAT(refusal(Reason::foreign), HasSubstr("not a journal"));
    EXPECT_EQ(bytes(), content);
  }
  std::filesystem::remove(path());
  ASSERT_EQ(::mkfifo(path().c_str(), 0600), 0);
  refusal(Reason::foreign);
}

TEST_F(JournalDamage, GarbageBehindSoundRecordsIsCut) {
  write_sample();
  const std::string whole = bytes();
  // More than one chunk of the search, with the magic in it and across its boundary.
  std::string garbage(3u << 20, 'z');
  garbage.replace(1000, 8, journal_magic);
  garbage.replace((1u << 20) - 3, 8, journal_magic);
  garbage.replace(garbage.size() - 8, 8, journal_magic);
  set_bytes(whole + garbage);
  EXPECT_EQ(resume().first, sample());
  EXPECT_EQ(bytes(), whole);
}

// A record behind the damage is found wherever it stands relative to the chunks of the search.
TEST_F(JournalDamage, SoundRecordIsFoundAcrossChunks) {
  const auto end = write_sample().back();
  const std::string whole = bytes();
  for (std::uint64_t gap = (1u << 20) - 80; gap <= (1u << 20) + 8; ++gap) {
    const std::string behind = forged(header_at(end + gap, 9, 0), "");
    set_bytes(whole + std::string(gap, 'z') + behind);
    const auto file = JournalFile::open(path(), JournalFile::Access::read);
    ASSERT_THROW(scan_journal(*file, file->size(), {}, {}), JournalError) << gap;
  }
}

TEST_F(JournalDamage, SizesAreCheckedBeforeMemoryIsTaken) {
  const auto end = write_sample().back();
  const std::string whole = bytes();
  for (const std::uint64_t size : {max_payload_bytes + 1, std::uint64_t{1} << 62, ~std::uint64_t{0},
                                   ~std::uint64_t{0} - end - record_header_bytes + 1}) {
    set_bytes(whole + forged(header_at(end, 6, size), ""));
    EXPECT_THAT(refusal(Reason::corrupt), HasSubstr("claims " + std::to_string(size)));
  }
  set_bytes(whole + forged(header_at(end, 6, max_payload_bytes), "short"));
  EXPECT_EQ(resume().first, sample());  // possible, only incomplete
}

TEST_F(JournalDamage, SoundRecordsInTheWrongPlaceAreRefused) {
  const auto ends = write_sample();
  const auto end = ends.back();
  const std::string whole = bytes();
  set_bytes(whole + forged(header_at(end, 7, 0), ""));
  EXPECT_THAT(refusal(Reason::corrupt), HasSubstr("record 7 stands where record 6 should"));
  set_bytes(whole + whole);  // two journals in one
  refusal(Reason::corrupt);
  set_bytes(whole.substr(0, ends[1]) + whole.substr(ends[2]));  // one record taken out
  refusal(Reason::corrupt);
  set_bytes(whole.substr(ends[0]));  // no identity
  refusal(Reason::corrupt);
  auto header = header_at(end, 6, 0);
  header.info.key.kind = record_kind::identity;
  set_bytes(whole + forged(header, ""));
  refusal(Reason::corrupt);
  header = header_at(end, 6, 0);
  header.synced = end + 1;
  set_bytes(whole + forged(header, ""));
  refusal(Reason::corrupt);
}

TEST_F(JournalDamage, IdentityThatCannotBeReadIsRefused) {
  for (const std::string& payload :
       {std::string("abc"), std::string(8, '\xff'), std::string(8, '\0'), std::string(32, '\0')}) {
    auto header = header_at(0, 0, payload.size());
    header.info.key.kind = record_kind::identity;
    set_bytes(forged(header, payload));
    refusal(Reason::corrupt);
  }
}

TEST_F(JournalDamage, OtherFormatVersionIsRefusedAsSuch) {
  auto header = header_at(0, 0, 0);
  header.info.key.kind = record_kind::identity;
  header.version = journal_format_version + 1;
  set_bytes(forged(header, ""));
  EXPECT_THAT(refusal(Reason::other_version), HasSubstr("format 2"));
}

}  // namespace
}  // namespace tumble
