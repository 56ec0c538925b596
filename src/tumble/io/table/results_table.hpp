// A curve over time out of a results file, as a table.
#pragma once
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tumble/model/entry.hpp"

namespace tumble {

/// What of a results file: a variable over time, and of each of its other dimensions one entry, by
/// its coordinate ("axis", "z") or, where a dimension has none, by its number from 0.
struct ResultsCurve {
  std::string variable;
  std::vector<std::pair<std::string, std::string>> at;
};

/// What reads it: who links no netCDF has none (io/machine_reader.hpp).
using ResultsTableReader = Table(const std::filesystem::path& path, const ResultsCurve& curve,
                                 std::string& error, std::string& suggestion);

/// The curve with its times, or what is wrong with the request in `error`: the message, without the
/// file's name, and in `suggestion` what may have been meant.
Table read_results_table(const std::filesystem::path& path, const ResultsCurve& curve,
                         std::string& error, std::string& suggestion);

}  // namespace tumble
