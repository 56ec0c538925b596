#include "tumble/random/design/sobol_sequence.hpp"

#include <boost/random/sobol.hpp>

namespace tumble {

SobolSequence::SobolSequence(std::size_t dimensions) : directions_(dimensions) {
  if (dimensions == 0) return;
  // Boost's engine goes in the order of the Gray code: after seed(n - 1) it has point n, the xor of
  // v_k over the digits of n xor n / 2. For n = 2^k these are k and k - 1.
  boost::random::sobol_engine<std::uint64_t, digits> engine(dimensions);
  for (unsigned k = 0; k < digits; ++k) {
    engine.seed((std::uint64_t{1} << k) - 1);
    for (auto& v : directions_) v[k] = engine() ^ (k == 0 ? 0 : v[k - 1]);
  }
}

std::uint64_t SobolSequence::coordinate(std::uint64_t index, std::size_t dimension) const {
  const auto& v = directions_[dimension];
  std::uint64_t x = 0;
  for (unsigned k = 0; index != 0; ++k, index >>= 1)
    if (index & 1) x ^= v[k];
  return x;
}

}  // namespace tumble
