#include "tumble/io/table/csv_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "tumble/base/read_file.hpp"
#include "tumble/io/text/document.hpp"
#include "tumble/io/text/expression.hpp"
#include "tumble/model/check/value_rules.hpp"

namespace tumble {
namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20;
constexpr std::size_t most_rows = 1'000'000;
constexpr std::size_t most_columns = 10'000;
constexpr std::size_t most_errors = 20;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> cells_of(std::string_view line, std::size_t most) {
  const char separator = line.find(',') != line.npos   ? ','
                         : line.find(';') != line.npos ? ';'
                                                       : '\t';
  std::vector<std::string_view> cells;
  while (cells.size() < most) {
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
  TableParser(const std::string& shown_name, const std::optional<CsvColumns>& wanted,
              std::vector<Diagnostic>& errors)
      : shown_name_(shown_name), wanted_(wanted), errors_(errors) {
    table_.file = shown_name;
  }

  Table parse(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // byte order mark of spreadsheets
    // Without names there are two columns; more than three are wrong, however many there are.
    const std::size_t most_cells = wanted_ ? most_columns : 4;
    while (!text.empty() && table_.x.size() <= most_rows && !stopped_) {
      const auto end = text.find('\n');
      const std::string_view line = trimmed(text.substr(0, end));
      text.remove_prefix(end == text.npos ? text.size() : end + 1);
      ++line_;
      if (!line.empty() && line.front() != '#') read_row(cells_of(line, most_cells));
    }
    if (table_.x.size() > most_rows) fault({}, {}, fmt::format("has more than {} rows", most_rows));
    if (faults_ == 0 && table_.x.size() < 2)
      fault({}, {}, fmt::format("must have at least 2 rows of numbers, found {}", table_.x.size()));
    if (faults_ > most_errors) count_the_rest();
    return std::move(table_);
  }

 private:
  void read_row(const std::vector<std::string_view>& cells) {
    const bool first = std::exchange(first_, false);
    if (first && wanted_) return find_columns(cells);
    const bool header = first && !parse_number(cells[0]);
    if (wanted_ && cells.size() <= std::max(index_[0], index_[1])) {
      fault({}, {},
            fmt::format("must have at least {} columns, found {}",
                        std::max(index_[0], index_[1]) + 1, cells.size()));
      return;
    }
    if (!wanted_ && cells.size() != 2) {
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
      const std::string_view cell = cells[index_[i]];
      const auto number = parse_number(cell);
      std::string_view wrong = number ? range_fault(Range::any, *number) : "must be a number";
      if (!wrong.empty()) {
        fault(columns_[i], fmt::format("'{}'", printable(cell)), std::string(wrong));
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

  void find_columns(const std::vector<std::string_view>& header) {
    const std::vector<std::string> names(header.begin(), header.end());
    for (std::size_t i = 0; i < 2; ++i) {
      const std::string& name = (*wanted_)[i];
      const auto found = std::ranges::find(names, name);
      if (found == names.end()) {
        fault({}, {}, fmt::format("no column is named '{}'", printable(name)),
              nearest_name(name, names));
        stopped_ = true;
      }
      index_[i] = static_cast<std::size_t>(found - names.begin());
      columns_[i] = fmt::format("column '{}'", printable(name.substr(0, longest_name)));
    }
  }

  void fault(std::string column, std::string value, std::string message,
             std::string suggestion = {}) {
    if (++faults_ > most_errors) return;
    Diagnostic d;
    d.where = {shown_name_, std::max(line_, 1)};
    d.field = std::move(column);
    d.value = std::move(value);
    d.expectation = std::move(message);
    d.suggestion = std::move(suggestion);
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
  const std::optional<CsvColumns>& wanted_;
  std::vector<Diagnostic>& errors_;
  Table table_;
  std::array<std::size_t, 2> index_{0, 1};
  std::array<std::string, 2> columns_{"column 1", "column 2"};  // until a header names them
  int line_ = 0;
  std::size_t faults_ = 0;
  bool first_ = true;
  bool stopped_ = false;
};

}  // namespace

Table parse_csv_table(std::string_view text, const std::string& shown_name,
                      const std::optional<CsvColumns>& columns, std::vector<Diagnostic>& errors) {
  return TableParser(shown_name, columns, errors).parse(text);
}

CsvTable read_csv_table(const std::filesystem::path& path, const std::string& shown_name,
                        const std::optional<CsvColumns>& columns, std::vector<Diagnostic>& errors) {
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
  result.table = parse_csv_table(result.content, shown_name, columns, errors);
  return result;
}

}  // namespace tumble
