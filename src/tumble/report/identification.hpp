// From the results of an identification to what the page holds of it.
#pragma once
#include <filesystem>

#include "tumble/report/blob.hpp"

namespace tumble::report {

/// Whether the results in `directory` are those of an identification.
bool holds_identification(const std::filesystem::path& directory);

/// Report.identification. @throws std::runtime_error if the results are no such thing.
Json make_identification(const std::filesystem::path& directory, const std::string& label);

}  // namespace tumble::report
