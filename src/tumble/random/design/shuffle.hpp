// A random permutation that is computed, not stored.
#pragma once
#include <array>
#include <cstdint>

#include "tumble/random/design/design.hpp"

namespace tumble {

/// The swap-or-not shuffle of V. T. Hoang, B. Morris and P. Rogaway ("An enciphering scheme based
/// on a card shuffle", CRYPTO 2012). In each round with its random shift s, the cards k and (s - k)
/// mod n change places or do not, by a fair coin that belongs to the pair.
///
/// A table of n numbers for every coordinate would grow with the number of realisations, and every
/// process would need all of it; this has no more than its shifts, and is a permutation whatever
/// the coins. The variance of a mean depends on how pairs of cards lie. Their Markov chain is
/// symmetric with the second eigenvalue (n + 1) / 2 n (computed for n from 4 to 13; 1/2 for n = 2
/// and 3), so that after r rounds they differ from pairs in a uniformly random permutation by no
/// more than n / 2 ((n + 1) / 2 n)^r in total variation: 2e-13 for n = 4, 3e-14 for a million,
/// 1e-10 for 2^32.
class Shuffle {
 public:
  static constexpr std::uint64_t rounds = 64;
  static constexpr std::uint64_t most_cards = std::uint64_t{1} << 32;

  /// Of 0 ... cards - 1, by the random numbers of (seed, copy, coordinate).
  Shuffle(std::uint64_t cards, std::uint64_t seed, std::uint64_t copy,
          const DesignCoordinate& coordinate);

  std::uint64_t operator()(std::uint64_t card) const;

 private:
  std::uint64_t cards_, seed_, copy_;
  DesignCoordinate coordinate_;
  std::array<std::uint64_t, rounds> shifts_;
};

}  // namespace tumble
