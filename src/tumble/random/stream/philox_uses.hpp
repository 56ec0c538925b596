// What the second word of the key says: uses of one seed that must never share a random word.
#pragma once
#include <cstdint>

namespace tumble::philox_use {

constexpr std::uint64_t streams = 0;  ///< stream.cpp
constexpr std::uint64_t owen_scrambling = 1;
constexpr std::uint64_t shuffle_shifts = 2;
constexpr std::uint64_t shuffle_coins = 3;
constexpr std::uint64_t latin_hypercube_offsets = 4;
constexpr std::uint64_t morris_walks = 5;

}  // namespace tumble::philox_use
