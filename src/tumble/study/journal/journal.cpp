#include "tumble/study/journal/journal.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "tumble/base/crc64.hpp"

namespace tumble {

namespace fs = std::filesystem;

RecordPayload::RecordPayload(std::string_view all, std::uint64_t checksum)
    : first_(all), checksum_(checksum) {
  check_size();
}

RecordPayload::RecordPayload(std::string_view first, std::string_view second)
    : first_(first), second_(second) {
  check_size();
  checksum_ = crc64(second, crc64(first));
}

void RecordPayload::check_size() const {
  if (size() > max_payload_bytes)
    throw std::length_error(
        fmt::format("a journal record of {} bytes; {} are possible", size(), max_payload_bytes));
}

Journal::Journal(const fs::path& directory, const JournalIdentity& identity, Start start,
                 const RecordVisitor& visit, JournalOptions options)
    : path_(directory / file_name),
      temporary_(directory / (std::string(file_name) + ".new")),
      options_(std::move(options)),
      lock_(directory / (std::string(file_name) + ".lock")) {
  report_.locked = lock_.held();
  if (start == Start::fresh && fs::exists(fs::symlink_status(path_))) {
    throw JournalError(
        JournalError::Reason::exists,
        fmt::format("{} exists; continue that study, or replace it", path_.string()));
  }
  if (start != Start::resume || !resume(identity, visit)) create(identity);
  // What a killed compaction left. Not before the journal is known to be ours.
  std::error_code ignored;
  fs::remove(temporary_, ignored);
}

Journal::~Journal() {
  try {
    sync();
  } catch (...) {  // promised for sync(), not for the end of the object
  }
}

// False if there is nothing to go on with.
bool Journal::resume(const JournalIdentity& identity, const RecordVisitor& visit) {
  const auto file = JournalFile::open(path_, JournalFile::Access::write);
  if (!file) return false;
  const auto check = [&](const JournalIdentity& there) {
    const std::string difference = describe_difference(there, identity);
    if (difference.empty()) return;
    throw JournalError(
        JournalError::Reason::other_identity,
        fmt::format("{} belongs to another study: {}. Run what it belongs to, choose "
                    "another directory, or replace it",
                    path_.string(), difference),
        there);
  };
  const ScanResult found = scan_journal(*file, file->size(), check, visit);
  if (found.torn_bytes > 0) {
    report_.cut_at = found.good_bytes;
    report_.cut_bytes = found.torn_bytes;
    report_.message = fmt::format(
        "{} ended with {} bytes of an incomplete record, as an interrupted run leaves them; "
        "they were cut off at byte {}, and that work is done again",
        path_.string(), found.torn_bytes, found.good_bytes);
  }
  if (!found.has_identity) return false;
  if (found.torn_bytes > 0) file->truncate(found.good_bytes);
  // Later records will call all this safe. A killed process may have left it in memory only.
  file->sync();
  report_.records = found.records - 1;
  publish(State{file, found.good_bytes, found.good_bytes, found.records});
  last_sync_ = std::chrono::steady_clock::now();
  return true;
}

void Journal::create(const JournalIdentity& identity) {
  replace([&](State& state) {
    const std::string payload = encode_identity(identity);
    write_record(state, RecordKey{record_kind::identity, 0, 0}, RecordPayload(payload));
  });
  report_.created = true;
}

RecordInfo Journal::write_record(State& state, const RecordKey& key, const RecordPayload& payload) {
  RecordHeader header;
  header.version = journal_format_version;
  header.info = RecordInfo{key, state.records, state.end, payload.size()};
  header.synced = state.synced;
  header.payload_checksum = payload.checksum();
  const auto bytes = encode_header(header);
  state.file->write(
      state.end, {std::string_view{bytes.data(), bytes.size()}, payload.first(), payload.second()});
  state.end += header.info.bytes();
  ++state.records;
  return header.info;
}

RecordInfo Journal::append(const RecordKey& key, const RecordPayload& payload) {
  if (key.kind == record_kind::identity) {
    throw std::invalid_argument("a journal has one identity, written when it is created");
  }
  const std::lock_guard guard(writing_);
  check_usable();
  RecordInfo info;
  try {
    State state = state_;
    info = write_record(state, key, payload);
    publish(std::move(state));
  } catch (const std::system_error&) {
    try {
      state_.file->truncate(state_.end);
    } catch (const std::system_error&) {
      failed_ = true;  // the next process finds a torn tail
    }
    throw;
  }
  if (is_due()) sync_now();
  return info;
}

void Journal::check_usable() const {
  if (!failed_) return;
  throw std::system_error(EIO, std::generic_category(),
                          path_.string() + " cannot be written since an earlier failure");
}

bool Journal::is_due() const {
  return std::chrono::steady_clock::now() - last_sync_ >= options_.sync_interval;
}

void Journal::sync_now() {
  try {
    state_.file->sync();
  } catch (const std::system_error&) {
    // The kernel reports a lost page once and then calls it clean, so trying again would succeed
    // and mean nothing. What was not safe before is given up; a new process does it again.
    failed_ = true;
    try {
      State state = state_;
      state.file->truncate(state.synced);
      state.end = state.synced;  // what is left can still be read
      publish(std::move(state));
    } catch (const std::system_error&) {  // the first failure is the one to report
    }
    throw;
  }
  State state = state_;
  state.synced = state.end;
  publish(std::move(state));
  last_sync_ = std::chrono::steady_clock::now();
}

bool Journal::sync() {
  const std::lock_guard guard(writing_);
  check_usable();
  if (state_.synced == state_.end) return false;
  sync_now();
  return true;
}

Journal::State Journal::snapshot() const {
  const std::lock_guard guard(mutex_);
  return state_;
}

void Journal::publish(State state) {
  const std::lock_guard guard(mutex_);
  std::swap(state_, state);  // a file that nobody needs any more is closed after the lock
}

std::uint64_t Journal::bytes() const { return snapshot().end; }

// From here on the shared pointer keeps the file, should another thread compact meanwhile.
void Journal::for_each(const RecordVisitor& visit, const RecordFilter& wanted) const {
  const State state = snapshot();
  const ScanResult found = scan_journal(*state.file, state.end, {}, visit, wanted);
  if (found.torn_bytes > 0) refuse_corrupt(*state.file, found.good_bytes, "a record has gone bad");
}

bool Journal::for_each_in_place(
    const std::function<void(const RecordInfo&, std::string_view,
                             const std::shared_ptr<const char>&)>& visit,
    const RecordFilter& wanted) const {
  const State state = snapshot();
  const std::shared_ptr<const char> bytes = state.file->map(state.end);
  if (bytes == nullptr) return false;
  for (std::uint64_t offset = 0; offset < state.end;) {
    const auto header = read_header(*state.file, offset, state.end);
    if (!header || header->info.bytes() > state.end - offset)
      refuse_corrupt(*state.file, offset, "a record has gone bad");
    const RecordInfo& info = header->info;
    if (info.key.kind != record_kind::identity && wanted(info))
      visit(info, {bytes.get() + offset + record_header_bytes, info.payload_bytes}, bytes);
    offset += info.bytes();
  }
  return true;
}

void Journal::leave_memory(const RecordFilter& which) const {
  const State state = snapshot();
  for (std::uint64_t offset = 0; offset < state.synced;) {
    const auto header = read_header(*state.file, offset, state.synced);
    if (!header) return;
    const RecordInfo& info = header->info;
    if (info.key.kind != record_kind::identity && which(info))
      state.file->leave_memory(info.offset, info.bytes());
    offset += info.bytes();
  }
}

std::string Journal::read(const RecordInfo& info) const {
  const State state = snapshot();
  std::string payload;
  const auto header = read_header(*state.file, info.offset, state.end);
  if (header && header->info != info) {
    throw std::invalid_argument("a journal record is sought where it was before a compaction");
  }
  if (!header || !read_payload(*state.file, *header, state.end, payload)) {
    refuse_corrupt(*state.file, info.offset, "a record has gone bad");
  }
  return payload;
}

void Journal::step(std::string_view name) const {
  if (options_.before_step) options_.before_step(name);
}

void Journal::replace(const std::function<void(State&)>& fill) {
  State next;
  try {
    step("create temporary");
    next.file = JournalFile::create(temporary_);
    step("write");
    fill(next);
    step("sync");
    next.file->sync();
    next.synced = next.end;
    step("rename");
    fs::rename(temporary_, path_);
  } catch (...) {
    std::error_code ignored;
    fs::remove(temporary_, ignored);
    throw;
  }
  next.file->set_path(path_);
  publish(std::move(next));
  last_sync_ = std::chrono::steady_clock::now();
  // Until the directory is on the disk too, a power failure may bring the old file back. Records
  // must not be called safe before that.
  try {
    step("sync directory");
    sync_directory(path_.has_parent_path() ? path_.parent_path() : ".");
  } catch (...) {
    failed_ = true;
    throw;
  }
  step("done");
}

std::shared_ptr<const JournalFile> Journal::compact(
    const RecordFilter& keep, const std::function<void(const RecordInfo&)>& moved) {
  const std::lock_guard guard(writing_);
  check_usable();
  std::shared_ptr<const JournalFile> old = state_.file;
  replace([&](State& next) {
    std::string payload;
    for (std::uint64_t offset = 0; offset < state_.end;) {
      const auto header = read_header(*state_.file, offset, state_.end);
      if (!header || header->info.payload_bytes > max_payload_bytes) {
        refuse_corrupt(*state_.file, offset, "a record has gone bad");
      }
      const RecordInfo& info = header->info;
      offset += info.bytes();
      const bool is_identity = info.key.kind == record_kind::identity;
      if (!is_identity && !keep(info)) continue;
      if (!read_payload(*state_.file, *header, state_.end, payload)) {
        refuse_corrupt(*state_.file, info.offset, "a record has gone bad");
      }
      // Nobody sees this file before all of it is on the disk.
      next.synced = next.end;
      const RecordInfo now =
          write_record(next, info.key, RecordPayload(payload, header->payload_checksum));
      if (!is_identity && moved) moved(now);
      step("write record");
    }
  });
  return old;
}

}  // namespace tumble
