// The indices of a study of sensitivity, for the screen.
#pragma once
#include <string>

#include "tumble/campaign/prepared_study.hpp"

namespace tumble::app {

/// How many blocks there were, and of every component of the probes the indices of each factor over
/// the whole run: as many as fit a screen.
std::string sensitivity_table(const SensitivityResults& results, const Trajectory& nominal);

}  // namespace tumble::app
