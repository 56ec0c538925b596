#include <algorithm>

#include "tumble/integrate/watch/energy_account_impl.hpp"

namespace tumble {

template class BasicEnergyAccount<double>;

AccountDates::AccountDates(const Schedule& schedule) : schedule_(schedule) {
  constexpr long looks = 8, most_steps = 512;
  long steps = 0;
  for (const Segment& segment : schedule.segments) steps += segment.steps;
  spacing_ = std::clamp(steps / looks, 1L, most_steps);
}

void AccountDates::begin() { since_ = 0; }

bool AccountDates::due(std::size_t i) {
  since_ += schedule_.segments[i].steps;
  if (!schedule_.segments[i].output) return false;
  if (since_ < spacing_ && i + 1 < schedule_.segments.size()) return false;
  since_ = 0;
  return true;
}

}  // namespace tumble
