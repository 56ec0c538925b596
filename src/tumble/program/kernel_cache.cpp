#include "tumble/program/kernel_cache.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <vector>

#include "tumble/base/atomic_file.hpp"
#include "tumble/base/sha256.hpp"

namespace tumble {

namespace fs = std::filesystem;

namespace {

constexpr const char* ending = ".kernels";
constexpr std::size_t digest_size = 64;

/// Makes the folder closed to others; an empty sentence if it is there and is.
std::string why_not_private(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return fmt::format("{}: {}", folder.string(), std::strerror(errno));
  struct stat status {};
  if (lstat(folder.c_str(), &status) != 0)
    return fmt::format("{}: {}", folder.string(), std::strerror(errno));
  if (!S_ISDIR(status.st_mode)) return fmt::format("{} is no folder", folder.string());
  if (status.st_uid != geteuid()) return fmt::format("{} belongs to another user", folder.string());
  if ((status.st_mode & 077) != 0)
    return fmt::format("{} is open to other users (chmod 700 closes it)", folder.string());
  return {};
}

}  // namespace

KernelCache KernelCache::of_user() {
  // An absolute path, or it is ignored, as the XDG Base Directory Specification says.
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && cache[0] == '/')
    return KernelCache(fs::path(cache) / "tumble" / "kernels");
  if (const char* home = std::getenv("HOME"); home != nullptr && home[0] == '/')
    return KernelCache(fs::path(home) / ".cache" / "tumble" / "kernels");
  KernelCache none;
  none.problem_ = "neither XDG_CACHE_HOME nor HOME is set";
  return none;
}

KernelCache::KernelCache(fs::path folder, std::uint64_t bound)
    : folder_(std::move(folder)), bound_(bound), problem_(why_not_private(folder_)) {}

fs::path KernelCache::file_of(const std::string& key) const { return folder_ / (key + ending); }

std::optional<std::string> KernelCache::find(const std::string& key) const {
  if (!usable()) return std::nullopt;
  std::ifstream file(file_of(key), std::ios::binary);
  if (!file) return std::nullopt;
  std::string bytes(std::istreambuf_iterator<char>(file), {});
  if (bytes.size() <= digest_size) return std::nullopt;
  const std::string digest = bytes.substr(0, digest_size);
  bytes.erase(0, digest_size);
  // The key is part of what is checked: a file under another's name is none of ours.
  if (sha256(key + bytes) != digest) return std::nullopt;
  std::error_code ignored;
  fs::last_write_time(file_of(key), fs::file_time_type::clock::now(), ignored);
  return bytes;
}

void KernelCache::store(const std::string& key, const std::string& bytes) const {
  if (!usable() || bytes.size() + digest_size > bound_) return;
  try {
    make_room(bytes.size() + digest_size);
    AtomicFile file(file_of(key));
    file.write(sha256(key + bytes));
    file.write(bytes);
    file.commit();
  } catch (const std::exception&) {
    // A full or read-only disk costs the next study its compiling, and nothing else.
  }
}

void KernelCache::make_room(std::uint64_t wanted) const {
  struct Stored {
    fs::file_time_type used;
    std::uint64_t size;
    fs::path path;
  };
  std::vector<Stored> files;
  std::uint64_t total = wanted;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    if (entry.path().extension() != ending) continue;
    std::error_code gone;
    const std::uint64_t size = entry.file_size(gone);
    const auto used = entry.last_write_time(gone);
    if (gone) continue;  // another study made room at the same time
    files.push_back({used, size, entry.path()});
    total += size;
  }
  std::sort(files.begin(), files.end(), [](const Stored& a, const Stored& b) {
    return std::tie(a.used, a.path) < std::tie(b.used, b.path);
  });
  for (const Stored& file : files) {
    if (total <= bound_) break;
    if (fs::remove(file.path, error)) total -= file.size;
  }
}

}  // namespace tumble
