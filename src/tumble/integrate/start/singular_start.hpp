// Does a mechanism only start in a singular position, or are its constraints redundant for good?
#pragma once
#include <string>

#include "tumble/model/system.hpp"

namespace tumble {

/// Moves the described start a little off, puts it together there, and looks whether the
/// constraints are independent: those of a flat four-bar are, those of a loop of four parallel
/// hinges are not.
bool starts_in_singular_position(const System& system);

/// Says what to do about it. @param conditions that depend on each other there
[[noreturn]] void throw_singular_start(const System& system, const std::string& conditions);

}  // namespace tumble
