#include "tumble/convert/text_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "tumble/base/diagnostic.hpp"

namespace tumble::convert {

std::vector<std::string_view> split(std::string_view line, std::string_view separators) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t start = line.find_first_not_of(separators, at);
    if (start == std::string_view::npos) break;
    at = std::min(line.find_first_of(separators, start), line.size());
    words.push_back(line.substr(start, at - start));
  }
  return words;
}

bool same_word(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

std::string_view TextLines::next_line() {
  if (at_ >= text_.size()) return {};
  ++line_;
  const std::size_t end = std::min(text_.find('\n', at_), text_.size());
  std::string_view line = text_.substr(at_, end - at_);
  at_ = end + 1;
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

std::optional<std::string_view> TextLines::next_data(char comment) {
  while (at_ < text_.size()) {
    const std::string_view line = next_line();
    const std::size_t first = line.find_first_not_of(" \t");
    if (first != std::string_view::npos && line[first] != comment) return line;
  }
  return std::nullopt;
}

void TextLines::fail_at(int line, const std::string& expectation, std::string value) const {
  Diagnostic d;
  d.where = {file_, line};
  d.value = std::move(value);
  d.expectation = expectation;
  throw InputError({d});
}

double TextLines::number(std::string_view word) const {
  double x = 0;
  if (word.starts_with('+')) word.remove_prefix(1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), x);
  if (error != std::errc{} || end != word.data() + word.size() || !std::isfinite(x))
    fail_at(line_, "must be a finite number", fmt::format("'{}'", word.substr(0, 40)));
  return x;
}

long TextLines::whole(std::string_view word, long least, long most) const {
  long x = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), x);
  if (error != std::errc{} || end != word.data() + word.size() || x < least || x > most)
    fail_at(line_, fmt::format("must be a whole number between {} and {}", least, most),
            fmt::format("'{}'", word.substr(0, 40)));
  return x;
}

}  // namespace tumble::convert
