#include <fmt/format.h>

#include "tumble/integrate/integrator_impl.hpp"

namespace tumble {

template class BasicIntegrator<double>;

void throw_not_assembled(const System& system, int row, double violation, double time) {
  throw SimulationError(
      fmt::format("the mechanism cannot be assembled at t = {} s: {} is off by {:.3g}", time,
                  system.describe_row(row), violation),
      time);
}

}  // namespace tumble
