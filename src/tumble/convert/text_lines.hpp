// Files of numbers, line by line, with mistakes that say the line.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tumble::convert {

/// The pieces between any of the separators, without empty ones.
std::vector<std::string_view> split(std::string_view line, std::string_view separators);

/// Equal but for capital letters.
bool same_word(std::string_view a, std::string_view b);

class TextLines {
 public:
  TextLines(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  /// The next line, without its end; empty at the end of the file.
  std::string_view next_line();
  /// The next line with something on it that does not begin with `comment`; none at the end.
  std::optional<std::string_view> next_data(char comment);

  /// @throws InputError at the current line, here and below.
  [[noreturn]] void fail(const std::string& expectation) const { fail_at(line_, expectation); }
  [[noreturn]] void fail_at(int line, const std::string& expectation, std::string value = {}) const;
  double number(std::string_view word) const;
  long whole(std::string_view word, long least, long most) const;

 private:
  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
  int line_ = 0;
};

}  // namespace tumble::convert
