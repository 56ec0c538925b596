// The solved laws of a model's random inputs as JSON, keyed by parameter path.
#pragma once
#include <nlohmann/json.hpp>

#include "tumble/inputs/random_laws.hpp"

namespace tumble {

nlohmann::ordered_json laws_json(const RandomLaws& laws);

}  // namespace tumble
