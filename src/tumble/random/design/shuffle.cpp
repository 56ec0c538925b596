#include "tumble/random/design/shuffle.hpp"

#include <algorithm>

#include "tumble/random/stream/philox.hpp"
#include "tumble/random/stream/philox_uses.hpp"
#include "tumble/random/stream/stream.hpp"

namespace tumble {

Shuffle::Shuffle(std::uint64_t cards, std::uint64_t seed, std::uint64_t copy,
                 const DesignCoordinate& coordinate)
    : cards_(cards), seed_(seed), copy_(copy), coordinate_(coordinate) {
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const auto block = philox({round / 4, copy, coordinate.variable, coordinate.number},
                              {seed, philox_use::shuffle_shifts});
    shifts_[round] =
        static_cast<std::uint64_t>(uniform_from(block[round % 4]) * static_cast<double>(cards));
  }
}

std::uint64_t Shuffle::operator()(std::uint64_t card) const {
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const std::uint64_t s = shifts_[round];
    const std::uint64_t partner = s >= card ? s - card : s + cards_ - card;
    // Both cards of a pair must see the same coin: that of the larger one.
    const std::uint64_t pair = std::max(card, partner);
    const auto block = philox({round << 32 | pair, copy_, coordinate_.variable, coordinate_.number},
                              {seed_, philox_use::shuffle_coins});
    if (block[0] & 1) card = partner;
  }
  return card;
}

}  // namespace tumble
