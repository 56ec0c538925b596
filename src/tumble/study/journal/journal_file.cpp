#include "tumble/study/journal/journal_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <system_error>

namespace tumble {
namespace {

[[noreturn]] void fail_with(int code, const char* what, const std::filesystem::path& path) {
  throw std::system_error(code, std::generic_category(), what + (" " + path.string()));
}

// Some file systems cannot synchronise at all; that is no reason not to run a study there.
bool cannot_sync(int code) { return code == EINVAL || code == ENOTSUP; }

}  // namespace

std::shared_ptr<JournalFile> JournalFile::open(const std::filesystem::path& path, Access access) {
  // Not blocking: a pipe under this name shall be refused, not waited for.
  // What is written must be in the directory of the study, not where a link leads.
  const int flags =
      (access == Access::read ? O_RDONLY : O_RDWR | O_NOFOLLOW) | O_CLOEXEC | O_NONBLOCK;
  const int descriptor = ::open(path.c_str(), flags);
  if (descriptor < 0 && errno == ENOENT) return nullptr;
  if (descriptor < 0) fail_with(errno, "cannot open", path);
  return std::make_shared<JournalFile>(path, descriptor);
}

std::shared_ptr<JournalFile> JournalFile::create(const std::filesystem::path& path) {
  const int descriptor =
      ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor < 0) fail_with(errno, "cannot create", path);
  return std::make_shared<JournalFile>(path, descriptor);
}

JournalFile::~JournalFile() { ::close(descriptor_); }

void JournalFile::fail(const char* what) const { fail_with(errno, what, path_); }

std::uint64_t JournalFile::size() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) fail("cannot examine");
  return static_cast<std::uint64_t>(status.st_size);
}

bool JournalFile::is_regular() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) fail("cannot examine");
  return S_ISREG(status.st_mode);
}

void JournalFile::read(std::uint64_t offset, char* to, std::size_t count) const {
  while (count > 0) {
    const ssize_t n = ::pread(descriptor_, to, count, static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("cannot read");
    if (n == 0) fail_with(EIO, "somebody else has shortened", path_);
    to += n;
    offset += static_cast<std::uint64_t>(n);
    count -= static_cast<std::size_t>(n);
  }
}

std::shared_ptr<const char> JournalFile::map(std::uint64_t count) const {
  void* const memory = ::mmap(nullptr, count, PROT_READ, MAP_SHARED, descriptor_, 0);
  if (memory == MAP_FAILED) return nullptr;
  return {static_cast<const char*>(memory),
          [count](const char* mapped) { ::munmap(const_cast<char*>(mapped), count); }};
}

void JournalFile::write(std::uint64_t offset, std::array<std::string_view, 3> parts) {
  const auto is_empty = [](std::string_view part) { return part.empty(); };
  while (!std::ranges::all_of(parts, is_empty)) {
    std::array<iovec, 3> vectors;
    std::ranges::transform(parts, vectors.begin(), [](std::string_view part) {
      return iovec{const_cast<char*>(part.data()), part.size()};
    });
    const ssize_t n = ::pwritev(descriptor_, vectors.data(), static_cast<int>(vectors.size()),
                                static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("cannot write to");
    // A call that stops halfway gives no reason; trying the rest does.
    auto written = static_cast<std::size_t>(n);
    offset += written;
    for (std::string_view& part : parts) {
      const std::size_t of_part = std::min(written, part.size());
      part.remove_prefix(of_part);
      written -= of_part;
    }
  }
}

void JournalFile::truncate(std::uint64_t size) {
  while (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) {
    if (errno != EINTR) fail("cannot shorten");
  }
}

void JournalFile::sync() {
  while (::fdatasync(descriptor_) != 0) {
    if (cannot_sync(errno)) return;
    if (errno != EINTR) fail("cannot bring to the disk:");
  }
}

// A hint; a system that does not take it loses nothing.
void JournalFile::leave_memory(std::uint64_t offset, std::uint64_t count) const {
  ::posix_fadvise(descriptor_, static_cast<off_t>(offset), static_cast<off_t>(count),
                  POSIX_FADV_DONTNEED);
}

void sync_directory(const std::filesystem::path& directory) {
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) fail_with(errno, "cannot open", directory);
  const int code = ::fsync(descriptor) != 0 ? errno : 0;
  ::close(descriptor);
  if (code != 0 && !cannot_sync(code)) fail_with(code, "cannot bring to the disk:", directory);
}

}  // namespace tumble
