#include "tumble/integrate/step/step_retry.hpp"

#include <fmt/format.h>

#include "tumble/integrate/step/follow_schedule.hpp"
#include "tumble/model/user_element.hpp"

namespace tumble {

void StepRetry::restart(Integrator& integrator, double h) {
  h_ = 0;  // none, should a user element have no answer
  integrator.restart(h);
  h_ = h;
}

void StepRetry::change_step(Integrator& integrator, double h) {
  h_ = 0;
  integrator.change_step(h);
  h_ = h;
}

bool StepRetry::advance(Integrator& integrator, double before, double after, double h, int depth) {
  if (stepped(integrator, after, h, depth)) return !tell_ || tell_(before, after);
  const int most = system_->nominal.simulation.max_halvings;
  if (depth == most && !integrator.lost_turn().empty())
    throw SimulationError(
        fmt::format("at t = {} s, {} cannot be followed: in a step of {:.3g} s it turns by more "
                    "than its rate tells",
                    before, integrator.lost_turn(), after - before),
        before);
  if (depth == most)
    throw SimulationError(
        fmt::format("no convergence at t = {} s with a step of {:.3g} s: {} moves most", before,
                    after - before, integrator.worst_row()),
        before);
  ++halvings_;
  const double half = 0.5 * (after - before), middle = before + half;
  return advance(integrator, before, middle, half, depth + 1) &&
         advance(integrator, middle, after, half, depth + 1);
}

/// False if Newton does not converge, or asks a user element for what it cannot answer; in the
/// end that is the failure to tell of. A restart looks ahead and may ask too.
bool StepRetry::stepped(Integrator& integrator, double after, double h, int depth) {
  try {
    if (is_other_step(h, h_)) change_step(integrator, h);
    return integrator.step(after);
  } catch (const UserElementError&) {
    if (depth == system_->nominal.simulation.max_halvings) throw;
    return false;
  }
}

}  // namespace tumble
