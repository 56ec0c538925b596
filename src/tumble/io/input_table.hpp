// The numbers of realisations from a CSV file: its header names parameters, each row is one.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tumble/base/diagnostic.hpp"
#include "tumble/model/parameters.hpp"

namespace tumble {

struct InputTable {
  std::vector<std::string> paths;  ///< one per column
  std::vector<int> slots;          ///< the same as indices into the ParameterTable
  std::vector<double> values;      ///< [row][column]

  std::size_t columns() const { return slots.size(); }
  std::size_t rows() const { return slots.empty() ? 0 : values.size() / slots.size(); }
  const double* row(std::size_t i) const { return values.data() + i * columns(); }
};

/// Cells are separated by commas, semicolons or tabs; empty lines and lines that begin with '#' are
/// skipped. Mistakes go to `errors` with the line in `shown_name`, the first twenty of them.
InputTable parse_input_table(std::string_view text, const std::string& shown_name,
                             const ParameterTable& parameters, std::vector<Diagnostic>& errors);

}  // namespace tumble
