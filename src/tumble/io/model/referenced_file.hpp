// Files that a model refers to.
#pragma once
#include <optional>
#include <string>

#include "tumble/io/model/read_context.hpp"

namespace tumble {

/// The bytes of a file the model refers to; its SHA-256 is noted. Nothing after a report at `node`.
std::optional<std::string> read_referenced_file(ReadContext& context, const Place& place,
                                                const Node& node, const std::string& name);

}  // namespace tumble
