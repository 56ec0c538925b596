// The page beside the results.
#pragma once
#include <filesystem>
#include <vector>

namespace tumble::app {

std::filesystem::path report_path(const std::filesystem::path& directory);

/// Writes the page of these directories, complete or not at all.
/// @throws UsageError if one of them holds no results.
void write_report(const std::vector<std::filesystem::path>& directories,
                  const std::filesystem::path& file);

/// The same at the end of a run, whose results are safe by then: what goes wrong is a warning.
/// Returns whether the page is there.
bool write_report_or_warn(const std::filesystem::path& directory);

}  // namespace tumble::app
