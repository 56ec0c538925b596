// What a run was integrated with, found for an accuracy, as text: the attributes `time_grid` and
// `integrator` of results.
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

/// As in a model file.
std::string method_text(IntegrationMethod method);
/// What method_text() made; generalized-alpha for an empty text. @throws std::runtime_error
IntegrationMethod read_method_text(std::string_view text);

}  // namespace tumble
