// What a study of reliability found, for the screen.
#pragma once
#include <string>

#include "tumble/io/results/reliability_part.hpp"

namespace tumble::app {

std::string reliability_table(const ReliabilityResults& results);

}  // namespace tumble::app
