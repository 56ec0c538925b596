// A model in words, as results and messages tell it.
#pragma once
#include <string>

#include "tumble/model/system.hpp"

namespace tumble {

/// "beam arm: planar, continuum formulation, 5 elements", a line per beam: how each is modelled
/// decides what its results mean.
std::string describe_beams(const Model& model);

/// "the run: 10001 outputs of 3012 numbers, 0.224 GiB", for who runs out of memory.
std::string size_of_run(const System& system);

}  // namespace tumble
