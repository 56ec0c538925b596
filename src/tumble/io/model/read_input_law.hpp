// The law of one random number in the section `uncertainty`.
#pragma once
#include "tumble/io/model/read_context.hpp"
#include "tumble/model/study/input_law.hpp"

namespace tumble {

/// Reads the law that the key `law` of a mapping names, and its parameters beside it. The unit of
/// `base` is that of the number. `other_keys` of the mapping are read elsewhere. False if there is
/// no such law.
bool read_input_law(ReadContext& context, const Place& base, const Node& node,
                    const std::vector<std::string>& other_keys, InputLaw& law);

}  // namespace tumble
