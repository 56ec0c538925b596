// A file that appears complete or not at all.
//
// Bytes go to a temporary name in the same directory; commit() makes them durable and renames. A
// full disk, an exception or an interrupt before that leaves what was there before.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace tumble {

/// What is at this path if it is neither nothing nor a regular file: "a symbolic link", ...
std::string special_file_at(const std::filesystem::path& path);

class AtomicFile {
 public:
  /// Opens a temporary file beside `target`; the directory must exist.
  /// @throws std::system_error naming the file, here and below; std::runtime_error if there is
  /// something that is no regular file.
  explicit AtomicFile(std::filesystem::path target);
  /// Removes the temporary file if there was no commit().
  ~AtomicFile();
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;

  /// Removes what killed processes left of files that were to become `target`. Only for who knows
  /// that nobody is writing one.
  static void remove_leftovers(const std::filesystem::path& target);

  const std::filesystem::path& target() const { return target_; }

  void write(std::string_view bytes);
  /// Makes the file at least that long and gives it room on the disk, so that whoever writes into
  /// it up to there does not meet a full disk.
  void reserve(std::uint64_t bytes);
  /// Where the bytes are until commit().
  const std::filesystem::path& temporary() const { return temporary_; }
  /// Brings all bytes to the disk. Several files can be finished before any of them is committed,
  /// so that the step most likely to fail comes before the first visible change.
  void finish();
  /// finish(), then gives the file its name, replacing what had it.
  void commit();

 private:
  [[noreturn]] void fail() const;

  std::filesystem::path target_;
  std::filesystem::path temporary_;  // empty once committed or moved from
  int descriptor_ = -1;
};

}  // namespace tumble
