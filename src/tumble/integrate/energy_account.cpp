#include <fmt/format.h>

#include "tumble/integrate/energy_account_impl.hpp"

namespace tumble {

template class BasicEnergyAccount<double>;

namespace {

/// Whose motion holds most of the kinetic energy.
std::string most_energetic(const System& system, const std::vector<double>& constants,
                           const Workspace<double>& w) {
  std::string name;
  double largest = -1;
  const auto consider = [&](const std::string& candidate, double energy) {
    if (energy <= largest) return;
    largest = energy;
    name = candidate;
  };
  for (std::size_t i = 0; i < system.bodies.size(); ++i)
    if (system.bodies[i].block >= 0)
      consider(fmt::format("body '{}'", system.bodies[i].name),
               kinetic_energy(system.bodies[i], constants.data(), w.body[i + 1]));
  for (const BeamIndex& beam : system.beams)
    consider(fmt::format("beam '{}'", beam.name),
             beam_state(beam, constants.data(), w).kinetic_energy);
  return name;
}

}  // namespace

std::string describe_failure(const System& system, const std::vector<double>& constants,
                             const EnergyAccount& account, const Workspace<double>& w,
                             double step) {
  const double time = w.time;
  const std::string advice = fmt::format(
      "steps of {:.3g} s are too large for this motion: make simulation.step smaller", step);
  if (account.open())
    return fmt::format(
        "{} is open by {:.3g} of the machine's size at t = {:.9g} s ({:.0e} is allowed); {}",
        system.describe_row(system.nv + account.worst_row), account.violation, time,
        EnergyAccount::allowed_violation, advice);
  if (account.unbalanced())
    return fmt::format(
        "the energy account is off at t = {:.9g} s: the energy is {:.6g} J, but {:.6g} J at the "
        "start, {:+.6g} J of work and {:.6g} J dissipated leave {:.6g} J, and {:.6g} J is the most "
        "that was exchanged; most is in {}; {}",
        time, account.kinetic + account.potential, account.start, account.work, account.dissipated,
        account.start + account.work - account.dissipated, account.exchanged,
        most_energetic(system, constants, w), advice);
  return {};
}

}  // namespace tumble
