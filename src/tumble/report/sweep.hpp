// From the results of a sweep to what the page holds of it: what was varied, and every statistic of
// every response at every point.
#pragma once
#include <filesystem>

#include "tumble/report/blob.hpp"

namespace tumble::report {

/// Whether the results in `directory` are those of a sweep.
bool holds_sweep(const std::filesystem::path& directory);

/// Report.sweep. Of many times only so many go in that arrays stay below `most_bytes`.
/// @throws std::runtime_error if the results are not those of a sweep.
Json make_sweep(const std::filesystem::path& directory, const std::string& label, Blob& blob,
                std::size_t most_bytes = 6'000'000);

}  // namespace tumble::report
