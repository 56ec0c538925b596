// The rows of a table of numbers, left in their file and fetched when they are needed.
#pragma once
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "tumble/study/journal/journal_file.hpp"

namespace tumble {

/// Text without blanks, tabs and carriage returns at its ends.
std::string_view without_blanks(std::string_view text);

/// False for empty lines and those that begin with '#'.
bool holds_row(std::string_view line);

/// Calls f with each cell of a row, without blanks and quotes around it.
template <class F>
void for_each_cell(std::string_view row, char separator, const F& f);

/// Rows are fetched in spans. Memory holds where each span begins, a checksum of its numbers and
/// the spans used last. Neither the number of spans nor the memory of the fetched ones has more
/// than a fixed size: spans become longer in long tables.
class TableRows {
 public:
  TableRows(std::shared_ptr<const JournalFile> file, std::string shown_name, std::size_t columns,
            char separator);

  /// While the file is read for the first time: the next row, its place and its numbers.
  void add(std::uint64_t offset, std::uint64_t end, const std::vector<double>& numbers);
  std::uint64_t size() const { return rows_; }

  /// The numbers of a row. From any number of threads.
  /// @throws std::runtime_error if the file has other numbers there now; std::system_error.
  void read(std::uint64_t row, double* numbers) const;

 private:
  struct Span {
    std::uint64_t offset = 0;    // in the file
    std::uint64_t checksum = 0;  // the sum of those of its rows
  };
  struct Fetched {
    std::size_t span = 0;
    std::vector<double> numbers;
  };

  std::uint64_t checksum(std::uint64_t row, const double* numbers) const;
  Fetched fetch(std::size_t span) const;

  std::shared_ptr<const JournalFile> file_;
  std::string shown_name_;
  std::size_t columns_;
  char separator_;
  std::uint64_t rows_ = 0;
  std::uint64_t end_ = 0;  // of the last row in the file
  std::uint64_t rows_per_span_ = 64;
  std::vector<Span> spans_;
  mutable std::mutex mutex_;            // guards what follows
  mutable std::list<Fetched> fetched_;  // the one used last first
};

template <class F>
void for_each_cell(std::string_view row, char separator, const F& f) {
  for (;;) {
    const auto end = row.find(separator);
    std::string_view cell = without_blanks(row.substr(0, end));
    if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"')
      cell = cell.substr(1, cell.size() - 2);
    f(cell);
    if (end == row.npos) return;
    row.remove_prefix(end + 1);
  }
}

}  // namespace tumble
