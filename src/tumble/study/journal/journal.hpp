// The journal of a study: finished work, committed so that no accident loses it.
//
// DIR/study.journal is a sequence of checksummed records (journal_record.hpp), only ever appended
// to. The first says which study it is; a study with another identity is refused.
//
// What append() promises once it has returned:
//   - The process is killed (kill -9, a crash): the record is there, with every sync interval.
//   - Power fails, the machine stops: the record is there if the sync interval is 0. With an
//     interval X, it is there once a later append() or sync() has synchronised; append() does so if
//     X has passed since the last time. What is lost is then a tail of the file: records that are
//     found again are always a prefix of those appended.
//   - The disk is full (ENOSPC, EDQUOT, EFBIG) or fails (EIO): append() throws, and every record
//     appended before is still there, but for those not yet synchronised if synchronising failed.
// That assumes a disk that keeps its word when told to synchronise.
//
// A file-size limit raises SIGXFSZ, which ends a process unless ignored; ignore it to get the
// exception.
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "tumble/study/journal/journal_lock.hpp"
#include "tumble/study/journal/journal_scan.hpp"

namespace tumble {

struct JournalOptions {
  /// 0: synchronise in every append(). A synchronisation takes a disk some milliseconds, which
  /// small blocks of a fast model would feel.
  std::chrono::milliseconds sync_interval{0};
  /// Called before each step of creating or compacting, with its name. For tests, which fail there.
  std::function<void(std::string_view step)> before_step;
};

/// What opening found.
struct JournalReport {
  bool created = false;         ///< there was no journal, or none of its records was complete
  std::uint64_t records = 0;    ///< found, without the identity
  std::uint64_t cut_at = 0;     ///< where a torn tail began
  std::uint64_t cut_bytes = 0;  ///< its length; 0 if there was none
  bool locked = true;           ///< false where the file system has no locks
  std::string message;          ///< for the user, if something was repaired; else empty
};

/// Whether to compact a file of which `live_bytes` are still needed. Not before the file has
/// doubled: then each byte copied has been paid for by one appended, and all compactions together
/// write no more than the appends did. Small files are left alone.
constexpr bool should_compact(std::uint64_t live_bytes, std::uint64_t file_bytes) {
  constexpr std::uint64_t smallest = std::uint64_t{4} << 20;
  return file_bytes >= smallest && file_bytes / 2 >= live_bytes;
}

/// What a record says, in one or two pieces of memory that must stay there until it is appended.
class RecordPayload {
 public:
  /// Sums it up, which takes a while: best done before others have to wait.
  /// @throws std::length_error above max_payload_bytes, before it has read any.
  explicit RecordPayload(std::string_view first, std::string_view second = {});
  /// With the sum it is known to have. @throws the same.
  RecordPayload(std::string_view all, std::uint64_t checksum);

  std::string_view first() const { return first_; }
  std::string_view second() const { return second_; }
  std::uint64_t checksum() const { return checksum_; }
  std::size_t size() const { return first_.size() + second_.size(); }

 private:
  void check_size() const;

  std::string_view first_, second_;
  std::uint64_t checksum_ = 0;
};

/// Members may be called from several threads at once.
class Journal {
 public:
  enum class Start {
    fresh,      ///< refuse a directory that has a journal
    overwrite,  ///< replace what is there
    resume,     ///< go on with what is there; begin where there is nothing
  };

  static constexpr const char* file_name = "study.journal";

  /// `directory` must exist. When resuming, `visit` gets every record after the identity has been
  /// compared; if the constructor throws in the end, what it got must be forgotten. A torn tail is
  /// cut off; a file that is refused is left as it is.
  /// @throws JournalError, or std::system_error from here on for whatever the system refuses.
  Journal(const std::filesystem::path& directory, const JournalIdentity& identity, Start start,
          const RecordVisitor& visit = {}, JournalOptions options = {});
  /// Synchronises, without complaint if that fails; call sync() to know.
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  const JournalReport& report() const { return report_; }
  const std::filesystem::path& path() const { return path_; }
  std::uint64_t bytes() const;

  /// @throws std::invalid_argument for the kind `identity`. After a failed write the journal is as
  /// before the call and can be used again; after a failed synchronisation every further append()
  /// throws.
  RecordInfo append(const RecordKey& key, const RecordPayload& payload);
  RecordInfo append(const RecordKey& key, std::string_view payload) {
    return append(key, RecordPayload(payload));
  }

  /// True if something was not on the disk yet. Who reads need not wait for the disk.
  bool sync();
  /// The system need not hold in memory the records that `which` accepts and that are on the disk;
  /// who reads them again waits for the disk.
  void leave_memory(const RecordFilter& which) const;

  /// Every record but the identity, in order of appending; one at a time in memory. With `wanted`,
  /// only the payloads it accepts are read.
  void for_each(const RecordVisitor& visit, const RecordFilter& wanted = {}) const;
  /// The records that `wanted` accepts as they lie in the system's memory, as long as `keeper`
  /// lives. They are not compared with their checksums: they were when the journal was opened, or
  /// have been written since. Returns false, and visits none, where the system cannot do it.
  bool for_each_in_place(
      const std::function<void(const RecordInfo& info, std::string_view payload,
                               const std::shared_ptr<const char>& keeper)>& visit,
      const RecordFilter& wanted) const;
  /// One payload. `info` comes from append(), a visit or compact(), since the last compact().
  std::string read(const RecordInfo& info) const;

  /// Keeps the identity and the records that `keep` accepts, in their order; `moved` gets them with
  /// their new places. The new file is complete and on the disk before it takes the name, so at any
  /// moment the name leads to the one or the other. If it throws, the old file goes on, unless
  /// synchronising the directory failed.
  /// @returns the old file. Nobody needs it, but to close it may take a disk a while.
  std::shared_ptr<const JournalFile> compact(
      const RecordFilter& keep, const std::function<void(const RecordInfo&)>& moved = {});

 private:
  // A file and how far it has got.
  struct State {
    std::shared_ptr<JournalFile> file;
    std::uint64_t end = 0;     // of the last complete record
    std::uint64_t synced = 0;  // bytes known to be on the disk
    std::uint64_t records = 0;
  };

  static RecordInfo write_record(State& state, const RecordKey& key, const RecordPayload& payload);
  void create(const JournalIdentity& identity);
  bool resume(const JournalIdentity& identity, const RecordVisitor& visit);
  void replace(const std::function<void(State&)>& fill);
  void sync_now();
  bool is_due() const;
  void check_usable() const;
  void step(std::string_view name) const;
  State snapshot() const;
  void publish(State state);

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  JournalOptions options_;
  JournalLock lock_;
  JournalReport report_;
  std::mutex writing_;  // of who writes, synchronises or compacts, one at a time
  std::chrono::steady_clock::time_point last_sync_;
  bool failed_ = false;       // what is on the disk is not known any more
  mutable std::mutex mutex_;  // guards what follows, for a moment
  State state_;               // changed by who holds `writing_` alone, so that he may read it
};

}  // namespace tumble
