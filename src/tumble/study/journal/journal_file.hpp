// An open file of bytes, with errors that name it. What the journal needs of POSIX and no more.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

namespace tumble {

/// Reading is possible from several threads at once; writing is not.
/// @throws std::system_error naming the file, everywhere.
class JournalFile {
 public:
  enum class Access { read, write };

  /// The file at `path`, or nothing where there is none.
  static std::shared_ptr<JournalFile> open(const std::filesystem::path& path, Access access);
  /// A new empty file, in place of what was at `path`.
  static std::shared_ptr<JournalFile> create(const std::filesystem::path& path);

  JournalFile(std::filesystem::path path, int descriptor)
      : path_(std::move(path)), descriptor_(descriptor) {}
  ~JournalFile();
  JournalFile(const JournalFile&) = delete;
  JournalFile& operator=(const JournalFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// For messages, after a rename.
  void set_path(std::filesystem::path path) { path_ = std::move(path); }

  std::uint64_t size() const;
  bool is_regular() const;
  /// Exactly `count` bytes; a file that ends before is an error.
  void read(std::uint64_t offset, char* to, std::size_t count) const;
  /// The first `count` bytes as they lie in the system's memory, for as long as the pointer lives;
  /// null where the system cannot. A file that another program shortens ends whoever reads there.
  std::shared_ptr<const char> map(std::uint64_t count) const;
  /// All parts, one after the other, in one system call unless the system stops halfway.
  void write(std::uint64_t offset, std::array<std::string_view, 3> parts);
  void truncate(std::uint64_t size);
  /// Returns when content and size are on the disk.
  void sync();
  /// What is on the disk and nobody maps leaves the system's memory, in whole pages.
  void leave_memory(std::uint64_t offset, std::uint64_t count) const;

 private:
  [[noreturn]] void fail(const char* what) const;

  std::filesystem::path path_;
  int descriptor_;
};

/// Returns when the names in `directory` are on the disk.
void sync_directory(const std::filesystem::path& directory);

}  // namespace tumble
