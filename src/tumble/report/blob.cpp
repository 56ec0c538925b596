#include "tumble/report/blob.hpp"

#include <bit>
#include <stdexcept>

namespace tumble::report {

static_assert(std::endian::native == std::endian::little);

Json Blob::append(const void* data, std::size_t bytes, std::size_t entries, const char* type,
                  const Shape& shape) {
  std::size_t expected = 1;
  for (const std::size_t size : shape) expected *= size;
  if (entries != expected) throw std::logic_error("an array of a report does not have its shape");
  bytes_.resize((bytes_.size() + 7) / 8 * 8, '\0');
  const std::size_t at = bytes_.size();
  bytes_.append(static_cast<const char*>(data), bytes);
  return {{"at", at}, {"type", type}, {"shape", shape}};
}

Json Blob::f64(std::span<const double> values, const Shape& shape) {
  return append(values.data(), values.size_bytes(), values.size(), "f64", shape);
}

Json Blob::f32(std::span<const double> values, const Shape& shape) {
  std::vector<float> single;
  single.reserve(values.size());
  for (const double value : values) single.push_back(static_cast<float>(value));
  return append(single.data(), single.size() * sizeof(float), single.size(), "f32", shape);
}

Json Blob::i32(std::span<const std::int64_t> values, const Shape& shape) {
  std::vector<std::int32_t> narrow;
  narrow.reserve(values.size());
  for (const std::int64_t value : values) narrow.push_back(static_cast<std::int32_t>(value));
  return append(narrow.data(), narrow.size() * sizeof(std::int32_t), narrow.size(), "i32", shape);
}

Json Blob::u8(std::span<const std::uint8_t> values, const Shape& shape) {
  return append(values.data(), values.size(), values.size(), "u8", shape);
}

Json Blob::copy(const Blob& other, const Json& ref) {
  const auto shape = ref["shape"].get<Shape>();
  const auto type = ref["type"].get<std::string>();
  std::size_t entries = 1;
  for (const std::size_t size : shape) entries *= size;
  const std::size_t bytes = entries * (type == "f64" ? 8 : type == "u8" ? 1 : 4);
  return append(other.bytes_.data() + ref["at"].get<std::size_t>(), bytes, entries, type.c_str(),
                shape);
}

std::string base64(std::string_view bytes) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += k <= count ? digits[word >> (18 - 6 * k) & 63u] : '=';
  }
  return text;
}

}  // namespace tumble::report
