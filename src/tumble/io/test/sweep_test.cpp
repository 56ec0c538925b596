// How `--vary` is read, and the points it makes.
#include "tumble/io/model/sweep.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace tumble {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(SweepAxis, SeparatesPathsAndValues) {
  const SweepAxis axis = parse_sweep_axis("a.b[0], c = 1, 2*pi ,-3e-2");
  EXPECT_THAT(axis.paths, ElementsAre("a.b[0]", "c"));
  EXPECT_THAT(axis.values, ElementsAre("1", "2*pi", "-3e-2"));
}

TEST(SweepAxis, LeavesCommasInsideBracketsAndQuotesAlone) {
  EXPECT_THAT(parse_sweep_axis("a=[1, [2, 3]],{b: 1, c: 2},\"x,\\\",y\",'p,q',max(1,2)").values,
              ElementsAre("[1, [2, 3]]", "{b: 1, c: 2}", "\"x,\\\",y\"", "'p,q'", "max(1,2)"));
  // Only the first '=' separates.
  EXPECT_THAT(parse_sweep_axis("a=b=c").values, ElementsAre("b=c"));
}

TEST(SweepAxis, SpacesNumbersEqually) {
  EXPECT_THAT(parse_sweep_axis("a=0.1:0.5:5").values,
              ElementsAre("0.1", "0.2", "0.3", "0.4", "0.5"));
  EXPECT_THAT(parse_sweep_axis("a=-3:-5:3,7,0:1:2").values,
              ElementsAre("-3", "-4", "-5", "7", "0", "1"));
  // Whole numbers are whole.
  const SweepAxis whole = parse_sweep_axis("a=1:60:60,0:7:8,-6:6:5");
  for (std::size_t i = 0; i < 60; ++i) EXPECT_EQ(whole.values[i], std::to_string(i + 1));
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(whole.values[60 + i], std::to_string(i));
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_EQ(whole.values[68 + i], std::to_string(3 * static_cast<int>(i) - 6));
  // The ends as they are written, the distances equal to rounding.
  const SweepAxis axis = parse_sweep_axis("a=0.123456789:9.87654321:1000");
  ASSERT_EQ(axis.values.size(), 1000u);
  EXPECT_EQ(axis.values.front(), "0.123456789");
  EXPECT_EQ(axis.values.back(), "9.87654321");
  const double step = (9.87654321 - 0.123456789) / 999;
  for (std::size_t i = 0; i < 1000; ++i)
    EXPECT_NEAR(*sweep_number(axis.values[i]), 0.123456789 + static_cast<double>(i) * step, 1e-14);
  // What is no range stays a value: here a time of day, and a mapping.
  EXPECT_THAT(parse_sweep_axis("a=12:x:3,{b: 1}").values, ElementsAre("12:x:3", "{b: 1}"));
}

TEST(SweepAxis, SaysWhatIsWrong) {
  const auto message = [](const char* text) -> std::string {
    try {
      parse_sweep_axis(text);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "nothing";
  };
  EXPECT_THAT(message("a"), HasSubstr("PATH[,PATH2...]=VALUE"));
  EXPECT_THAT(message("=1"), HasSubstr("path is missing"));
  EXPECT_THAT(message("a,,b=1"), HasSubstr("path is missing"));
  EXPECT_THAT(message("a="), HasSubstr("value is missing"));
  EXPECT_THAT(message("a=1,,2"), HasSubstr("value is missing"));
  EXPECT_THAT(message("a=[1,2"), HasSubstr("no partner"));
  EXPECT_THAT(message("a='1,2"), HasSubstr("no partner"));
  for (const char* text : {"a=0:1:1", "a=0:1:2.5", "a=0:1:-2", "a=0:1:10001", "a=0:1:"})
    EXPECT_THAT(message(text), HasSubstr("whole number from 2 to 10000")) << text;
}

TEST(Sweep, CombinesAxesTheFirstSlowest) {
  const Sweep sweep({parse_sweep_axis("a,b=1,2"), parse_sweep_axis("c=x,[3, 4],z")});
  ASSERT_EQ(sweep.points(), 6u);
  EXPECT_THAT(sweep.overrides(0), ElementsAre("a=1", "b=1", "c=x"));
  EXPECT_THAT(sweep.overrides(1), ElementsAre("a=1", "b=1", "c=[3, 4]"));
  EXPECT_THAT(sweep.overrides(3), ElementsAre("a=2", "b=2", "c=x"));
  EXPECT_THAT(sweep.overrides(5), ElementsAre("a=2", "b=2", "c=z"));
  EXPECT_EQ(sweep.value(1, 4), "[3, 4]");
}

TEST(Sweep, RefusesWhatHasNoMeaning) {
  EXPECT_THROW(Sweep({}), std::invalid_argument);
  EXPECT_THROW(Sweep({parse_sweep_axis("a=1"), parse_sweep_axis("b,a=2")}), std::invalid_argument);
  EXPECT_THROW(Sweep({parse_sweep_axis("a,a=1")}), std::invalid_argument);
  EXPECT_NO_THROW(Sweep({parse_sweep_axis("a=0:1:100"), parse_sweep_axis("b=0:1:100")}));
  EXPECT_THROW(Sweep({parse_sweep_axis("a=0:1:101"), parse_sweep_axis("b=0:1:100")}),
               std::invalid_argument);
  // Products beyond the range of integers, too.
  const SweepAxis many = parse_sweep_axis("a=0:1:10000");
  std::vector<SweepAxis> axes(6, many);
  for (std::size_t i = 0; i < axes.size(); ++i) axes[i].paths = {std::string(i + 1, 'a')};
  EXPECT_THROW(Sweep(std::move(axes)), std::invalid_argument);
}

TEST(Sweep, KnowsNumbers) {
  EXPECT_EQ(sweep_number("1e-3"), 1e-3);
  EXPECT_NEAR(sweep_number("30*deg").value(), std::numbers::pi / 6, 1e-15);
  for (const char* text : {"[1, 2]", "length", "monte-carlo", "\"1\"", "true"})
    EXPECT_FALSE(sweep_number(text)) << text;
}

}  // namespace
}  // namespace tumble
