#include "tumble/study/journal/journal_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "tumble/base/crc64.hpp"

namespace tumble {
namespace {

void refuse_foreign(const JournalFile& file, std::uint64_t end) {
  std::array<char, journal_magic.size()> bytes{};
  const std::size_t count = std::min<std::uint64_t>(end, bytes.size());
  if (file.is_regular()) {
    file.read(0, bytes.data(), count);
    if (journal_magic.starts_with(std::string_view(bytes.data(), count))) return;
  }
  throw JournalError(
      JournalError::Reason::foreign,
      fmt::format(
          "{} is not a journal of Tumble, or its first bytes are damaged; move it away, choose "
          "another directory, or start the study again",
          file.path().string()));
}

// What a sound header may still get wrong. Our own writer never does, so it is no torn tail.
void check_header(const JournalFile& file, const RecordHeader& header, std::uint64_t sequence) {
  const RecordInfo& info = header.info;
  if (header.version != journal_format_version) {
    throw JournalError(
        JournalError::Reason::other_version,
        fmt::format("{} has journal format {}, and this program writes format {}; resume with the "
                    "version of Tumble that began the study, or start it again",
                    file.path().string(), header.version, journal_format_version));
  }
  if (info.sequence != sequence) {
    refuse_corrupt(file, info.offset,
                   fmt::format("record {} stands where record {} should", info.sequence, sequence));
  }
  if ((info.key.kind == record_kind::identity) != (sequence == 0)) {
    refuse_corrupt(file, info.offset, "the identity of the study is not the first record");
  }
  if (header.synced > info.offset) {
    refuse_corrupt(file, info.offset, "a record calls bytes safe that come after it");
  }
  if (info.payload_bytes > max_payload_bytes) {
    refuse_corrupt(file, info.offset, fmt::format("a record claims {} bytes", info.payload_bytes));
  }
}

// Looks behind the bad record number `sequence` at `bad` for proof that it had been safe. Headers
// only: that keeps the search linear, whatever sizes the bytes there claim.
void refuse_damage_of_synced(const JournalFile& file, std::uint64_t bad, std::uint64_t sequence,
                             std::uint64_t end) {
  constexpr std::uint64_t chunk = std::uint64_t{1} << 20;
  std::string bytes;
  for (std::uint64_t start = bad + 1; start < end; start += chunk) {
    // Chunks overlap, so that each header is whole in one of them.
    bytes.resize(std::min(end - start, chunk + record_header_bytes - 1));
    file.read(start, bytes.data(), bytes.size());
    const std::string_view view(bytes);
    for (std::size_t at = view.find(journal_magic); at != view.npos && at < chunk;
         at = view.find(journal_magic, at + 1)) {
      if (view.size() - at < record_header_bytes) break;
      const auto header = decode_header(view.substr(at), start + at);
      if (!header || header->info.sequence <= sequence) continue;
      if (header->synced > bad && header->synced <= header->info.offset) {
        refuse_corrupt(file, bad,
                       fmt::format("record {} is damaged, and sound records follow it", sequence));
      }
    }
  }
}

}  // namespace

void refuse_corrupt(const JournalFile& file, std::uint64_t offset, std::string_view what) {
  const std::string path = file.path().string();
  std::string advice = "start the study again";
  if (offset > 0) {
    advice = fmt::format(
        "restore the file from a copy; or keep the sound records before the damage with "
        "`truncate -s {} {}` and resume the study, which does the work after them again; or {}",
        offset, path, advice);
  }
  throw JournalError(
      JournalError::Reason::corrupt,
      fmt::format(
          "{} is damaged at byte {}: {}. Nothing was changed. You can {}. Damage of this kind "
          "comes from the disk, the memory or another program, not from an interrupted run",
          path, offset, what, advice));
}

std::optional<RecordHeader> read_header(const JournalFile& file, std::uint64_t offset,
                                        std::uint64_t end) {
  if (offset > end || end - offset < record_header_bytes) return std::nullopt;
  std::array<char, record_header_bytes> bytes{};
  file.read(offset, bytes.data(), bytes.size());
  return decode_header({bytes.data(), bytes.size()}, offset);
}

bool read_payload(const JournalFile& file, const RecordHeader& header, std::uint64_t end,
                  std::string& payload) {
  const RecordInfo& info = header.info;
  const std::uint64_t start = info.offset + record_header_bytes;
  if (start > end || info.payload_bytes > end - start) return false;
  if (info.payload_bytes > max_payload_bytes) return false;
  payload.resize(info.payload_bytes);
  file.read(start, payload.data(), payload.size());
  return crc64(payload) == header.payload_checksum;
}

ScanResult scan_journal(const JournalFile& file, std::uint64_t end,
                        const std::function<void(const JournalIdentity&)>& check,
                        const RecordVisitor& visit, const RecordFilter& wanted) {
  refuse_foreign(file, end);
  ScanResult result;
  std::string payload;
  while (result.good_bytes < end) {
    const auto header = read_header(file, result.good_bytes, end);
    if (header) check_header(file, *header, result.records);
    const bool skipped = header && result.records > 0 && wanted && !wanted(header->info);
    const bool sound = header && (skipped ? header->info.bytes() <= end - result.good_bytes
                                          : read_payload(file, *header, end, payload));
    if (!sound) {
      refuse_damage_of_synced(file, result.good_bytes, result.records, end);
      result.torn_bytes = end - result.good_bytes;
      break;
    }
    if (result.records == 0) {
      auto identity = decode_identity(payload);
      if (!identity) refuse_corrupt(file, 0, "the identity of the study cannot be read");
      result.identity = std::move(*identity);
      result.has_identity = true;
      if (check) check(result.identity);
    } else if (visit && !skipped) {
      visit(header->info, payload);
    }
    result.good_bytes += header->info.bytes();
    ++result.records;
  }
  return result;
}

ScanResult inspect_journal(const std::filesystem::path& path, const RecordVisitor& visit) {
  const auto file = JournalFile::open(path, JournalFile::Access::read);
  if (!file) {
    throw std::system_error(ENOENT, std::generic_category(), "cannot open " + path.string());
  }
  return scan_journal(*file, file->size(), {}, visit);
}

}  // namespace tumble
