#include "tumble/base/atomic_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>

namespace tumble {
namespace {

namespace fs = std::filesystem;

class AtomicFileTest : public testing::Test {
 protected:
  AtomicFileTest() {
    directory_ = fs::path(testing::TempDir()) /
                 ("tumble_atomic_" + std::to_string(::getpid()) + "_" +
                  std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(directory_);
    fs::create_directories(directory_);
  }
  ~AtomicFileTest() override { fs::remove_all(directory_); }

  fs::path path() const { return directory_ / "file.txt"; }
  std::string content() const {
    std::ifstream file(path());
    return {std::istreambuf_iterator<char>(file), {}};
  }
  auto count() const {
    return std::distance(fs::directory_iterator(directory_), fs::directory_iterator());
  }

  fs::path directory_;
};

TEST_F(AtomicFileTest, AppearsAtCommitAndReplaces) {
  std::ofstream(path()) << "old";
  AtomicFile file(path());
  file.write("new ");
  file.write("text");
  file.finish();
  EXPECT_EQ(content(), "old");
  file.commit();
  EXPECT_EQ(content(), "new text");
  EXPECT_EQ(count(), 1);
}

TEST_F(AtomicFileTest, ReservesRoomOrSaysThatThereIsNone) {
  AtomicFile file(path());
  file.write("text");
  file.reserve(100'000);
  EXPECT_EQ(fs::file_size(file.temporary()), 100'000u);
  file.reserve(10);  // less than there is
  EXPECT_EQ(fs::file_size(file.temporary()), 100'000u);
  try {
    file.reserve(std::uint64_t{1} << 62);
    FAIL() << "more than any disk has";
  } catch (const std::system_error& error) {
    EXPECT_NE(std::string(error.what()).find("file.txt"), std::string::npos) << error.what();
  }
}

TEST_F(AtomicFileTest, LeftoversOfItsNameAreRemoved) {
  std::ofstream(path()) << "kept";
  std::ofstream(directory_ / ".file.txt.12-0.tmp") << "left by a killed process";
  std::ofstream(directory_ / ".file.txt") << "kept";
  std::ofstream(directory_ / ".other.txt.12-0.tmp") << "kept";
  AtomicFile::remove_leftovers(path());
  EXPECT_EQ(count(), 3);
  EXPECT_FALSE(fs::exists(directory_ / ".file.txt.12-0.tmp"));
}

TEST_F(AtomicFileTest, WithoutCommitLeavesNothing) {
  {
    AtomicFile file(path());
    file.write("text");
    EXPECT_EQ(count(), 1);
    AtomicFile moved(std::move(file));
    moved.finish();
  }
  EXPECT_EQ(count(), 0);
}

TEST_F(AtomicFileTest, TwoWritersDoNotMeet) {
  AtomicFile first(path()), second(path());
  first.write("first");
  second.write("second");
  second.commit();
  EXPECT_EQ(content(), "second");
  first.commit();
  EXPECT_EQ(content(), "first");
  EXPECT_EQ(count(), 1);
}

// Readable by whom the user's mask says, not by the owner alone as temporary files often are.
TEST_F(AtomicFileTest, HasOrdinaryPermissions) {
  const mode_t mask = ::umask(022);
  AtomicFile(path()).commit();
  ::umask(mask);
  struct stat status {};
  ASSERT_EQ(::stat(path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0644u);
}

TEST_F(AtomicFileTest, FullDiskIsAnErrorThatNamesTheFile) {
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 1000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  std::string message;
  int code = 0;
  try {
    AtomicFile file(path());
    file.write(std::string(5000, 'x'));
    file.commit();
  } catch (const std::system_error& error) {
    message = error.what();
    code = error.code().value();
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(code, EFBIG);
  EXPECT_NE(message.find(path().string()), std::string::npos) << message;
  EXPECT_EQ(count(), 0);
}

}  // namespace
}  // namespace tumble
