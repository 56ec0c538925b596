#include "tumble/io/table/experiment_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "tumble/base/read_file.hpp"
#include "tumble/base/sha256.hpp"
#include "tumble/io/table/table_rows.hpp"
#include "tumble/io/text/document.hpp"
#include "tumble/io/text/expression.hpp"
#include "tumble/model/check/value_rules.hpp"

namespace tumble {
namespace {

constexpr std::size_t most_data_bytes = std::size_t{256} << 20;
constexpr std::size_t most_data_errors = 20;

/// Whether a header names what is asked for: the same text, or the same name at the same time.
bool names_column(std::string_view header, std::string_view wanted) {
  if (header == wanted) return true;
  const auto at = header.rfind('@'), there = wanted.rfind('@');
  if (at == header.npos || there == wanted.npos || header.substr(0, at) != wanted.substr(0, there))
    return false;
  const auto a = parse_number(header.substr(at + 1)), b = parse_number(wanted.substr(there + 1));
  return a && b && std::abs(*a - *b) <= 1e-9 * std::abs(*b);
}

class ExperimentParser {
 public:
  ExperimentParser(const std::string& shown_name, const std::vector<std::string>& columns,
                   std::vector<Diagnostic>& errors)
      : shown_name_(shown_name), columns_(columns), errors_(errors) {}

  ExperimentTable parse(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // byte order mark of spreadsheets
    while (!text.empty() && !broken_) {
      const auto end = text.find('\n');
      const std::string_view line = without_blanks(text.substr(0, end));
      text.remove_prefix(end == text.npos ? text.size() : end + 1);
      ++line_;
      if (!holds_row(line)) continue;
      if (header_.empty())
        read_header(line);
      else
        read_row(line);
    }
    if (header_.empty() && faults_ == 0)
      fault({}, {}, "must begin with a header that names its columns");
    else if (faults_ == 0 && table_.experiments == 0)
      fault({}, {}, "must have at least one row of measurements below its header");
    if (faults_ > most_data_errors) {
      Diagnostic d;
      d.where = {shown_name_, line_};
      d.stands_for = faults_ - most_data_errors;
      d.expectation = fmt::format("{} more mistakes up to this line are not listed", d.stands_for);
      errors_.push_back(std::move(d));
    }
    return std::move(table_);
  }

 private:
  void read_header(std::string_view line) {
    separator_ = line.find(',') != line.npos ? ',' : line.find(';') != line.npos ? ';' : '\t';
    for_each_cell(line, separator_, [&](std::string_view cell) { header_.emplace_back(cell); });
    std::vector<bool> used(header_.size());
    for (const std::string& wanted : columns_) {
      std::size_t found = header_.size(), count = 0;
      for (std::size_t i = 0; i < header_.size(); ++i)
        if (names_column(header_[i], wanted)) {
          if (count++ == 0) found = i;
          used[i] = true;
        }
      if (count == 0) {
        fault(fmt::format("column '{}'", printable(wanted)), {},
              "is not in the header, which identification.observations asks for",
              nearest_name(wanted, header_));
        broken_ = true;
      } else if (count > 1) {
        fault(fmt::format("column '{}'", printable(wanted)), {}, "is in the header twice");
        broken_ = true;
      }
      places_.push_back(found);
    }
    for (std::size_t i = 0; i < header_.size(); ++i)
      if (!used[i]) table_.not_used.push_back(printable(header_[i]));
  }

  void read_row(std::string_view line) {
    std::vector<std::string_view> cells;
    for_each_cell(line, separator_, [&](std::string_view cell) { cells.push_back(cell); });
    if (cells.size() != header_.size()) {
      fault({}, {},
            fmt::format("must have {} cells, as the header has; found {}", header_.size(),
                        cells.size()));
      return;
    }
    std::vector<double> row;
    bool any = false;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const std::string_view cell = cells[places_[c]];
      row.push_back(std::numeric_limits<double>::quiet_NaN());
      if (cell.empty()) continue;
      const auto number = parse_number(cell);
      const std::string_view wrong =
          number ? range_fault(Range::any, *number) : "must be a number, or empty if it is missing";
      if (!wrong.empty()) {
        fault(fmt::format("column '{}'", printable(columns_[c])),
              fmt::format("'{}'", printable(cell)), std::string(wrong));
        continue;
      }
      row.back() = *number;
      any = true;
    }
    if (!any) {
      ++table_.empty_rows;
      return;
    }
    table_.values.insert(table_.values.end(), row.begin(), row.end());
    ++table_.experiments;
  }

  void fault(std::string column, std::string value, std::string message,
             std::string suggestion = {}) {
    if (++faults_ > most_data_errors) return;
    Diagnostic d;
    d.where = {shown_name_, std::max(line_, 1)};
    d.field = std::move(column);
    d.value = std::move(value);
    d.expectation = std::move(message);
    d.suggestion = std::move(suggestion);
    errors_.push_back(std::move(d));
  }

  const std::string& shown_name_;
  const std::vector<std::string>& columns_;
  std::vector<Diagnostic>& errors_;
  ExperimentTable table_;
  std::vector<std::string> header_;
  std::vector<std::size_t> places_;
  char separator_ = ',';
  int line_ = 0;
  std::size_t faults_ = 0;
  bool broken_ = false;
};

}  // namespace

ExperimentTable parse_experiments(std::string_view text, const std::string& shown_name,
                                  const std::vector<std::string>& columns,
                                  std::vector<Diagnostic>& errors) {
  ExperimentTable table = ExperimentParser(shown_name, columns, errors).parse(text);
  table.sha256 = sha256(text);
  return table;
}

ExperimentTable read_experiments(const std::filesystem::path& path, const std::string& shown_name,
                                 const std::vector<std::string>& columns,
                                 std::vector<Diagnostic>& errors) {
  std::string error;
  const std::string content = read_regular_file(path, most_data_bytes, error);
  if (error.empty()) return parse_experiments(content, shown_name, columns, errors);
  Diagnostic d;
  d.where = {shown_name, 0};
  d.expectation = error;
  errors.push_back(d);
  return {};
}

}  // namespace tumble
