// What a worst-case study found, for the terminal.
#pragma once
#include <string>

#include "tumble/io/results/worst_case_part.hpp"

namespace tumble::app {

std::string worst_case_table(const WorstCaseResults& results);

}  // namespace tumble::app
