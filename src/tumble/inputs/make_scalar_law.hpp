// The law of a random number, from what the user wrote.
#pragma once
#include "tumble/model/study/input_law.hpp"
#include "tumble/random/law/scalar_law.hpp"

namespace tumble {

/// @throws std::invalid_argument for parameters that no such law has.
ScalarLaw make_scalar_law(const InputLaw& input);

}  // namespace tumble
