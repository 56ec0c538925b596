#include "tumble/random/stream/stream.hpp"

#include "tumble/random/stream/philox.hpp"

namespace tumble {

std::uint64_t Stream::word(std::uint64_t n) const {
  // Each of the four numbers has a word of its own, so that no two streams share a counter. The
  // words that are 0 are left to other uses of the same seed.
  return philox({n / 4, realization_, variable_, 0}, {seed_, 0})[n % 4];
}

double Stream::uniform(std::uint64_t n) const { return uniform_from(word(n)); }

}  // namespace tumble
