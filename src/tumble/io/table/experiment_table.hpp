// Measurements from a CSV file: one row an experiment, one column a number.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tumble/base/diagnostic.hpp"

namespace tumble {

struct ExperimentTable {
  std::size_t experiments = 0;
  std::vector<double> values;         ///< [experiment][column], in the order asked for; NaN: empty
  std::vector<std::string> not_used;  ///< columns of the file that nobody asked for
  std::size_t empty_rows = 0;         ///< that hold none of the columns asked for; left out
  std::string sha256;                 ///< of the file
};

/// Finds the columns by their names in the header, which is the first row; `a@0.009` also finds
/// `a@0.0090`. Cells are separated by commas, semicolons or tabs; an empty cell is a missing value;
/// empty lines and lines that begin with '#' are skipped. Mistakes go to `errors` with the line in
/// `shown_name`, the first twenty of them.
ExperimentTable read_experiments(const std::filesystem::path& path, const std::string& shown_name,
                                 const std::vector<std::string>& columns,
                                 std::vector<Diagnostic>& errors);

/// The same from text in memory.
ExperimentTable parse_experiments(std::string_view text, const std::string& shown_name,
                                  const std::vector<std::string>& columns,
                                  std::vector<Diagnostic>& errors);

}  // namespace tumble
