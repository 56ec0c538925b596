// The time grid of a run as text: the attribute `time_grid` of results.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "tumble/model/simulation.hpp"

namespace tumble {

/// One line a zone: event (0: the start, 1: the first break point, ...), seconds after it from
/// which on the zone's steps are taken, and their size in seconds. Numbers are exact.
std::string grid_text(const std::vector<GridZone>& grid);

/// What grid_text() made. @throws std::runtime_error for other text.
std::vector<GridZone> read_grid_text(std::string_view text);

}  // namespace tumble
