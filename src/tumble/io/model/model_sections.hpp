// The top-level keys of a model file.
#pragma once
#include <string>
#include <vector>

namespace tumble {

/// Every key this version reads, in the order of the reference page.
const std::vector<std::string>& section_names();

bool is_known_section(const std::string& key);

/// What messages call an element of a section that maps names to elements ("bodies": "body");
/// empty for other keys.
std::string element_word(const std::string& section);

}  // namespace tumble
