#include "tumble/io/csv_table.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "tumble/io/document.hpp"
#include "tumble/io/expression.hpp"

namespace tumble {
namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20;
constexpr std::size_t most_rows = 1'000'000;
constexpr int most_errors = 20;

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

}  // namespace

std::string read_file(const std::filesystem::path& path, std::size_t limit, std::string& error) {
  std::error_code status;
  if (std::filesystem::is_directory(path, status)) {
    error = "cannot be read: it is a directory";
    return {};
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) {
    error = fmt::format("cannot be read: {}", std::strerror(errno));
    return {};
  }
  std::string content;
  char buffer[65536];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, file.get())) {
    content.append(buffer, n);
    if (content.size() > limit) {
      error = fmt::format("the file has more than {} bytes", limit);
      return {};
    }
  }
  if (std::ferror(file.get()) != 0) error = "cannot be read";
  return content;
}

std::string read_regular_file(const std::filesystem::path& path, std::size_t limit,
                              std::string& error) {
  std::error_code status;
  if (std::filesystem::exists(path, status) && !std::filesystem::is_regular_file(path, status)) {
    error = "must be a regular file";
    return {};
  }
  return read_file(path, limit, error);
}

Table parse_csv_table(std::string_view text, const std::string& shown_name,
                      std::vector<Diagnostic>& errors) {
  Table table;
  table.file = shown_name;
  int line_number = 0, faults = 0;
  bool first = true;
  const auto fault = [&](std::string value, std::string message) {
    Diagnostic d;
    d.where = {shown_name, line_number};
    d.value = std::move(value);
    d.expectation = std::move(message);
    errors.push_back(std::move(d));
    ++faults;
  };
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // byte order mark of spreadsheets
  while (!text.empty() && faults < most_errors) {
    const auto end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    ++line_number;
    if (line.empty() || line.front() == '#') continue;
    const auto cells = cells_of(line);
    const bool header = first && !parse_number(cells[0]);
    first = false;
    if (cells.size() != 2) {
      fault({}, fmt::format("must have two columns, found {}",
                            cells.size() > 3 ? "more than three" : std::to_string(cells.size())));
      continue;
    }
    if (header) continue;
    const auto x = parse_number(cells[0]), y = parse_number(cells[1]);
    if (!x || !y) {
      fault(fmt::format("'{}'", printable(x ? cells[1] : cells[0])), "must be a number");
      continue;
    }
    table.x.push_back(*x);
    table.y.push_back(*y);
    if (table.x.size() > most_rows) {
      fault({}, fmt::format("has more than {} rows", most_rows));
      break;
    }
  }
  return table;
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
