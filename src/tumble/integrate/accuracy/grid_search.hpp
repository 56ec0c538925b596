// Steps that reach an accuracy, found by the program instead of given by the user.
//
// A scout integrates each of a few realisations in blocks of steps, each block twice: with steps of
// some size and with half of it. Where the two differ by less than is allowed, steps may grow;
// after an event (the start, a break point) they begin tiny again, so that nothing fast is met with
// steps too large to see it. That gives the largest steps allowed over time; from them the cheapest
// sequence of zones with steps output_step/m is laid, and then tried: the realisations are run with
// it and with half its steps, and all steps are scaled until the estimated error fits.
// docs/theory/integration.md#accuracy-in-place-of-a-step
#pragma once
#include <functional>

#include "tumble/integrate/plan.hpp"

namespace tumble {

struct GridSearchOptions {
  int threads = 1;
  std::function<void()> check_interrupt;  ///< may throw
};

struct FoundGrid {
  std::vector<GridZone> zones;
  double estimate = 0;  ///< largest error over peak, by the last trial
  long steps = 0;       ///< of the nominal run
  double work = 0;      ///< of the nominal run, as run_work() counts it
  bool fits = false;    ///< the accuracy is reached
  std::vector<std::string> warnings;
};

/// @param members the realisations to serve, the nominal model first; they differ from that of the
/// plan in their slots only, and ask for an accuracy. Those that fail are passed over; the same
/// members give the same grid. @throws SimulationError if the nominal run cannot be integrated.
FoundGrid find_grid(const Plan& plan, const std::vector<Model>& members,
                    const GridSearchOptions& options = {});

}  // namespace tumble
