#include "tumble/random/stream/philox.hpp"

#include <Random123/philox.h>

namespace tumble {

std::array<std::uint64_t, 4> philox(const PhiloxCounter& counter, const PhiloxKey& key) {
  r123::Philox4x64::ctr_type c;
  r123::Philox4x64::key_type k;
  for (std::size_t i = 0; i < counter.size(); ++i) c[i] = counter[i];
  for (std::size_t i = 0; i < key.size(); ++i) k[i] = key[i];
  const auto block = r123::Philox4x64()(c, k);  // ten rounds, the library's default
  return {block[0], block[1], block[2], block[3]};
}

}  // namespace tumble
