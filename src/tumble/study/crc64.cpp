#include "tumble/study/crc64.hpp"

#include <array>
#include <cstddef>

namespace tumble {
namespace {

constexpr std::uint64_t polynomial = 0xC96C5795D7870F42;  // ECMA-182, bits reversed

// tables[k][b]: what byte b does to the sum when k more bytes follow it. Eight bytes a turn,
// because one byte a turn (some 400 MB/s) would be noticed next to the disk.
using Tables = std::array<std::array<std::uint64_t, 256>, 8>;

constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint64_t byte = 0; byte < 256; ++byte) {
    std::uint64_t sum = byte;
    for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1) ^ ((sum & 1) != 0 ? polynomial : 0);
    tables[0][byte] = sum;
  }
  for (std::size_t k = 1; k < 8; ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint64_t sum = tables[k - 1][byte];
      tables[k][byte] = (sum >> 8) ^ tables[0][sum & 0xFF];
    }
  }
  return tables;
}

constexpr Tables tables = make_tables();

// The sum after the eight bytes at `bytes`.
std::uint64_t eight_bytes(std::uint64_t sum, const char* bytes) {
  std::uint64_t word = 0;  // little-endian on every machine; compilers make one load of it
  for (std::size_t i = 0; i < 8; ++i)
    word |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  sum ^= word;
  std::uint64_t next = 0;
  for (std::size_t k = 0; k < 8; ++k) next ^= tables[7 - k][(sum >> (8 * k)) & 0xFF];
  return next;
}

// Sums are polynomials modulo the one above, the coefficient of x^0 in the highest bit.
constexpr std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  for (int bit = 63; bit >= 0; --bit) {
    if ((a >> bit & 1) != 0) result ^= b;
    b = (b >> 1) ^ ((b & 1) != 0 ? polynomial : 0);
  }
  return result;
}

// What becomes of a sum when `count` zero bytes follow: it is multiplied by x^(8 count).
std::uint64_t followed_by_zeros(std::uint64_t sum, std::uint64_t count) {
  std::uint64_t power = std::uint64_t{1} << 55;  // x^8
  for (; count > 0; count >>= 1) {
    if ((count & 1) != 0) sum = product(sum, power);
    power = product(power, power);
  }
  return sum;
}

// Each step waits for the tables of the one before. Three sums side by side wait together.
constexpr std::size_t worth_three_sums = 65536;

std::uint64_t three_sums(std::uint64_t sum, std::string_view bytes) {
  const std::size_t third = bytes.size() / 3;
  const char *a = bytes.data(), *b = a + third, *c = b + third;
  std::uint64_t sum_b = 0, sum_c = 0;
  for (std::size_t i = 0; i < third; i += 8) {
    sum = eight_bytes(sum, a + i);
    sum_b = eight_bytes(sum_b, b + i);
    sum_c = eight_bytes(sum_c, c + i);
  }
  sum_b ^= followed_by_zeros(sum, third);
  return sum_c ^ followed_by_zeros(sum_b, third);
}

}  // namespace

std::uint64_t crc64(std::string_view bytes, std::uint64_t previous) {
  std::uint64_t sum = ~previous;
  if (bytes.size() >= worth_three_sums) {
    const std::size_t most = bytes.size() / 24 * 24;
    sum = three_sums(sum, bytes.substr(0, most));
    bytes.remove_prefix(most);
  }
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) sum = eight_bytes(sum, bytes.data());
  for (const char byte : bytes)
    sum = (sum >> 8) ^ tables[0][(sum ^ static_cast<unsigned char>(byte)) & 0xFF];
  return ~sum;
}

}  // namespace tumble
