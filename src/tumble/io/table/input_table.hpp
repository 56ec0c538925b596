// The numbers of realisations from a CSV file: its header names parameters, each row is one.
#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tumble/base/diagnostic.hpp"
#include "tumble/io/table/table_rows.hpp"
#include "tumble/model/parameters.hpp"

namespace tumble {

struct InputTable {
  std::vector<std::string> paths;  ///< one per column
  std::vector<int> slots;          ///< the same as indices into the ParameterTable
  std::shared_ptr<const TableRows> content;

  std::size_t columns() const { return slots.size(); }
  std::uint64_t rows() const { return content ? content->size() : 0; }
  /// One number for each column. From any number of threads; for what it throws see TableRows.
  void read_row(std::uint64_t row, double* numbers) const { content->read(row, numbers); }
};

struct InputTableFile {
  InputTable table;
  std::string sha256;  ///< of the file; of no meaning if there are mistakes in it
};

/// Reads the whole file once, checks every number, and keeps none of them: memory does not grow
/// with the rows. Cells are separated by commas, semicolons or tabs; empty lines and lines that
/// begin with '#' are skipped. Mistakes go to `errors` with the line in `shown_name`, the first
/// twenty of them.
/// @throws std::system_error if the file cannot be read.
InputTableFile read_input_table(const std::filesystem::path& path, const std::string& shown_name,
                                const ParameterTable& parameters, std::vector<Diagnostic>& errors);

}  // namespace tumble
