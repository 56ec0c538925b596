// Reading a journal from its beginning, and telling an interrupted write from damage.
//
// A process that is killed, a machine that loses power or a disk that is full can leave the end of
// the file incomplete: a *torn tail*. It holds only what was never reported as safe, so it may be
// cut off. Bytes that go bad elsewhere are damage, and cutting there would silently throw work
// away.
//
// Every record says how much of the file was on the disk when it was written (`synced`). So, where
// a record is bad at offset b: if any sound header behind it has synced > b, then b had been safe
// and is damaged now. If none has, the records behind it, if any, were on their way to the disk
// together with the bad one, and a power failure may bring them there in any order: a torn tail.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "tumble/study/journal/journal_file.hpp"
#include "tumble/study/journal/journal_record.hpp"

namespace tumble {

using RecordVisitor = std::function<void(const RecordInfo& info, std::string_view payload)>;

struct ScanResult {
  bool has_identity = false;  ///< false if not even the first record is complete
  JournalIdentity identity;
  std::uint64_t records = 0;     ///< sound ones, with the identity
  std::uint64_t good_bytes = 0;  ///< where they end
  std::uint64_t torn_bytes = 0;  ///< what follows them
};

/// Chooses records by their headers.
using RecordFilter = std::function<bool(const RecordInfo& info)>;

/// Reads the first `end` bytes, one record at a time in memory. `check` gets the identity before
/// anything else; `visit` gets every other record, or those that `wanted` accepts: the payloads of
/// the rest are then neither read nor checked. Each may be empty, or throw to stop.
/// @throws JournalError if the file is foreign, of another format version, or damaged.
ScanResult scan_journal(const JournalFile& file, std::uint64_t end,
                        const std::function<void(const JournalIdentity&)>& check,
                        const RecordVisitor& visit, const RecordFilter& wanted = {});

/// The same for a whole file that is only looked at: needs no lock and changes nothing. A study
/// that is running may be writing its last record; that looks like a torn tail.
ScanResult inspect_journal(const std::filesystem::path& path, const RecordVisitor& visit = {});

/// Payload of a record, checked against its checksum. Memory is taken only for a size that fits
/// between the header and `end`. Returns false if the record is incomplete or its bytes are bad.
bool read_payload(const JournalFile& file, const RecordHeader& header, std::uint64_t end,
                  std::string& payload);

/// The header at `offset`, if it is sound and complete before `end`.
std::optional<RecordHeader> read_header(const JournalFile& file, std::uint64_t offset,
                                        std::uint64_t end);

[[noreturn]] void refuse_corrupt(const JournalFile& file, std::uint64_t offset,
                                 std::string_view what);

}  // namespace tumble
