// Processes that die, disks that fill, and two processes at once. Each accident happens to a child.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <functional>
#include <random>
#include <string>
#include <system_error>
#include <thread>

#include "tumble/study/test/journal_fixture.hpp"

namespace tumble {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using Start = Journal::Start;

// Runs `work` in a child, which ends without destructors, as a crash does; its exit status.
pid_t start_child(const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  int status = 99;
  try {
    status = work();
  } catch (...) {
    status = 98;
  }
  ::_exit(status);
}

int wait_for(pid_t child) {
  int status = 0;
  if (::waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int in_child(const std::function<int()>& work) { return wait_for(start_child(work)); }

class JournalCrash : public JournalFixture {
 protected:
  static bool keep_level_1(const RecordInfo& info) { return info.key.level == 1; }
  static Content live() {
    const Content all = sample();
    return {all.begin() + 3, all.end()};
  }
  // Compacts, and calls `accident` before the given step. Returns the number of steps.
  int compact(int fatal_step, const std::function<void()>& accident) const {
    int steps = 0;
    bool armed = false;
    JournalOptions options;
    options.before_step = [&](std::string_view) {
      if (armed && steps++ == fatal_step) accident();
    };
    const auto journal = open(Start::resume, {}, options);
    armed = true;
    journal->compact(keep_level_1);
    return steps;
  }
};

TEST_F(JournalCrash, CompactionMayDieBetweenAnyTwoSteps) {
  write_sample();
  const std::string before = bytes();
  const int steps = compact(-1, {});
  const std::string after = bytes();
  ASSERT_GE(steps, 8);
  int old = 0;
  for (int step = 0; step < steps; ++step) {
    SCOPED_TRACE(step);
    set_bytes(before);
    ASSERT_EQ(in_child([&] { return compact(step, [] { ::_exit(42); }); }), 42);
    EXPECT_TRUE(bytes() == before || bytes() == after);
    old += bytes() == before ? 1 : 0;
    const auto [content, report] = resume();
    EXPECT_EQ(content, bytes() == before ? sample() : live());
    EXPECT_EQ(report.message, "");
    // What the dead process left is gone.
    const std::filesystem::directory_iterator files(directory_);
    EXPECT_EQ(std::distance(begin(files), end(files)), 1);
  }
  EXPECT_EQ(old, steps - 2);  // all but the two steps after the rename
}

TEST_F(JournalCrash, CompactionMayFailAtAnyStepAndTheOldFileGoesOn) {
  write_sample();
  const std::string before = bytes();
  const int steps = compact(-1, {});
  for (int step = 0; step < steps - 2; ++step) {
    SCOPED_TRACE(step);
    set_bytes(before);
    bool armed = false;
    int count = 0;
    JournalOptions options;
    options.before_step = [&](std::string_view) {
      if (armed && count++ == step) throw std::system_error(ENOSPC, std::generic_category());
    };
    {
      const auto journal = open(Start::resume, {}, options);
      armed = true;
      EXPECT_THROW(journal->compact(keep_level_1), std::system_error);
      journal->append({record_kind::node, 3, 3}, "goes on");
    }
    auto expected = sample();
    expected.push_back({{record_kind::node, 3, 3}, "goes on"});
    EXPECT_EQ(resume().first, expected);
  }
}

TEST_F(JournalCrash, CreationMayDieBetweenAnyTwoSteps) {
  for (int step = 0; step < 6; ++step) {
    SCOPED_TRACE(step);
    std::filesystem::remove(path());
    int count = 0;
    JournalOptions options;
    options.before_step = [&](std::string_view) {
      if (count++ == step) ::_exit(42);
    };
    ASSERT_EQ(in_child([&] { return open(Start::resume, {}, options) ? 0 : 1; }), 42);
    EXPECT_EQ(resume().second.created, step <= 3);
  }
}

// A limit on the size of files stands for a full disk, which would need a file system of its own.
TEST_F(JournalCrash, FullDiskLeavesAResumableJournal) {
  constexpr int limit = 20000;
  const int appended = in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{limit, limit};
    if (::setrlimit(RLIMIT_FSIZE, &small) != 0) return 90;
    const auto journal = open(Start::fresh);
    int records = 0;
    try {
      for (;; ++records) {
        journal->append({record_kind::node, 0, static_cast<std::uint64_t>(records)},
                        std::string(900, 'x'));
      }
    } catch (const std::system_error& error) {
      if (error.code().value() != EFBIG) return 91;
      if (std::string(error.what()).find(path().string()) == std::string::npos) return 92;
    }
    // What was half written is gone already, so that something smaller still fits.
    if (bytes().size() != journal->bytes()) return 93;
    journal->append({record_kind::node, 1, 0}, "small");
    return records;
  });
  ASSERT_GT(appended, 10);
  ASSERT_LT(appended, 30);
  const auto [content, report] = resume();
  EXPECT_EQ(content.size(), static_cast<std::size_t>(appended) + 1);
  EXPECT_EQ(content.back().second, "small");
  EXPECT_EQ(report.message, "");
}

TEST_F(JournalCrash, FullDiskDuringCompactionKeepsTheOldFile) {
  write_sample();
  const std::string before = bytes();
  const int status = in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const auto journal = open();
    const rlimit small{200, 200};
    if (::setrlimit(RLIMIT_FSIZE, &small) != 0) return 90;
    try {
      journal->compact([](const RecordInfo&) { return true; });
    } catch (const std::system_error& error) {
      return error.code().value() == EFBIG ? 0 : 91;
    }
    return 92;
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(bytes(), before);
  EXPECT_EQ(resume().first, sample());
}

std::string payload_of(std::uint64_t index) {
  return std::string(1 + (index * 7919) % 5000, static_cast<char>('a' + index % 26));
}

// The child acknowledges each record through a pipe after append() returned; none of those may be
// missing, whenever it was killed. It compacts now and then, to be killed in that too.
TEST_F(JournalCrash, KilledProcessLosesNothingItAcknowledged) {
  std::mt19937 random(20240607);
  std::uniform_int_distribution<int> microseconds(0, 30000);
  std::uint64_t known = 0;
  int with_progress = 0;
  for (int kill = 0; kill < 20; ++kill) {
    SCOPED_TRACE(kill);
    std::array<int, 2> pipe{};
    ASSERT_EQ(::pipe2(pipe.data(), O_CLOEXEC), 0);
    const pid_t child = start_child([&] {
      // Both policies: what a killed process wrote is in the kernel, synchronised or not.
      const auto interval = std::chrono::milliseconds(kill % 2 == 0 ? 0 : 10);
      const auto journal = open(Start::resume, {}, {interval, {}});
      for (std::uint64_t index = known;; ++index) {
        journal->append({record_kind::node, 0, index}, payload_of(index));
        if (::write(pipe[1], &index, sizeof index) != sizeof index) return 1;
        if (index % 16 == 15) journal->compact([](const RecordInfo&) { return true; });
      }
    });
    ::close(pipe[1]);
    std::this_thread::sleep_for(std::chrono::microseconds(5000 + microseconds(random)));
    ::kill(child, SIGKILL);
    EXPECT_EQ(wait_for(child), -1);
    std::uint64_t acknowledged = known;
    std::uint64_t index = 0;
    while (::read(pipe[0], &index, sizeof index) == sizeof index) acknowledged = index + 1;
    ::close(pipe[0]);

    const auto content = resume().first;
    ASSERT_GE(content.size(), acknowledged);
    ASSERT_LE(content.size(), acknowledged + 1);  // one may have been written and not acknowledged
    for (std::uint64_t i = 0; i < content.size(); ++i) {
      ASSERT_EQ(content[i].first.index, i);
      ASSERT_EQ(content[i].second, payload_of(i));
    }
    with_progress += content.size() > known ? 1 : 0;
    known = content.size();
  }
  EXPECT_GT(with_progress, 0);  // or nothing was tested
}

TEST_F(JournalCrash, TwoProcessesDoNotMeet) {
  const auto attempt = [&] {
    try {
      open(Start::overwrite);
    } catch (const JournalError& error) {
      if (error.reason() != JournalError::Reason::locked) return 2;
      const std::string text = error.what();
      const bool says_who = text.find(std::to_string(::getppid())) != std::string::npos;
      return says_who && text.find("another directory") != std::string::npos ? 1 : 3;
    }
    return 0;
  };
  {
    const auto journal = open(Start::fresh);
    journal->append({record_kind::node, 0, 0}, "mine");
    EXPECT_EQ(in_child(attempt), 1);
    journal->compact([](const RecordInfo&) { return true; });
    EXPECT_EQ(in_child(attempt), 1);  // the lock outlives a change of files
    EXPECT_THROW(open(), JournalError);
  }
  EXPECT_EQ(resume().first.size(), 1u);
  EXPECT_EQ(in_child(attempt), 0);
}

TEST_F(JournalCrash, KilledProcessLeavesNoLock) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe2(pipe.data(), O_CLOEXEC), 0);
  const pid_t child = start_child([&] {
    const auto journal = open(Start::fresh);
    if (::write(pipe[1], "x", 1) != 1) return 1;
    for (;;) ::pause();
  });
  ::close(pipe[1]);
  char ready = 0;
  ASSERT_EQ(::read(pipe[0], &ready, 1), 1);
  ::close(pipe[0]);
  EXPECT_THROW(open(), JournalError);
  ::kill(child, SIGKILL);
  wait_for(child);
  EXPECT_NO_THROW(open());
}

}  // namespace
}  // namespace tumble
