#include <fmt/format.h>

#include "tumble/integrate/integrator_impl.hpp"

namespace tumble {

template class BasicIntegrator<double>;

bool exchanges_power(const System& system) {
  bool answer = !system.bushings.empty() || !system.springs.empty() ||
                !system.torsion_springs.empty() || !system.applied_forces.empty() ||
                !system.beam_loads.empty() || !system.user_forces.empty() ||
                !system.user_constraints.empty() || system.drives.size() > 0;
  for (const BeamIndex& beam : system.beams) answer = answer || beam.damped;
  return answer;
}

void throw_not_assembled(const System& system, int row, double violation, double time) {
  throw SimulationError(
      fmt::format("the mechanism cannot be assembled at t = {} s: {} is off by {:.3g}", time,
                  system.describe_row(row), violation),
      time);
}

}  // namespace tumble
