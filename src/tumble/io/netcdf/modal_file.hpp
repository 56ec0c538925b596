// The file of a flexible body (docs/theory/modal-bodies.md#file).
#pragma once
#include <filesystem>
#include <string>

#include "tumble/model/modal.hpp"

namespace tumble {

/// What reads one: who links no netCDF has none (io/machine_reader.hpp).
using ModalFileReader = ModalData(const std::filesystem::path& path, std::string& error);

/// The body, or in `error` what is wrong with the file, without its name.
ModalData read_modal_file(const std::filesystem::path& path, std::string& error);

/// The bytes of a file, with a sentence on where it comes from.
std::string modal_file(const ModalData& data, const std::string& history);

}  // namespace tumble
