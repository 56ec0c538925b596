#include "tumble/base/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace tumble {

std::string special_file_at(const std::filesystem::path& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode)) return {};
  if (S_ISLNK(status.st_mode)) return "a symbolic link";
  if (S_ISDIR(status.st_mode)) return "a directory";
  return S_ISFIFO(status.st_mode) ? "a pipe" : "a device or socket";
}

AtomicFile::AtomicFile(std::filesystem::path target) : target_(std::move(target)) {
  if (const std::string what = special_file_at(target_); !what.empty())
    throw std::runtime_error(
        fmt::format("cannot write {}: it is {}, which is neither followed nor replaced",
                    target_.string(), what));
  // A name left by a killed process of the same number is skipped, not overwritten.
  for (int attempt = 0; descriptor_ < 0; ++attempt) {
    temporary_ = target_;
    temporary_.replace_filename(
        fmt::format(".{}.{}-{}.tmp", target_.filename().string(), ::getpid(), attempt));
    // Readable: where a file system cannot reserve room, the C library does it block by block, and
    // looks at what is there.
    descriptor_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno != EEXIST) fail();
  }
}

void AtomicFile::remove_leftovers(const std::filesystem::path& target) {
  const std::string prefix = fmt::format(".{}.", target.filename().string());
  std::error_code ignored;
  const auto parent = target.has_parent_path() ? target.parent_path() : ".";
  for (const auto& entry : std::filesystem::directory_iterator(parent, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(prefix) && name.ends_with(".tmp"))
      std::filesystem::remove(entry.path(), ignored);
  }
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::fail() const {
  throw std::system_error(errno, std::generic_category(), "cannot write " + target_.string());
}

void AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(descriptor_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail();
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

void AtomicFile::reserve(std::uint64_t bytes) {
  int status = 0;
  do {
    status = ::posix_fallocate(descriptor_, 0, static_cast<off_t>(bytes));
  } while (status == EINTR);
  errno = status;
  if (status != 0) fail();
}

void AtomicFile::finish() {
  if (descriptor_ < 0) return;
  // Some file systems cannot synchronise (EINVAL); the rename is still atomic there.
  if (::fsync(descriptor_) != 0 && errno != EINVAL) fail();
  if (::close(std::exchange(descriptor_, -1)) != 0) fail();
}

void AtomicFile::commit() {
  finish();
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail();
  temporary_.clear();
  // The new name itself has to reach the disk; where a directory cannot be synchronised, it does so
  // in its own time.
  const auto parent = target_.has_parent_path() ? target_.parent_path() : ".";
  const int directory = ::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory >= 0) {
    ::fsync(directory);
    ::close(directory);
  }
}

}  // namespace tumble
