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

/// The bytes of a file the model refers to; its SHA-256 is noted. Nothing after a report at `node`.
std::optional<std::string> read_referenced_file(ReadContext& context, const Place& place,
                                                const Node& node, const std::string& name);

}  // namespace tumble
