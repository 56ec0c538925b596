// Numbers to bytes and back, little-endian, for records that outlive the process.
#pragma once
#include <bit>
#include <cstring>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tumble {

static_assert(std::endian::native == std::endian::little,
              "records are written as they lie in memory, which must be little-endian");
static_assert(sizeof(double) == 8 && std::numeric_limits<double>::is_iec559);

class ByteWriter {
 public:
  template <class T>
  void number(T value) {
    array(std::span<const T>(&value, 1));
  }
  template <class T>
  void array(std::span<const T> values) {
    static_assert(std::is_arithmetic_v<T>);
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }
  template <class T>
  void array(const std::vector<T>& values) {
    array(std::span<const T>(values));
  }
  void reserve(std::size_t bytes) { bytes_.reserve(bytes); }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Throws std::runtime_error when the bytes end too early or too late. Sizes are checked before
/// memory is taken, so a damaged length cannot ask for more than the record holds.
class ByteReader {
 public:
  ByteReader(std::string_view bytes, std::string what) : bytes_(bytes), what_(std::move(what)) {}

  template <class T>
  T number() {
    T value;
    copy(&value, 1, sizeof(T));
    return value;
  }
  template <class T>
  std::vector<T> array(std::size_t count) {
    static_assert(std::is_arithmetic_v<T>);
    if (count > bytes_.size() / sizeof(T)) fail("ends too early");
    std::vector<T> values(count);
    copy(values.data(), count, sizeof(T));
    return values;
  }
  /// What has not been read: a record inside this one.
  std::string_view rest() const { return bytes_; }
  void expect_end() const {
    if (!bytes_.empty()) fail("is longer than its contents");
  }
  [[noreturn]] void fail(const std::string& why) const {
    throw std::runtime_error(what_ + " " + why);
  }
  void require(bool condition, const char* why) const {
    if (!condition) fail(why);
  }

 private:
  void copy(void* target, std::size_t count, std::size_t size) {
    if (count > bytes_.size() / size) fail("ends too early");
    if (count > 0) std::memcpy(target, bytes_.data(), count * size);
    bytes_.remove_prefix(count * size);
  }
  std::string_view bytes_;
  std::string what_;
};

}  // namespace tumble
