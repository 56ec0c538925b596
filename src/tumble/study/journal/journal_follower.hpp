// How far a study is that another process computes: by its journal, which is only looked at.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>

#include "tumble/study/journal/journal_record.hpp"

namespace tumble {

class JournalFollower {
 public:
  explicit JournalFollower(std::filesystem::path journal) : path_(std::move(journal)) {}

  /// Reads what was appended since the last time. A record that is being written, or bytes that
  /// make no sense, end the look; the study's own process decides what to do about them.
  void look();

  std::uint64_t realizations() const { return realizations_; }  ///< that have ended
  std::uint64_t failed() const { return failed_; }

 private:
  struct Leaf {
    std::uint64_t realizations = 0, failed = 0;
  };
  void begin_anew();

  std::filesystem::path path_;
  std::uint64_t end_ = 0;           ///< of what was read
  std::optional<RecordInfo> last_;  ///< the last record before it: gone if the file was replaced
  std::map<std::uint64_t, Leaf> leaves_;
  std::uint64_t realizations_ = 0, failed_ = 0;
};

}  // namespace tumble
