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

std::uint64_t byte_at(std::string_view bytes, std::size_t i) {
  return static_cast<unsigned char>(bytes[i]);
}

}  // namespace

std::uint64_t crc64(std::string_view bytes, std::uint64_t previous) {
  std::uint64_t sum = ~previous;
  while (bytes.size() >= 8) {
    std::uint64_t word = 0;  // little-endian on every machine; compilers make one load of it
    for (std::size_t i = 0; i < 8; ++i) word |= byte_at(bytes, i) << (8 * i);
    sum ^= word;
    std::uint64_t next = 0;
    for (std::size_t k = 0; k < 8; ++k) next ^= tables[7 - k][(sum >> (8 * k)) & 0xFF];
    sum = next;
    bytes.remove_prefix(8);
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    sum = (sum >> 8) ^ tables[0][(sum ^ byte_at(bytes, i)) & 0xFF];
  }
  return ~sum;
}

}  // namespace tumble
