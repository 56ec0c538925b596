#include "tumble/program/kernel_cache.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace tumble {
namespace {

namespace fs = std::filesystem;

class KernelCacheTest : public ::testing::Test {
 protected:
  KernelCacheTest() {
    std::string name = (fs::temp_directory_path() / "tumble-cache-XXXXXX").string();
    above_ = mkdtemp(name.data());
    folder_ = above_ / "kernels";
  }
  ~KernelCacheTest() override {
    chmod(folder_.c_str(), 0700);
    fs::remove_all(above_);
  }

  fs::path above_, folder_;
};

TEST_F(KernelCacheTest, KeepsWhatIsStored) {
  const KernelCache cache(folder_);
  ASSERT_TRUE(cache.usable()) << cache.problem();
  EXPECT_EQ(cache.find("abc"), std::nullopt);
  const std::string bytes("code\0with zeros", 15);
  cache.store("abc", bytes);
  EXPECT_EQ(KernelCache(folder_).find("abc"), bytes);
  EXPECT_EQ(cache.find("abd"), std::nullopt);
  struct stat status {};
  ASSERT_EQ(stat(folder_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
}

TEST_F(KernelCacheTest, DamagedFilesAreNotThere) {
  const KernelCache cache(folder_);
  cache.store("abc", "some code");
  const fs::path file = folder_ / "abc.kernels";
  const auto size = fs::file_size(file);
  for (const std::uintmax_t at :
       {std::uintmax_t{0}, std::uintmax_t{63}, std::uintmax_t{64}, size - 1}) {
    cache.store("abc", "some code");
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(static_cast<std::streamoff>(at));
    stream.put('!');
    stream.close();
    EXPECT_EQ(cache.find("abc"), std::nullopt) << at;
  }
  cache.store("abc", "some code");
  fs::resize_file(file, size - 1);
  EXPECT_EQ(cache.find("abc"), std::nullopt);
  // Nor is one that was stored under another key.
  cache.store("abc", "some code");
  fs::copy_file(file, folder_ / "abd.kernels");
  EXPECT_EQ(cache.find("abd"), std::nullopt);
}

TEST_F(KernelCacheTest, FoldersThatOthersMayWriteAreNotUsed) {
  fs::create_directory(folder_);
  for (const mode_t mode : {0770, 0707, 0755}) {
    chmod(folder_.c_str(), mode);
    const KernelCache open(folder_);
    EXPECT_FALSE(open.usable());
    EXPECT_NE(open.problem().find("open to other users"), std::string::npos) << open.problem();
    open.store("abc", "code");
    EXPECT_TRUE(fs::is_empty(folder_));
  }
  fs::remove(folder_);
  fs::create_directory(above_ / "elsewhere");
  chmod((above_ / "elsewhere").c_str(), 0700);
  fs::create_directory_symlink(above_ / "elsewhere", folder_);
  EXPECT_FALSE(KernelCache(folder_).usable());
  fs::remove(folder_);
  std::ofstream(folder_) << "a file";
  EXPECT_FALSE(KernelCache(folder_).usable());
}

TEST_F(KernelCacheTest, UnusedFilesMakeRoom) {
  const KernelCache cache(folder_, 1000);
  const std::string bytes(300, 'x');  // with its checksum 364
  cache.store("first", bytes);
  cache.store("second", bytes);
  const auto now = fs::file_time_type::clock::now();
  fs::last_write_time(folder_ / "first.kernels", now - std::chrono::hours(2));
  fs::last_write_time(folder_ / "second.kernels", now - std::chrono::hours(1));
  EXPECT_TRUE(cache.find("first").has_value());  // it was used a moment ago
  cache.store("third", bytes);
  EXPECT_TRUE(cache.find("first").has_value());
  EXPECT_FALSE(cache.find("second").has_value());
  EXPECT_TRUE(cache.find("third").has_value());
  cache.store("huge", std::string(2000, 'x'));
  EXPECT_FALSE(cache.find("huge").has_value());
}

TEST_F(KernelCacheTest, IsWhereTheUserKeepsCaches) {
  const char* before = std::getenv("XDG_CACHE_HOME");
  const std::string kept = before != nullptr ? before : "";
  setenv("XDG_CACHE_HOME", above_.c_str(), 1);
  EXPECT_TRUE(KernelCache::of_user().usable());
  EXPECT_TRUE(fs::is_directory(above_ / "tumble" / "kernels"));
  if (before != nullptr)
    setenv("XDG_CACHE_HOME", kept.c_str(), 1);
  else
    unsetenv("XDG_CACHE_HOME");
}

}  // namespace
}  // namespace tumble
