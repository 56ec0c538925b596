#include "tumble/io/results/results_csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tumble {
namespace {

TEST(ResultsCsv, OneFileAProbeInFullPrecision) {
  Trajectory t;
  t.times = {0, 0.1};
  t.series = {{"a", Quantity::position, 3, {1, 2, 3, -4, 1.0 / 3, 6e-30}, {}},
              {"b", Quantity::orientation, 4, {1, 0, 0, 0, 0.5, 0.5, 0.5, 0.5}, {}},
              {"a", Quantity::kinetic_energy, 1, {7, 8}, {}}};
  const auto files = results_csv(t);
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].name, "a.csv");
  EXPECT_EQ(files[0].content,
            "time,position_x [m],position_y [m],position_z [m],kinetic_energy [J]\n"
            "0,1,2,3,7\n"
            "0.1,-4,0.3333333333333333,6e-30,8\n");
  EXPECT_EQ(files[1].name, "b.csv");
  EXPECT_EQ(files[1].content,
            "time,orientation_w [1],orientation_x [1],orientation_y [1],orientation_z [1]\n"
            "0,1,0,0,0\n"
            "0.1,0.5,0.5,0.5,0.5\n");
}

TEST(ResultsCsv, RightLimitsInAFileOfTheirOwn) {
  Trajectory t;
  t.times = {0, 1};
  t.breaks = {0.5};
  t.series = {{"a", Quantity::angle, 1, {1, 2}, {1.5}}};
  const auto files = results_csv(t);
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[1].name, "a.right.csv");
  EXPECT_EQ(files[1].content, "break,angle [rad]\n0.5,1.5\n");
}

TEST(ResultsCsv, NamesAreKnownBeforeTheRun) {
  std::vector<Probe> probes(1);
  probes[0].name = "a";
  EXPECT_THAT(csv_names(probes, false), testing::ElementsAre("a.csv"));
  EXPECT_THAT(csv_names(probes, true), testing::ElementsAre("a.csv", "a.right.csv"));
}

}  // namespace
}  // namespace tumble
