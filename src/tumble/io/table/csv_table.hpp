// Two columns of numbers in CSV files.
#pragma once
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tumble/base/diagnostic.hpp"
#include "tumble/model/entry.hpp"

namespace tumble {

struct CsvTable {
  Table table;
  std::string content;  ///< the bytes of the file
};

/// Names in the header: of what increases, and of the values.
using CsvColumns = std::array<std::string, 2>;

/// Reads a file of columns separated by commas, semicolons or tabs. Empty lines and lines that
/// begin with '#' are skipped; the first line left may be a header, whose names messages use.
/// Without `columns` there must be two; otherwise the header must have these names, and other
/// columns may hold anything. Numbers of the first one must increase. `shown_name` is the file's
/// name in messages, one for each of the first faulty lines and one for all others.
CsvTable read_csv_table(const std::filesystem::path& path, const std::string& shown_name,
                        const std::optional<CsvColumns>& columns, std::vector<Diagnostic>& errors);

/// The same from text in memory.
Table parse_csv_table(std::string_view text, const std::string& shown_name,
                      const std::optional<CsvColumns>& columns, std::vector<Diagnostic>& errors);

}  // namespace tumble
