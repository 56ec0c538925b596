// Records of a study's journal as bytes.
//
// A record is a header of 72 bytes and a payload. All numbers are little-endian:
//
//    0  magic              8 bytes, the same in front of every record
//    8  format version     u32
//   12  kind               u32    0 is the identity, always the first record and only that
//   16  level              u64    with `index` and `kind` the record's key
//   24  index              u64
//   32  sequence number    u64    0, 1, 2, ... without gaps
//   40  synced             u64    bytes of the file known to be on the disk when this was written
//   48  payload size       u64
//   56  payload checksum   u64    CRC-64
//   64  header checksum    u64    CRC-64 of the 64 bytes before it, so of the other checksum too
//
// The header has a checksum of its own, so that a size is believed only when it is sound, and so
// that records behind damaged bytes can be found without trusting anything in between.
#pragma once
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tumble {

/// Kinds the study uses. Other numbers are free; the journal gives no meaning to any but the first.
namespace record_kind {
inline constexpr std::uint32_t identity = 0;
inline constexpr std::uint32_t node = 1;       ///< merged statistics: level and index in the tree
inline constexpr std::uint32_t leaf_data = 2;  ///< how single realisations ended: index of the leaf
inline constexpr std::uint32_t leaf_values = 3;  ///< what their probes saw: index of the leaf
}  // namespace record_kind

struct RecordKey {
  std::uint32_t kind = record_kind::node;
  std::uint64_t level = 0;
  std::uint64_t index = 0;
  auto operator<=>(const RecordKey&) const = default;
};

inline constexpr std::size_t record_header_bytes = 72;
/// Larger payloads are neither written nor believed.
inline constexpr std::uint64_t max_payload_bytes = std::uint64_t{1} << 30;

/// Where a record is. Valid until the journal is compacted.
struct RecordInfo {
  RecordKey key;
  std::uint64_t sequence = 0;
  std::uint64_t offset = 0;  ///< of its header in the file
  std::uint64_t payload_bytes = 0;
  /// What it takes of the file.
  std::uint64_t bytes() const { return record_header_bytes + payload_bytes; }
  bool operator==(const RecordInfo&) const = default;
};

struct RecordHeader {
  RecordInfo info;
  std::uint32_t version = 0;
  std::uint64_t synced = 0;
  std::uint64_t payload_checksum = 0;
};

/// The first bytes of every record and so of the file. The end of line shows a file that was
/// converted as text on its way.
inline constexpr std::string_view journal_magic{"\x89TMBLJ\r\n", 8};
inline constexpr std::uint32_t journal_format_version = 1;

std::array<char, record_header_bytes> encode_header(const RecordHeader& header);
/// Nothing if the magic or the checksum is wrong. `bytes` holds at least a header, found at
/// `offset`.
std::optional<RecordHeader> decode_header(std::string_view bytes, std::uint64_t offset);

/// What a study must have in common with the one that began the journal: version, hashes of the
/// model and of the files it refers to, seed, method... Names and values are the caller's.
using JournalIdentity = std::map<std::string, std::string>;

std::string encode_identity(const JournalIdentity& identity);
std::optional<JournalIdentity> decode_identity(std::string_view bytes);
/// "seed is 1 there and 2 here; ...", each difference; empty if there is none.
std::string describe_difference(const JournalIdentity& there, const JournalIdentity& here);

/// A journal that cannot be used as asked. It has not been changed.
class JournalError : public std::runtime_error {
 public:
  enum class Reason {
    exists,          ///< a new journal was asked for, and there is one
    locked,          ///< another process has it
    foreign,         ///< not a journal at all
    other_version,   ///< of a program with another format
    other_identity,  ///< of another study
    corrupt,         ///< damaged in a place that had been safe
  };
  JournalError(Reason reason, const std::string& message, JournalIdentity there = {})
      : std::runtime_error(message), reason_(reason), there_(std::move(there)) {}
  Reason reason() const { return reason_; }
  /// Of a journal with another identity: which.
  const JournalIdentity& there() const { return there_; }

 private:
  Reason reason_;
  JournalIdentity there_;
};

}  // namespace tumble
