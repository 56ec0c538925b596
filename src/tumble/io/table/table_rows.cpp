#include "tumble/io/table/table_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "tumble/base/crc64.hpp"
#include "tumble/io/text/document.hpp"
#include "tumble/io/text/expression.hpp"

namespace tumble {
namespace {

constexpr std::size_t most_spans = 32768;
/// Of fetched spans; the one in use may be larger.
constexpr std::size_t most_fetched_bytes = std::size_t{1} << 20;

}  // namespace

std::string_view without_blanks(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

bool holds_row(std::string_view line) {
  line = without_blanks(line);
  return !line.empty() && line.front() != '#';
}

TableRows::TableRows(std::shared_ptr<const JournalFile> file, std::string shown_name,
                     std::size_t columns, char separator)
    : file_(std::move(file)),
      shown_name_(std::move(shown_name)),
      columns_(columns),
      separator_(separator) {}

/// Of the number of the row too, so that rows cannot change places.
std::uint64_t TableRows::checksum(std::uint64_t row, const double* numbers) const {
  return crc64({reinterpret_cast<const char*>(numbers), columns_ * sizeof(double)}, row);
}

void TableRows::add(std::uint64_t offset, std::uint64_t end, const std::vector<double>& numbers) {
  if (rows_ % rows_per_span_ == 0) {
    if (spans_.size() == most_spans) {
      for (std::size_t i = 0; i < most_spans / 2; ++i)
        spans_[i] = {spans_[2 * i].offset, spans_[2 * i].checksum + spans_[2 * i + 1].checksum};
      spans_.resize(most_spans / 2);
      rows_per_span_ *= 2;
    }
    spans_.push_back({offset, 0});
  }
  spans_.back().checksum += checksum(rows_, numbers.data());
  ++rows_;
  end_ = end;
}

TableRows::Fetched TableRows::fetch(std::size_t span) const {
  const std::uint64_t first = span * rows_per_span_;
  const std::uint64_t count = std::min(rows_per_span_, rows_ - first);
  const std::uint64_t end = span + 1 < spans_.size() ? spans_[span + 1].offset : end_;
  std::string text(end - spans_[span].offset, '\0');
  file_->read(spans_[span].offset, text.data(), text.size());

  Fetched fetched{span, {}};
  fetched.numbers.reserve(count * columns_);
  for (std::string_view rest = text; !rest.empty();) {
    const auto line_end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, line_end);
    rest.remove_prefix(std::min(line_end + 1, rest.size()));
    if (!holds_row(line)) continue;
    for_each_cell(line, separator_, [&](std::string_view cell) {
      fetched.numbers.push_back(parse_number(cell).value_or(0.0));
    });
  }
  bool same = fetched.numbers.size() == count * columns_;
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; same && i < count; ++i)
    sum += checksum(first + i, &fetched.numbers[i * columns_]);
  same = same && sum == spans_[span].checksum;
  if (!same)
    throw std::runtime_error(fmt::format(
        "'{}' was changed while it was in use: rows {} to {} have other numbers than at "
        "the start",
        printable(shown_name_), first, first + count - 1));
  return fetched;
}

void TableRows::read(std::uint64_t row, double* numbers) const {
  const std::size_t span = row / rows_per_span_;
  const std::lock_guard lock(mutex_);
  auto found = std::find_if(fetched_.begin(), fetched_.end(),
                            [span](const Fetched& f) { return f.span == span; });
  if (found == fetched_.end()) {
    const std::size_t most = most_fetched_bytes / (rows_per_span_ * columns_ * sizeof(double));
    while (!fetched_.empty() && fetched_.size() >= most) fetched_.pop_back();
    fetched_.push_front(fetch(span));
  } else {
    fetched_.splice(fetched_.begin(), fetched_, found);
  }
  std::copy_n(&fetched_.front().numbers[(row % rows_per_span_) * columns_], columns_, numbers);
}

}  // namespace tumble
