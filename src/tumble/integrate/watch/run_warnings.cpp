#include "tumble/integrate/watch/run_warnings.hpp"

#include <fmt/format.h>

#include "tumble/integrate/watch/energy_account.hpp"

namespace tumble {

std::vector<std::string> run_warnings(const System& system, const Integrator& integrator,
                                      const RunStatistics& statistics, double violation,
                                      const RotationWatch& rotation, const ContactWatch& contacts) {
  std::vector<std::string> warnings;
  if (const auto turning = rotation.warning(system)) warnings.push_back(*turning);
  if (const auto touching = contacts.warning()) warnings.push_back(*touching);
  if (statistics.regularized_steps > 0)
    warnings.push_back(fmt::format(
        "at about t = {:.4g} s the mechanism passes a singular position, from which its joints "
        "let it go on in more than one way: it goes on the way it came, and reactions there "
        "are "
        "those it came with",
        integrator.singular_time()));
  if (violation > EnergyAccount::allowed_violation)
    warnings.push_back(fmt::format(
        "joints have drifted apart, by up to {:.2g} of the machine's size: they are kept as "
        "accelerations, and a smaller simulation.step or a larger baumgarte_beta keeps them "
        "better",
        violation));
  constexpr long few = 3, percent = 1;
  if (statistics.halvings >= few && 100 * statistics.halvings > percent * statistics.steps)
    warnings.push_back(
        fmt::format("{} of {} steps did not converge and were halved: the motion is too fast for "
                    "simulation.step, and results between outputs may be rough",
                    statistics.halvings, statistics.steps));
  return warnings;
}

}  // namespace tumble
