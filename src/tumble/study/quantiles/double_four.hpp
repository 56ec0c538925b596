// Four doubles worked on together, which every processor that Tumble runs on does.
#pragma once
#include <cstdint>
#include <cstring>

namespace tumble {

/// For loops of which g++ makes branches, mispredicted ones, although they are written as
/// selections.
using DoubleFour [[gnu::vector_size(32)]] = double;
using IndexFour [[gnu::vector_size(32)]] = std::int64_t;

/// From and to any address. One instruction each.
template <class Four, class Number>
Four load_four(const Number* from) {
  Four four;
  static_assert(sizeof(four) == 4 * sizeof(*from));
  std::memcpy(&four, from, sizeof(four));
  return four;
}
template <class Four, class Number>
void store_four(Number* to, Four four) {
  static_assert(sizeof(four) == 4 * sizeof(*to));
  std::memcpy(to, &four, sizeof(four));
}

}  // namespace tumble
