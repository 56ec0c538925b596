// Compiled programs in the user's cache directory, so that the next study with the same programs
// need not compile.
//
// What is loaded from here runs with all rights of the user, so nobody else may be able to write
// it: the folder belongs to the user and is closed to all others (0700), or it is not used. A file
// begins with the checksum of what follows; a torn or damaged one is as good as none. Writers write
// a temporary file and rename it. When the folder grows beyond its bound, what was not used for
// longest goes.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace tumble {

class KernelCache {
 public:
  static constexpr std::uint64_t default_bound = std::uint64_t{256} << 20;

  /// $XDG_CACHE_HOME/tumble/kernels, or ~/.cache/tumble/kernels. Never throws: a cache that cannot
  /// be used is empty, keeps nothing and says why.
  static KernelCache of_user();
  explicit KernelCache(std::filesystem::path folder, std::uint64_t bound = default_bound);

  bool usable() const { return problem_.empty(); }
  /// Why it is not used; empty if it is.
  const std::string& problem() const { return problem_; }

  /// The bytes stored under a key of letters and digits, if they are there and whole.
  std::optional<std::string> find(const std::string& key) const;
  /// Does its best to keep them.
  void store(const std::string& key, const std::string& bytes) const;

 private:
  KernelCache() = default;
  std::filesystem::path file_of(const std::string& key) const;
  void make_room(std::uint64_t wanted) const;

  std::filesystem::path folder_;
  std::uint64_t bound_ = 0;
  std::string problem_;
};

}  // namespace tumble
