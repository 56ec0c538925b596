#include "tumble/study/journal/journal_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "tumble/study/journal/journal_record.hpp"

namespace tumble {
namespace {

// The holder wrote who it is; it may be about to.
std::string holder(int descriptor) {
  std::array<char, 256> text{};
  const ssize_t n = ::pread(descriptor, text.data(), text.size(), 0);
  return n > 0 ? std::string(text.data(), static_cast<std::size_t>(n)) : "another process";
}

std::string myself() {
  std::array<char, 128> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  return fmt::format("process {} on {}", ::getpid(), host.data());
}

// Whether `path` still names the open file: the last holder removes it, perhaps just now.
bool is_current(int descriptor, const std::filesystem::path& path) {
  struct stat open_file {};
  struct stat named {};
  return ::fstat(descriptor, &open_file) == 0 && ::stat(path.c_str(), &named) == 0 &&
         open_file.st_ino == named.st_ino && open_file.st_dev == named.st_dev;
}

}  // namespace

JournalLock::JournalLock(std::filesystem::path path) : path_(std::move(path)) {
  for (;;) {
    descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor_ < 0) {
      throw std::system_error(errno, std::generic_category(), "cannot open " + path_.string());
    }
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      const int code = errno;
      if (code == EWOULDBLOCK) {
        const std::string who = holder(descriptor_);
        const auto directory = path_.has_parent_path() ? path_.parent_path() : ".";
        ::close(descriptor_);
        throw JournalError(
            JournalError::Reason::locked,
            fmt::format("the study in {} is being run by {}; wait for it or stop it, "
                        "or choose another directory",
                        directory.string(), who));
      }
      if (code == EINTR) {
        ::close(descriptor_);
        continue;
      }
      return;  // no locks here (some network file systems)
    }
    if (is_current(descriptor_, path_)) break;
    ::close(descriptor_);
  }
  held_ = true;
  // Only a courtesy to whoever is refused: on a full disk the lock does without it.
  const std::string text = myself();
  if (::ftruncate(descriptor_, 0) != 0 || ::pwrite(descriptor_, text.data(), text.size(), 0) < 0) {
    errno = 0;
  }
}

JournalLock::~JournalLock() {
  // While the lock is held; a process that opened the file meanwhile notices by is_current().
  if (held_) ::unlink(path_.c_str());
  ::close(descriptor_);
}

}  // namespace tumble
