// The page beside the results.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace tumble::app {

std::filesystem::path report_path(const std::filesystem::path& directory);

/// Writes the page of these directories, complete or not at all.
/// @throws UsageError if one of them holds no results.
void write_report(const std::vector<std::filesystem::path>& directories,
                  const std::filesystem::path& file);

/// Writes a page of one figure of a paper, made from these directories; `figure` is its file.
/// @throws UsageError also if that cannot be read, or names what is not in the results.
void write_figure_page(const std::vector<std::filesystem::path>& directories,
                       const std::filesystem::path& figure, const std::filesystem::path& file);

/// At the end of a run, whose results are safe by then: makes the page and says, unless `quiet`,
/// where it is; what goes wrong is a warning.
void refresh_report(const std::filesystem::path& directory, bool wanted, bool quiet);

/// The same for results that an earlier run has written, if it did not come to make their page.
void complete_report(const std::filesystem::path& directory, bool wanted, bool quiet);

}  // namespace tumble::app
