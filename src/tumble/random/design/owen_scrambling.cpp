#include "tumble/random/design/owen_scrambling.hpp"

#include "tumble/random/design/sobol_sequence.hpp"
#include "tumble/random/stream/philox.hpp"
#include "tumble/random/stream/philox_uses.hpp"

namespace tumble {

// The coins are the nodes of a binary tree: the node of a digit is reached by the digits before it.
// A block of Philox has 256 bits, enough for the 255 nodes of a subtree eight digits deep, so that
// seven blocks do for 52 digits.
std::uint64_t owen_scramble(std::uint64_t x, std::uint64_t seed, std::uint64_t copy,
                            const DesignCoordinate& coordinate) {
  constexpr unsigned depth = 8;
  std::uint64_t flips = 0;
  for (unsigned done = 0; done < SobolSequence::digits; done += depth) {
    // A 1 before the digits that lead to the subtree makes the number unique for every length.
    const std::uint64_t subtree =
        (std::uint64_t{1} << done) | (x >> (SobolSequence::digits - done));
    const auto coins = philox({subtree, copy, coordinate.variable, coordinate.number},
                              {seed, philox_use::owen_scrambling});
    // Nodes of the subtree are numbered from 1, and the children of node k are 2 k and 2 k + 1.
    unsigned node = 1;
    for (unsigned digit = done; digit < done + depth && digit < SobolSequence::digits; ++digit) {
      const unsigned place = SobolSequence::digits - 1 - digit;
      flips |= ((coins[node / 64] >> (node % 64)) & 1) << place;
      node = 2 * node + static_cast<unsigned>((x >> place) & 1);
    }
  }
  return x ^ flips;
}

}  // namespace tumble
