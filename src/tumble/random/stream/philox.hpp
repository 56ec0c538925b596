// Philox4x64-10: four random words from a counter and a key, without any state between.
//
// J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2,
// 3", SC11 (2011). The rounds are those of the Random123 library of the same authors.
#pragma once
#include <array>
#include <cstdint>

namespace tumble {

using PhiloxCounter = std::array<std::uint64_t, 4>;
using PhiloxKey = std::array<std::uint64_t, 2>;

/// For each key a bijection of counters: different counters never give the same block.
std::array<std::uint64_t, 4> philox(const PhiloxCounter& counter, const PhiloxKey& key);

}  // namespace tumble
