#include "tumble/io/table/csv_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tumble/base/read_file.hpp"
#include "tumble/io/text/document.hpp"
#include "tumble/io/text/expression.hpp"
#include "tumble/model/check/value_rules.hpp"

namespace tumble {
namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20;
constexpr std::size_t most_rows = 1'000'000;
constexpr std::size_t most_errors = 20;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> cells_of(std::string_view line) {
  const char separator = line.find(',') != line.npos   ? ','
                         : line.find(';') != line.npos ? ';'
                                                       : '\t';
  std::vector<std::string_view> cells;
  while (cells.size() < 4) {  // more are wrong anyway
    const auto end = line.find(separator);
    cells.push_back(trimmed(line.substr(0, end)));
    if (end == line.npos) break;
    line.remove_prefix(end + 1);
  }
  return cells;
}

/// Reads the lines one by one and says of each faulty one what is wrong with it; beyond the first
/// few, only how many there are.
class TableParser {
 public:
  TableParser(const std::string& shown_name, std::vector<Diagnostic>& errors)
      : shown_name_(shown_name), errors_(errors) {
    table_.file = shown_name;
  }

  Table parse(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // byte order mark of spreadsheets
    while (!text.empty() && table_.x.size() <= most_rows) {
      const auto end = text.find('\n');
      const std::string_view line = trimmed(text.substr(0, end));
      text.remove_prefix(end == text.npos ? text.size() : end + 1);
      ++line_;
      if (!line.empty() && line.front() != '#') read_row(cells_of(line));
    }
    if (table_.x.size() > most_rows) fault({}, {}, fmt::format("has more than {} rows", most_rows));
    if (faults_ == 0 && table_.x.size() < 2)
      fault({}, {}, fmt::format("must have at least 2 rows of numbers, found {}", table_.x.size()));
    if (faults_ > most_errors) count_the_rest();
    return std::move(table_);
  }

 private:
  void read_row(const std::vector<std::string_view>& cells) {
    const bool header = first_ && !parse_number(cells[0]);
    first_ = false;
    if (cells.size() != 2) {
      fault({}, {},
            fmt::format("must have two columns, found {}",
                        cells.size() > 3 ? "more than three" : std::to_string(cells.size())));
      return;
    }
    if (header) {
      for (std::size_t i = 0; i < 2; ++i)
        columns_[i] = fmt::format("column '{}'", printable(cells[i].substr(0, longest_name)));
      return;
    }
    std::array<double, 2> numbers{};
    for (std::size_t i = 0; i < 2; ++i) {
      const auto number = parse_number(cells[i]);
      std::string_view wrong = number ? range_fault(Range::any, *number) : "must be a number";
      if (!wrong.empty()) {
        fault(columns_[i], fmt::format("'{}'", printable(cells[i])), std::string(wrong));
        return;
      }
      numbers[i] = *number;
    }
    if (!table_.x.empty() && numbers[0] <= table_.x.back())
      fault(columns_[0], format_number(numbers[0]),
            fmt::format("must be greater than the one before, {}", format_number(table_.x.back())));
    table_.x.push_back(numbers[0]);
    table_.y.push_back(numbers[1]);
  }

  void fault(std::string column, std::string value, std::string message) {
    if (++faults_ > most_errors) return;
    Diagnostic d;
    d.where = {shown_name_, std::max(line_, 1)};
    d.field = std::move(column);
    d.value = std::move(value);
    d.expectation = std::move(message);
    errors_.push_back(std::move(d));
  }

  void count_the_rest() {
    Diagnostic d;
    d.where = {shown_name_, line_};
    d.stands_for = faults_ - most_errors;
    d.expectation =
        fmt::format("{} more mistakes up to this line are not listed", faults_ - most_errors);
    errors_.push_back(std::move(d));
  }

  static constexpr std::size_t longest_name = 100;

  const std::string& shown_name_;
  std::vector<Diagnostic>& errors_;
  Table table_;
  std::array<std::string, 2> columns_{"column 1", "column 2"};  // until a header names them
  int line_ = 0;
  std::size_t faults_ = 0;
  bool first_ = true;
};

}  // namespace

Table parse_csv_table(std::string_view text, const std::string& shown_name,
                      std::vector<Diagnostic>& errors) {
  return TableParser(shown_name, errors).parse(text);
}

CsvTable read_csv_table(const std::filesystem::path& path, const std::string& shown_name,
                        std::vector<Diagnostic>& errors) {
  CsvTable result;
  std::string error;
  result.content = read_regular_file(path, most_bytes, error);
  if (!error.empty()) {
    Diagnostic d;
    d.where = {shown_name, 0};
    d.expectation = error;
    errors.push_back(d);
    return result;
  }
  result.table = parse_csv_table(result.content, shown_name, errors);
  return result;
}

}  // namespace tumble
