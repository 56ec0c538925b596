// Two doubles worked on together: the vector that every x86-64 processor has.
#pragma once
#include <cstdint>
#include <cstring>

namespace tumble {

/// For loops of which g++ makes branches, mispredicted ones, although they are written as
/// selections.
using DoublePair [[gnu::vector_size(16)]] = double;
using IndexPair [[gnu::vector_size(16)]] = std::int64_t;

/// From and to any address. One instruction each.
template <class Pair, class Number>
Pair load_pair(const Number* from) {
  Pair pair;
  static_assert(sizeof(pair) == 2 * sizeof(*from));
  std::memcpy(&pair, from, sizeof(pair));
  return pair;
}
template <class Pair, class Number>
void store_pair(Number* to, Pair pair) {
  static_assert(sizeof(pair) == 2 * sizeof(*to));
  std::memcpy(to, &pair, sizeof(pair));
}

}  // namespace tumble
