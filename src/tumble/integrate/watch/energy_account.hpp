// Where the energy of a run went, and whether its joints hold (docs/theory/energy.md).
//
//   E(t) - E(0) = W(t) - D(t) + mismatch(t)
// E: kinetic and potential energy; W: work of drives, loads and user elements, impulses at break
// points included; D: what dampers turned into heat. The mismatch is the integrator's own doing.
//
// Heat is what dampers seem to have taken, or less: where they are too stiff for the steps, the
// velocities that heat is measured with are the method's, not the motion's. But it is never
// negative, so E - W must not rise. Hence energy came from nowhere, or was lost on the way:
//   gained = min(mismatch, E - W less the smallest E - W so far),   lost = -mismatch.
// At the end of a run each must be below a tenth of the largest energy exchanged in all of it: at
// its beginning next to nothing has been exchanged, and any error would look large.
#pragma once
#include "tumble/dynamics/energy.hpp"
#include "tumble/integrate/step/integrator.hpp"
#include "tumble/integrate/step/schedule.hpp"
#include "tumble/integrate/watch/energy_ledger.hpp"

namespace tumble {

template <class S>
class BasicEnergyAccount : public BasicEnergyLedger<S> {
 public:
  static constexpr double allowed_violation = 1e-6;  ///< of the size of the machine, or rad
  static constexpr double allowed_drift = 1e-3;      ///< where joints are kept as accelerations
  /// The largest violation of an assembled machine.
  static double bearable(const System& system) {
    const bool drifts = system.nominal.simulation.integrator == IntegrationMethod::baumgarte;
    return drifts ? allowed_drift : allowed_violation;
  }

  BasicEnergyAccount(const System& system, const std::vector<S>& constants);

  /// After the first restart.
  void begin(BasicIntegrator<S>& integrator);
  /// After the restart at a break point: an imposed velocity may have jumped.
  void cross_break(BasicIntegrator<S>& integrator) {
    integrator.let_power_jump();
    this->add_impulses(integrator.impulse_work());
  }
  /// A switch has put this much potential energy into the machine, or taken it out [J].
  void add_switching(const S& energy) { this->add_impulses(energy); }
  /// At a break point over which a method steps: by so much [J] reactions will seem to do more than
  /// they do while velocities jump.
  void step_over_break(const S& excess) { this->add_impulses(-excess); }
  /// What there is to see at the integrator's state, with the workspace that observe() returned.
  /// Leaves forces in the workspace.
  EnergySight<S> see(const BasicIntegrator<S>& integrator, Workspace<S>& w);
  void look(const BasicIntegrator<S>& integrator, Workspace<S>& w) {
    this->take(see(integrator, w), {integrator.work(), integrator.dissipated(),
                                    integrator.work_doubt(), integrator.dissipated_doubt()});
  }
  int worst_row = 0;  ///< of a single realisation: the constraint most violated

 private:
  void measure_violations(const BasicIntegrator<S>& integrator, Workspace<S>& w,
                          EnergySight<S>& sight);

  enum class RowUnit : char { length, direction, of_user };
  const System& system_;
  const std::vector<S>& c_;
  std::vector<RowUnit> units_;
};

using EnergyAccount = BasicEnergyAccount<double>;

/// At which outputs the account is looked at: the same ones in a lane and in a single run, or one
/// would fail where the other passes. A look costs as much as half a step, and energy from nowhere
/// does not vanish again; so there are eight looks or more in a run, at outputs at most 512 steps
/// apart where there are such.
class AccountDates {
 public:
  explicit AccountDates(const Schedule& schedule);
  /// Anew, at the start of a run.
  void begin();
  /// After the i-th segment of the schedule, in their order.
  bool due(std::size_t i);

 private:
  const Schedule& schedule_;
  long spacing_ = 1, since_ = 0;  ///< [steps]
};

}  // namespace tumble
