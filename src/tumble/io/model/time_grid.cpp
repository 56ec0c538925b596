#include "tumble/io/model/time_grid.hpp"

#include <fmt/format.h>

#include <cmath>
#include <sstream>
#include <stdexcept>

namespace tumble {

std::string grid_text(const std::vector<GridZone>& grid) {
  std::string text;
  for (const GridZone& zone : grid)
    text += fmt::format("{} {} {}\n", zone.event, zone.after, zone.step);
  return text;
}

std::vector<GridZone> read_grid_text(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::vector<GridZone> grid;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream numbers(line);
    GridZone zone;
    numbers >> zone.event >> zone.after >> zone.step;
    const int expected = grid.empty() ? 0 : grid.back().event;
    if (!numbers || !(numbers >> std::ws).eof() || zone.event < expected || !(zone.after >= 0) ||
        !(zone.step > 0) || !std::isfinite(zone.after + zone.step))
      throw std::runtime_error(fmt::format("time_grid: '{}' is no zone of a grid", line));
    grid.push_back(zone);
  }
  return grid;
}

}  // namespace tumble
