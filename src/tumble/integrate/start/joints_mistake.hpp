// Mistakes that are nobody's alone: the joints together ask for too much.
#pragma once
#include <string>

#include "tumble/base/diagnostic.hpp"
#include "tumble/model/system.hpp"

namespace tumble {

/// Names the section of joints and what it ought to be like.
Diagnostic joints_mistake(const System& system, std::string expectation);

}  // namespace tumble
