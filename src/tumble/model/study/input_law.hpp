// The law of a random number of a model.
#pragma once
#include "tumble/random/law/law_parameters.hpp"

namespace tumble {

using InputLaw = ScalarLawParameters;

}  // namespace tumble
