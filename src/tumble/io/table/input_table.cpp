#include "tumble/io/table/input_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <system_error>

#include "tumble/io/table/line_reader.hpp"
#include "tumble/io/text/document.hpp"
#include "tumble/io/text/expression.hpp"

namespace tumble {
namespace {

constexpr int most_errors = 20;
/// Names compared for a suggestion; a header of thousands of wrong names must not take minutes.
constexpr std::size_t most_columns = 10'000;

class TableParser {
 public:
  TableParser(const std::string& shown_name, const ParameterTable& parameters,
              std::vector<Diagnostic>& errors)
      : shown_name_(shown_name), parameters_(parameters), errors_(errors) {}

  InputTableFile parse(const std::shared_ptr<const JournalFile>& file) {
    LineReader lines(*file);
    while (faults_ < most_errors) {
      std::optional<LineReader::Line> line = lines.next();
      if (!line) break;
      ++line_;
      if (line->cut) {
        fault({}, fmt::format("the line has more than {} bytes", LineReader::longest_line));
        break;
      }
      if (line_ == 1 && line->text.starts_with("\xEF\xBB\xBF")) line->text.remove_prefix(3);
      if (!holds_row(line->text)) continue;
      if (rows_) {
        read_row(*line);
        continue;
      }
      read_header(line->text);
      if (faults_ > 0) break;  // rows mean nothing without it
      rows_ = std::make_shared<TableRows>(file, shown_name_, table_.columns(), separator_);
    }
    if (faults_ == 0 && (!rows_ || rows_->size() == 0))
      fault({}, "must have a header of parameter paths and at least one row of numbers");
    table_.content = rows_;
    return {std::move(table_), lines.digest()};
  }

 private:
  void fault(std::string value, std::string message, std::string suggestion = {}) {
    Diagnostic d;
    d.where = {shown_name_, std::max(line_, 1)};
    d.value = std::move(value);
    d.expectation = std::move(message);
    d.suggestion = std::move(suggestion);
    errors_.push_back(std::move(d));
    ++faults_;
  }

  void read_header(std::string_view line) {
    separator_ = line.find(',') != line.npos ? ',' : line.find(';') != line.npos ? ';' : '\t';
    if (static_cast<std::size_t>(std::count(line.begin(), line.end(), separator_)) >=
        most_columns) {
      fault({}, fmt::format("has more than {} columns", most_columns));
      return;
    }
    for_each_cell(line, separator_, [this](std::string_view cell) {
      if (faults_ >= most_errors) return;
      const std::string path(cell);
      const int slot = parameters_.find(path);
      if (slot < 0) {
        std::vector<std::string> known;
        for (const Slot& s : parameters_.slots()) known.push_back(s.path);
        fault({}, fmt::format("no parameter is named '{}'", printable(path)),
              nearest_name(path, known));
      } else if (std::find(table_.slots.begin(), table_.slots.end(), slot) != table_.slots.end()) {
        fault({}, fmt::format("the column '{}' is there twice", path));
      } else {
        table_.paths.push_back(path);
        table_.slots.push_back(slot);
      }
    });
  }

  void read_row(const LineReader::Line& line) {
    std::size_t column = 0;
    const int before = faults_;
    numbers_.clear();
    for_each_cell(line.text, separator_, [&](std::string_view cell) {
      const std::size_t i = column++;
      if (i >= table_.columns()) return;
      if (const auto number = parse_number(cell)) {
        numbers_.push_back(*number);
      } else if (faults_ < most_errors) {
        fault(fmt::format("'{}'", printable(cell)),
              fmt::format("{} must be a number", table_.paths[i]));
      }
    });
    if (column != table_.columns() && faults_ == before)
      fault({}, fmt::format("must have {} {}, found {}", table_.columns(),
                            table_.columns() == 1 ? "number" : "numbers", column));
    if (faults_ == 0) rows_->add(line.offset, line.offset + line.text.size(), numbers_);
  }

  const std::string& shown_name_;
  const ParameterTable& parameters_;
  std::vector<Diagnostic>& errors_;
  InputTable table_;
  std::shared_ptr<TableRows> rows_;  // once the header is known
  std::vector<double> numbers_;      // of one row
  char separator_ = ',';
  int line_ = 0;
  int faults_ = 0;
};

}  // namespace

InputTableFile read_input_table(const std::filesystem::path& path, const std::string& shown_name,
                                const ParameterTable& parameters, std::vector<Diagnostic>& errors) {
  const auto file = JournalFile::open(path, JournalFile::Access::read);
  if (!file) throw std::system_error(ENOENT, std::generic_category(), path.string());
  return TableParser(shown_name, parameters, errors).parse(file);
}

}  // namespace tumble
