// One process per study: an advisory lock on a small file beside the journal.
//
// The lock is not on the journal itself, because compaction puts another file in its place. The
// kernel lets go of it when the process ends in whatever way; a lock file that is left behind means
// nothing.
#pragma once
#include <filesystem>

namespace tumble {

class JournalLock {
 public:
  /// @throws JournalError (locked) naming the process that holds it; std::system_error.
  explicit JournalLock(std::filesystem::path path);
  /// Removes the file.
  ~JournalLock();
  JournalLock(const JournalLock&) = delete;
  JournalLock& operator=(const JournalLock&) = delete;

  /// False on file systems without locks: then it is up to the user not to run a study twice.
  bool held() const { return held_; }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  bool held_ = false;
};

}  // namespace tumble
