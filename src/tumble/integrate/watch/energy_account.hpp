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

namespace tumble {

template <class S>
class BasicEnergyAccount {
 public:
  static constexpr double allowed_mismatch = 0.1;    ///< of the largest energy exchanged
  static constexpr double allowed_violation = 1e-6;  ///< of the size of the machine, or rad
  static constexpr double allowed_drift = 1e-3;      ///< where joints are kept as accelerations

  BasicEnergyAccount(const System& system, const std::vector<S>& constants);

  /// After the first restart.
  void begin(BasicIntegrator<S>& integrator);
  /// After the restart at a break point: an imposed velocity may have jumped.
  void cross_break(BasicIntegrator<S>& integrator) {
    integrator.let_power_jump();
    impulses_ = impulses_ + integrator.impulse_work();
  }
  /// A switch has put this much potential energy into the machine, or taken it out [J].
  void add_switching(const S& energy) { impulses_ = impulses_ + energy; }
  /// At a break point over which a method steps: by so much [J] reactions will seem to do more than
  /// they do while velocities jump.
  void step_over_break(const S& excess) { impulses_ = impulses_ - excess; }
  /// At the integrator's state, with the workspace that observe() returned. Leaves forces in the
  /// workspace.
  void look(const BasicIntegrator<S>& integrator, Workspace<S>& w);
  /// What was looked at last becomes part of the account.
  void enter();

  // When last looked at:
  S kinetic{}, potential{}, work{}, dissipated{}, mismatch{};  ///< [J]
  S gained{}, lost{};                                          ///< [J]
  /// Largest of kinetic energy, change of potential, work and heat [J]. Dampers cannot have taken
  /// more than there was, whatever they seem to have taken.
  S exchanged_now() const {
    const S heat = min(dissipated, max(start - remaining(), S(0.0)));
    return max(max(kinetic, abs(potential - potential_start_)), max(abs(work), heat));
  }
  /// What rounding, and joints within what is allowed, may have done to the account [J].
  S rounding_now() const { return fma(S(1e-6), size_, resting_ + slack_); }
  /// How wrong integrals of powers may be [J].
  const S& work_doubt_now() const { return work_doubt_now_; }
  const S& heat_doubt_now() const { return heat_doubt_now_; }
  S violation{};      ///< largest, relative to the machine's size; of directions in rad
  S drift{};          ///< largest |φ| [m, rad]
  int worst_row = 0;  ///< of a single realisation: the constraint most violated

  /// A joint is open.
  Mask<S> open() const { return !(violation <= S(bearable_violation())); }
  double bearable_violation() const {
    const bool drifts = system_.nominal.simulation.integrator == IntegrationMethod::baumgarte;
    return drifts ? allowed_drift : allowed_violation;
  }
  /// Nothing to wait for: numbers are none any more, or half of all the energy there is came from
  /// nowhere.
  Mask<S> hopeless() const {
    const S bearable = fma(S(0.5), max(exchanged, size_), rounding_ + work_doubt_);
    const Mask<S> sound = (gained <= bearable) & (size_ < S(1e300)) & (abs(work) < S(1e300));
    return !sound;
  }

  // Of all that was entered since begin():
  S start{};             ///< E(0) [J]
  S exchanged{};         ///< largest of kinetic energy, change of potential, work and heat [J]
  S largest_mismatch{};  ///< [J]

  /// Energy gained or lost, over the largest energy exchanged. Ten times what rounding and the
  /// integrals of powers may have done to the account counts as exchanged: below that it says
  /// nothing.
  S relative(const S& energy_gained, const S& energy_lost) const {
    const S sure = fma(S(1 / allowed_mismatch), rounding_ + work_doubt_, exchanged) + S(1e-300);
    const S unsure = fma(S(1 / allowed_mismatch), heat_doubt_, sure);
    return max(energy_gained / sure, energy_lost / unsure);
  }
  S relative() const { return relative(largest_gain_, largest_loss_); }
  /// At the end of a run: it does not describe the motion.
  Mask<S> unbalanced() const { return !(relative() <= S(allowed_mismatch)); }

 private:
  void measure_violations(const BasicIntegrator<S>& integrator, Workspace<S>& w);
  S remaining() const { return kinetic + potential - work; }

  enum class RowUnit : char { length, direction, of_user };
  const System& system_;
  const std::vector<S>& c_;
  std::vector<RowUnit> units_;
  S potential_start_{}, impulses_{};
  S resting_{};  ///< energy of a machine at rest, by rounding [J]
  // When last looked at:
  S size_{};   ///< sum of the sizes of all terms of E [J]
  S slack_{};  ///< what joints within what is allowed may do to the account [J]
  // Of all that was entered, the largest but for the first:
  S floor_{};  ///< smallest E - W [J]
  S largest_gain_{}, largest_loss_{};
  S work_doubt_{}, heat_doubt_{};  ///< of the integrals of powers [J]
  S work_doubt_now_{}, heat_doubt_now_{};
  S rounding_{};  ///< [J]
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
