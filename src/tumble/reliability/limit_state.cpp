#include "tumble/reliability/limit_state.hpp"

#include "tumble/random/stream/variates.hpp"

namespace tumble {

void draw_germs(std::uint64_t seed, std::uint64_t index, std::uint64_t use,
                std::span<double> germs) {
  Draws draws(Stream(seed, index, use));
  for (double& germ : germs) germ = normal_variate(draws);
}

}  // namespace tumble
