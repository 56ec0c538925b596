#include "tumble/io/table/csv_column.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tumble/io/table/table_rows.hpp"
#include "tumble/io/text/document.hpp"
#include "tumble/io/text/expression.hpp"

namespace tumble {
namespace {

constexpr std::size_t most_rows = 1'000'000;
constexpr std::size_t most_columns = 10'000;
constexpr std::size_t longest_name = 1000;
constexpr std::size_t most_errors = 20;

class ColumnParser {
 public:
  ColumnParser(const std::string& shown_name, const std::string& column,
               std::vector<Diagnostic>& errors)
      : shown_name_(shown_name), column_(column), errors_(errors) {}

  std::vector<double> parse(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // of spreadsheets
    while (!text.empty() && faults_ < most_errors && !stopped_) {
      const auto end = text.find('\n');
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(end == text.npos ? text.size() : end + 1);
      ++line_;
      if (holds_row(line)) read_row(line);
    }
    return std::move(numbers_);
  }

 private:
  void fault(std::string value, std::string message, std::string suggestion = {}) {
    Diagnostic d;
    d.where = {shown_name_, line_};
    d.value = std::move(value);
    d.expectation = std::move(message);
    d.suggestion = std::move(suggestion);
    errors_.push_back(std::move(d));
    ++faults_;
  }

  void read_row(std::string_view line) {
    if (separator_ == 0) {
      separator_ = line.find(',') != line.npos ? ',' : line.find(';') != line.npos ? ';' : '\t';
      if (read_header(line)) return;
    }
    std::size_t cells = 0;
    for_each_cell(line, separator_, [&](std::string_view cell) {
      if (cells++ != index_) return;
      if (const auto number = parse_number(cell))
        numbers_.push_back(*number);
      else
        fault(fmt::format("'{}'", printable(cell)), "must be a number");
    });
    if (cells <= index_)
      fault({}, fmt::format("must have at least {} columns, found {}", index_ + 1, cells));
    if (numbers_.size() > most_rows) {
      fault({}, fmt::format("has more than {} rows", most_rows));
      stopped_ = true;
    }
  }

  /// True if the line is a header.
  bool read_header(std::string_view line) {
    std::vector<std::string> names;
    for_each_cell(line, separator_, [&](std::string_view cell) {
      if (names.size() < most_columns) names.emplace_back(cell.substr(0, longest_name));
    });
    if (column_.empty()) return !parse_number(names[0]);
    const auto found = std::find(names.begin(), names.end(), column_);
    if (found == names.end()) {
      fault({}, fmt::format("no column is named '{}'", printable(column_)),
            nearest_name(column_, names));
      stopped_ = true;
    }
    index_ = static_cast<std::size_t>(found - names.begin());
    return true;
  }

  const std::string& shown_name_;
  const std::string& column_;
  std::vector<Diagnostic>& errors_;
  std::vector<double> numbers_;
  std::size_t index_ = 0;
  char separator_ = 0;  // not known before the first row
  int line_ = 0;
  std::size_t faults_ = 0;
  bool stopped_ = false;
};

}  // namespace

std::vector<double> parse_csv_column(std::string_view text, const std::string& shown_name,
                                     const std::string& column, std::vector<Diagnostic>& errors) {
  return ColumnParser(shown_name, column, errors).parse(text);
}

}  // namespace tumble
