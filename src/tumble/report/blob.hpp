// The arrays of a report's page: one block of bytes, and JSON that says where in it each array is.
// viewer/src/payload.ts defines both (ArrayRef).
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tumble/io/text/json.hpp"

namespace tumble::report {

using Shape = std::vector<std::size_t>;

/// Bytes are little-endian, like every CPU that Tumble runs on; each array begins at a multiple of
/// 8.
class Blob {
 public:
  /// Appends an array and returns its ArrayRef. @throws std::logic_error if it does not have as
  /// many entries as `shape` says.
  Json f64(std::span<const double> values, const Shape& shape);
  Json f32(std::span<const double> values, const Shape& shape);  ///< rounded to single precision
  Json i32(std::span<const std::int64_t> values, const Shape& shape);
  Json u8(std::span<const std::uint8_t> values, const Shape& shape);

  /// Appends an array of another block and returns its new ArrayRef.
  Json copy(const Blob& other, const Json& ref);

  const std::string& bytes() const { return bytes_; }

 private:
  Json append(const void* data, std::size_t bytes, std::size_t entries, const char* type,
              const Shape& shape);

  std::string bytes_;
};

/// RFC 4648, section 4, with padding.
std::string base64(std::string_view bytes);

}  // namespace tumble::report
