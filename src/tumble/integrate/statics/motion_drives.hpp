// Which drives impose motions; the others scale forces.
#pragma once
#include <vector>

#include "tumble/model/system.hpp"

namespace tumble {

/// By drive.
std::vector<bool> motion_drives(const System& system);

}  // namespace tumble
