#include "tumble/io/table/line_reader.hpp"

#include <algorithm>

namespace tumble {

bool LineReader::fetch() {
  constexpr std::uint64_t piece = 256 * 1024;
  if (fetched_ == size_) return false;
  buffer_.erase(0, begin_);
  begin_ = 0;
  const std::size_t kept = buffer_.size();
  const std::size_t count = std::min(piece, size_ - fetched_);
  buffer_.resize(kept + count);
  file_.read(fetched_, buffer_.data() + kept, count);
  sum_.add({buffer_.data() + kept, count});
  fetched_ += count;
  return true;
}

std::optional<LineReader::Line> LineReader::next() {
  std::size_t searched = 0;
  for (;;) {
    const std::string_view rest = std::string_view(buffer_).substr(begin_);
    const std::size_t end = rest.find('\n', searched);
    const std::uint64_t offset = fetched_ - rest.size();
    if (end != rest.npos && end <= longest_line) {
      begin_ += end + 1;
      return Line{rest.substr(0, end), offset};
    }
    if (rest.size() > longest_line) {
      begin_ += longest_line;
      return Line{rest.substr(0, longest_line), offset, true};
    }
    searched = rest.size();
    if (fetch()) continue;
    if (rest.empty()) return std::nullopt;
    begin_ += rest.size();
    return Line{rest, offset};
  }
}

}  // namespace tumble
