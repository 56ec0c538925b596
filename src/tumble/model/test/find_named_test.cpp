// Elements by name: what a thread remembers must never show.
#include "tumble/model/compile/find_named.hpp"

#include <gtest/gtest.h>

namespace tumble {
namespace {

struct Named {
  std::string name;
};

std::vector<Named> numbered(int n) {
  std::vector<Named> list;
  for (int i = 0; i < n; ++i) list.push_back({"rod" + std::to_string(i)});
  return list;
}

TEST(FindNamed, FindsEveryElementOfShortAndLongLists) {
  for (const int n : {0, 1, 8, 9, 1000}) {
    const auto list = numbered(n);
    for (int i = 0; i < n; ++i) EXPECT_EQ(find_named(list, "rod" + std::to_string(i)), i);
    EXPECT_EQ(find_named(list, "rod" + std::to_string(n)), -1);
    EXPECT_EQ(find_named(list, ""), -1);
  }
}

TEST(FindNamed, FollowsAListThatChanges) {
  auto list = numbered(100);
  EXPECT_EQ(find_named(list, "rod70"), 70);
  list[70].name = "other";
  EXPECT_EQ(find_named(list, "rod70"), -1);
  EXPECT_EQ(find_named(list, "other"), 70);
  list.erase(list.begin());
  EXPECT_EQ(find_named(list, "other"), 69);
  list.resize(20);
  EXPECT_EQ(find_named(list, "other"), -1);
  EXPECT_EQ(find_named(numbered(50), "rod49"), 49);
}

TEST(FindNamed, TakesTheFirstOfTwo) {
  auto list = numbered(100);
  list[40].name = list[30].name = "twice";
  EXPECT_EQ(find_named(list, "rod50"), 50);
  EXPECT_EQ(find_named(list, "twice"), 30);
}

}  // namespace
}  // namespace tumble
