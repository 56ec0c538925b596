// A text file line by line, in bounded memory.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tumble/base/sha256.hpp"
#include "tumble/study/journal/journal_file.hpp"

namespace tumble {

/// Reads what the file holds when this is made. `file` must outlive it.
/// @throws std::system_error
class LineReader {
 public:
  /// Longer lines are cut: memory has a bound also where a file has no line ends at all.
  static constexpr std::size_t longest_line = std::size_t{16} << 20;

  struct Line {
    std::string_view text;     ///< without its end of line; valid until the next one
    std::uint64_t offset = 0;  ///< in the file
    bool cut = false;          ///< it goes on, in what next() takes for the next line
  };

  explicit LineReader(const JournalFile& file) : file_(file), size_(file.size()) {}
  /// Nothing at the end of the file.
  std::optional<Line> next();
  /// SHA-256 of the file, after its last line.
  std::string digest() { return sum_.digest(); }

 private:
  bool fetch();

  const JournalFile& file_;
  std::uint64_t size_;
  std::uint64_t fetched_ = 0;  // bytes of the file
  std::string buffer_;
  std::size_t begin_ = 0;  // of what is left in the buffer
  Sha256 sum_;
};

}  // namespace tumble
