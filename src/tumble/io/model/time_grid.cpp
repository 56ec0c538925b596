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

std::string method_text(IntegrationMethod method) {
  return std::string(integration_method_names[static_cast<std::size_t>(method)]);
}

IntegrationMethod read_method_text(std::string_view text) {
  if (text.empty()) return IntegrationMethod::generalized_alpha;
  for (std::size_t i = 0; i < integration_method_names.size(); ++i)
    if (integration_method_names[i] == text) return static_cast<IntegrationMethod>(i);
  throw std::runtime_error(fmt::format("integrator: '{}' is no method", text));
}

}  // namespace tumble
