#include "tumble/integrate/watch/energy_audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tumble {
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

std::string advice(double step) {
  return fmt::format(
      "steps of {:.3g} s are too large for this motion: make simulation.step smaller", step);
}

}  // namespace

void EnergyAudit::look(const Integrator& integrator, Workspace<double>& w, bool due, double step) {
  account_.look(integrator, w);
  drift_ = std::max(drift_, account_.drift);
  violation_ = std::max(violation_, account_.violation);
  longest_step_ = std::max(longest_step_, step);
  outputs_.push_back({w.time, account_.gained, account_.lost, account_.exchanged_now(),
                      account_.rounding_now() + account_.work_doubt_now(),
                      account_.heat_doubt_now()});
  if (!due) return;
  if (account_.open())
    throw SimulationError(
        fmt::format("{} is open by {:.3g} of the machine's size at t = {:.9g} s ({:.0e} is "
                    "allowed); {}",
                    system_.describe_row(system_.nv + account_.worst_row), account_.violation,
                    w.time, account_.bearable_violation(), advice(step)),
        w.time);
  account_.enter();
  const double off = std::max(account_.gained, account_.lost);
  if (!(off <= worst_.off))
    worst_ = {w.time, off, account_.kinetic + account_.potential, account_.work,
              account_.dissipated};
  if (account_.hopeless()) give_up(w);
}

void EnergyAudit::close(const Workspace<double>& w) {
  if (account_.unbalanced()) give_up(w);
}

void EnergyAudit::give_up(const Workspace<double>& w) {
  // Looks and outputs may disagree where outputs between looks exchange more: then the worst look.
  const double since = unsound_from().value_or(worst_.time);
  given_up_since_ = since;
  const double left = account_.start + worst_.work - worst_.dissipated;
  throw SimulationError(
      fmt::format("the energy account is off from t = {:.9g} s on: at t = {:.9g} s the energy is "
                  "{:.6g} J, but {:.6g} J at the start, {:+.6g} J of work and {:.6g} J dissipated "
                  "leave {:.6g} J, and {:.6g} J is the most that was exchanged; most is in {}; {}",
                  since, worst_.time, worst_.energy, account_.start, worst_.work, worst_.dissipated,
                  left, account_.exchanged, most_energetic(system_, constants_, w),
                  advice(longest_step_)),
      since);
}

std::optional<double> EnergyAudit::unsound_from() const {
  constexpr double allowed = EnergyAccount::allowed_mismatch;
  Output largest{};
  auto off = outputs_.begin();
  for (auto output = outputs_.begin(); output != outputs_.end(); ++output) {
    for (const auto entry :
         {&Output::gained, &Output::lost, &Output::exchanged, &Output::doubt, &Output::heat_doubt})
      largest.*entry = std::max(largest.*entry, (*output).*entry);
    const double sure = allowed * largest.exchanged + largest.doubt;
    const bool numbers = std::isfinite(output->exchanged) && std::isfinite(sure);
    if (numbers && largest.gained <= sure && largest.lost <= sure + largest.heat_doubt)
      off = output + 1;
    if (!numbers) break;
  }
  return off == outputs_.end() ? std::nullopt : std::optional(off->time);
}

EnergySummary EnergyAudit::summary() const {
  return {account_.start,
          account_.kinetic + account_.potential,
          account_.work,
          account_.dissipated,
          account_.largest_mismatch,
          account_.exchanged,
          account_.relative()};
}

}  // namespace tumble
