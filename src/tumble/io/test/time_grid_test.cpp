// The grid that `accuracy` found, as text in the results file: what replay and extension march on.
#include "tumble/io/model/time_grid.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace tumble {
namespace {

TEST(TimeGrid, ComesBackToTheLastBit) {
  const std::vector<GridZone> grid{{0, 0.0, 1.0 / 3},
                                   {0, 0.1, 2e-5},
                                   {2, 0.0, 1.0000000000000002e-7},
                                   {2, 0.30000000000000004, 1e-3}};
  const std::vector<GridZone> read = read_grid_text(grid_text(grid));
  ASSERT_EQ(read.size(), grid.size());
  for (std::size_t i = 0; i < grid.size(); ++i) {
    EXPECT_EQ(read[i].event, grid[i].event);
    EXPECT_EQ(read[i].after, grid[i].after);
    EXPECT_EQ(read[i].step, grid[i].step);
  }
  EXPECT_TRUE(read_grid_text(grid_text({})).empty());
}

TEST(TimeGrid, RefusesWhatIsNone) {
  for (const char* text : {"0 0 -1e-3\n", "0 0 0\n", "0 -1 1e-3\n", "0 0 nan\n", "0 0 inf\n",
                           "1 0 1e-3\n0 0 1e-3\n", "0 0\n", "0 0 1e-3\nzone\n", "-1 0 1e-3\n"})
    EXPECT_THROW(read_grid_text(text), std::runtime_error) << text;
}

}  // namespace
}  // namespace tumble
