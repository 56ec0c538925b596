// One column of numbers out of a CSV file.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "tumble/base/diagnostic.hpp"

namespace tumble {

/// The numbers of `column`, of the first one if that is empty. The first row may be a header, and
/// must be one if a column is named. Cells are separated by commas, semicolons or tabs; empty lines
/// and lines that begin with '#' are skipped; other columns may hold anything. Mistakes go to
/// `errors` with the line in `shown_name`, the first twenty of them.
std::vector<double> parse_csv_column(std::string_view text, const std::string& shown_name,
                                     const std::string& column, std::vector<Diagnostic>& errors);

}  // namespace tumble
