// The solved laws of a model's random inputs as JSON, keyed by parameter path.
#pragma once
#include "tumble/inputs/random_laws.hpp"
#include "tumble/io/text/json.hpp"

namespace tumble {

Json laws_json(const RandomLaws& laws);

}  // namespace tumble
