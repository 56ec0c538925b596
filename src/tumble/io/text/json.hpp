// JSON as the program writes it: keys stay in their order.
#pragma once
#include <nlohmann/json.hpp>

namespace tumble {

using Json = nlohmann::ordered_json;

}  // namespace tumble
