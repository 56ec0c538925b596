#include "tumble/io/text/text_scan.hpp"

#include <fmt/format.h>

namespace tumble {
namespace {

/// Length of the UTF-8 sequence at the front of `text`, 0 if it is not one.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  if (first == 0xE0 && byte(1) < 0xA0) return 0;  // overlong
  if (first == 0xED && byte(1) > 0x9F) return 0;  // surrogates
  if (first == 0xF0 && byte(1) < 0x90) return 0;  // overlong
  if (first == 0xF4 && byte(1) > 0x8F) return 0;  // beyond U+10FFFF
  return length;
}

}  // namespace

std::optional<TextFault> scan_text(std::string_view text, std::size_t depth) {
  int line = 1;
  std::size_t unclosed = 0;  // counted without regard to quotes and comments, hence the margin
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') ++line;
    if ((byte < 0x20 && c != '\n' && c != '\r' && c != '\t') || byte == 0x7f)
      return TextFault{line, fmt::format("control character 0x{:02x} in the text", byte)};
    const std::size_t length = utf8_length(text.substr(i));
    if (length == 0) return TextFault{line, fmt::format("byte 0x{:02x} is not UTF-8 text", byte)};
    if (c == '[' || c == '{') {
      if (++unclosed > depth + 1000)
        return TextFault{line,
                         fmt::format("lists and mappings are nested more than {} deep", depth)};
    }
    if ((c == ']' || c == '}') && unclosed > 0) --unclosed;
    i += length;
  }
  return std::nullopt;
}

}  // namespace tumble
