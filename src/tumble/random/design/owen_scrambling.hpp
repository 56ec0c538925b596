// Nested uniform scrambling of binary digits.
//
// A. B. Owen, "Randomly permuted (t,m,s)-nets and (t,s)-sequences" (1995): each digit is flipped or
// not, by a fair coin of its own for every combination of the digits before it. A scrambled point
// is uniform on the cube, so means are unbiased; nets stay nets; and for smooth functions the
// variance of the mean of 2^m points falls nearly as 2^-3m (Owen, Annals of Statistics 25, 1997).
#pragma once
#include <cstdint>

#include "tumble/random/design/design.hpp"

namespace tumble {

/// 52 digits for 52 digits `x`, by the coins of (seed, copy, coordinate).
std::uint64_t owen_scramble(std::uint64_t x, std::uint64_t seed, std::uint64_t copy,
                            const DesignCoordinate& coordinate);

}  // namespace tumble
