// SHA-256 (FIPS 180-4), to say in a results file exactly which inputs it came from.
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace tumble {

/// Of data that comes in pieces.
class Sha256 {
 public:
  void add(std::string_view data);
  /// 64 lower-case hexadecimal digits, once, after the last piece.
  std::string digest();

 private:
  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> block_{};  // the last one, not yet full
  std::uint64_t bytes_ = 0;
};

/// 64 lower-case hexadecimal digits.
std::string sha256(std::string_view data);

/// The same of a file's bytes. Throws std::system_error if the file cannot be read.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace tumble
