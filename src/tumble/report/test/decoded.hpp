// Reads a page's arrays back, as a browser does: base64, then the bytes an ArrayRef says.
#pragma once
#include <cstring>
#include <stdexcept>

#include "tumble/report/page.hpp"

namespace tumble::report::testing {

/// The inverse of base64(), written on its own.
inline std::string from_base64(std::string_view text) {
  const std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0, word = 0;
  for (const char c : text) {
    if (c == '=') break;
    const auto digit = digits.find(c);
    if (digit == std::string_view::npos) throw std::runtime_error("not base64");
    word = word << 6 | static_cast<unsigned>(digit);
    bits += 6;
    if (bits >= 8) bytes += static_cast<char>(word >> (bits -= 8) & 255u);
  }
  return bytes;
}

template <class T>
std::vector<double> read_as(const std::string& bytes, std::size_t at, std::size_t count) {
  std::vector<T> values(count);
  if (at % 8 != 0 || at + count * sizeof(T) > bytes.size())
    throw std::runtime_error("an array outside of the block, or not at a multiple of 8");
  std::memcpy(values.data(), bytes.data() + at, count * sizeof(T));
  return std::vector<double>(values.begin(), values.end());
}

/// The numbers of an ArrayRef.
inline std::vector<double> decoded(const std::string& bytes, const Json& ref) {
  std::size_t count = 1;
  for (const Json& size : ref["shape"]) count *= size.get<std::size_t>();
  const auto at = ref["at"].get<std::size_t>();
  const auto type = ref["type"].get<std::string>();
  if (type == "f64") return read_as<double>(bytes, at, count);
  if (type == "f32") return read_as<float>(bytes, at, count);
  if (type == "i32") return read_as<std::int32_t>(bytes, at, count);
  if (type == "u8") return read_as<std::uint8_t>(bytes, at, count);
  throw std::runtime_error("unknown type " + type);
}

}  // namespace tumble::report::testing
