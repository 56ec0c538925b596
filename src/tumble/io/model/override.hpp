// `--set PATH=VALUE`: changes to the tree of a model file before it is read.
#pragma once
#include <string>
#include <vector>

#include "tumble/io/text/document.hpp"

namespace tumble {

/// Applies one override. PATH is a field (simulation.step), an item of a list
/// (bodies.rb5.position[0]) or a parameter slot as `tumble parameters` lists it; VALUE is YAML.
/// Fields may be new, elements must exist. Mistakes are added to `errors`.
void apply_override(Document& document, const std::string& override_text,
                    std::vector<Diagnostic>& errors);

}  // namespace tumble
