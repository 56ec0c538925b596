// The machine of a model file, without what is made of its runs.
#pragma once
#include "tumble/io/model_reader.hpp"

namespace tumble {

/// The text of a model file less the sections on uncertainty, quantities of interest, study and
/// identification. `text` is one that can be read.
std::string machine_text(std::string_view text);

/// As read_model_text(), with the sections of the machine alone; others are passed over.
/// @throws InputError with all mistakes, sorted by line.
ModelFile read_machine_text(std::string_view text, const std::string& file_name);

}  // namespace tumble
