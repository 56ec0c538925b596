#include "tumble/study/journal/write_behind.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

namespace tumble {
namespace {

TEST(WriteBehind, WritesEverythingInOrderBeforeFinishReturns) {
  std::vector<int> written;
  WriteBehind<std::unique_ptr<int>> writer([&](auto& item) { written.push_back(*item); }, 100);
  std::vector<int> expected(1000);
  std::iota(expected.begin(), expected.end(), 0);
  for (const int i : expected) writer.push(std::make_unique<int>(i), 30);
  writer.finish();
  EXPECT_EQ(written, expected);
}

TEST(WriteBehind, WritesWhatWaitsWhenItEnds) {
  int written = 0;
  {
    WriteBehind<int> writer([&](int&) { ++written; }, 1000);
    for (int i = 0; i < 20; ++i) writer.push(int{i}, 1);
  }
  EXPECT_EQ(written, 20);
}

TEST(WriteBehind, LetsAnItemLargerThanTheRoomPass) {
  int written = 0;
  WriteBehind<int> writer([&](int&) { ++written; }, 10);
  for (int i = 0; i < 5; ++i) writer.push(int{i}, 1000);
  writer.finish();
  EXPECT_EQ(written, 5);
}

TEST(WriteBehind, HoldsNoMoreThanItsRoom) {
  constexpr int items = 20, room = 3;
  std::atomic<int> pushed = 0, written = 0, most = 0;
  WriteBehind<int> writer(
      [&](int&) {
        // Whoever pushes fills the room, and would fill more in the time that follows.
        while (pushed < std::min(items, written + 1 + room)) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        most = std::max(most.load(), pushed - written);
        ++written;
      },
      10 * room);
  for (int i = 0; i < items; ++i) {
    writer.push(int{i}, 10);
    ++pushed;
  }
  writer.finish();
  EXPECT_EQ(written, items);
  EXPECT_EQ(most, 1 + room);  // the one being written, and those that wait
}

TEST(WriteBehind, TellsOfAFailureAndWritesNothingAfterIt) {
  std::vector<int> written;
  WriteBehind<int> writer(
      [&](int& item) {
        if (item == 3) throw std::runtime_error("disk full");
        written.push_back(item);
      },
      2);
  try {
    for (int i = 0; i < 100; ++i) writer.push(int{i}, 1);
    writer.finish();
    FAIL() << "no failure";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "disk full");
  }
  EXPECT_THROW(writer.push(4, 1), std::runtime_error);
  EXPECT_THROW(writer.finish(), std::runtime_error);
  EXPECT_EQ(written, (std::vector<int>{0, 1, 2}));
}

}  // namespace
}  // namespace tumble
