// What a multilevel study found, for the terminal.
#pragma once
#include <string>

#include "tumble/io/results/multilevel_part.hpp"

namespace tumble::app {

/// Levels, estimates with their errors, and what plain Monte Carlo would have taken.
std::string multilevel_table(const MultilevelResults& results);

}  // namespace tumble::app
