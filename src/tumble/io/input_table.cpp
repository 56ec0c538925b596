#include "tumble/io/input_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tumble/io/document.hpp"
#include "tumble/io/expression.hpp"

namespace tumble {
namespace {

constexpr int most_errors = 20;
/// Names compared for a suggestion; a header of thousands of wrong names must not take minutes.
constexpr std::size_t most_columns = 10'000;

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view unquoted(std::string_view cell) {
  cell = trimmed(cell);
  if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"')
    return cell.substr(1, cell.size() - 2);
  return cell;
}

class TableParser {
 public:
  TableParser(const std::string& shown_name, const ParameterTable& parameters,
              std::vector<Diagnostic>& errors)
      : shown_name_(shown_name), parameters_(parameters), errors_(errors) {}

  InputTable parse(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // byte order mark
    bool header = true;
    while (!text.empty() && faults_ < most_errors) {
      const auto end = text.find('\n');
      std::string_view line = text.substr(0, end);
      text.remove_prefix(end == text.npos ? text.size() : end + 1);
      ++line_;
      if (trimmed(line).empty() || trimmed(line).front() == '#') continue;
      if (header)
        read_header(line);
      else
        read_row(line);
      if (header && faults_ > 0) break;  // rows mean nothing without it
      header = false;
    }
    if (faults_ == 0 && table_.values.empty())
      fault({}, "must have a header of parameter paths and at least one row of numbers");
    return std::move(table_);
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

  template <class F>
  void cells(std::string_view line, const F& f) const {
    for (;;) {
      const auto end = line.find(separator_);
      f(unquoted(line.substr(0, end)));
      if (end == line.npos) return;
      line.remove_prefix(end + 1);
    }
  }

  void read_header(std::string_view line) {
    separator_ = line.find(',') != line.npos ? ',' : line.find(';') != line.npos ? ';' : '\t';
    if (static_cast<std::size_t>(std::count(line.begin(), line.end(), separator_)) >=
        most_columns) {
      fault({}, fmt::format("has more than {} columns", most_columns));
      return;
    }
    cells(line, [this](std::string_view cell) {
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

  void read_row(std::string_view line) {
    std::size_t column = 0;
    const int before = faults_;
    cells(line, [&](std::string_view cell) {
      const std::size_t i = column++;
      if (i >= table_.columns()) return;
      const auto number = parse_number(cell);
      if (number && std::isfinite(*number)) {
        table_.values.push_back(*number);
      } else if (faults_ < most_errors) {
        fault(fmt::format("'{}'", printable(cell)),
              fmt::format("{} must be a number", table_.paths[i]));
      }
    });
    if (column != table_.columns() && faults_ == before)
      fault({}, fmt::format("must have {} {}, found {}", table_.columns(),
                            table_.columns() == 1 ? "number" : "numbers", column));
  }

  const std::string& shown_name_;
  const ParameterTable& parameters_;
  std::vector<Diagnostic>& errors_;
  InputTable table_;
  char separator_ = ',';
  int line_ = 0;
  int faults_ = 0;
};

}  // namespace

InputTable parse_input_table(std::string_view text, const std::string& shown_name,
                             const ParameterTable& parameters, std::vector<Diagnostic>& errors) {
  return TableParser(shown_name, parameters, errors).parse(text);
}

}  // namespace tumble
