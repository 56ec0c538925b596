// Quantities of interest as they are told on the terminal.
#pragma once
#include <string>
#include <vector>

#include "tumble/io/results/quantity_part.hpp"

namespace tumble::app {

/// Empty if there are none. `confidence`: of the region of a study.
std::string quantity_table(const std::vector<QuantityResults>& results, double confidence);

}  // namespace tumble::app
