// CRC-64/XZ: reflected ECMA-182 polynomial, all bits inverted at both ends.
//
// It finds every error confined to 64 neighbouring bits, so any damaged byte, and misses other
// damage with probability 2^-64. It is no protection against somebody who means to deceive.
#pragma once
#include <cstdint>
#include <string_view>

namespace tumble {

/// Checksum of `bytes`. A sum over parts passes the sum so far as `previous`.
std::uint64_t crc64(std::string_view bytes, std::uint64_t previous = 0);

}  // namespace tumble
