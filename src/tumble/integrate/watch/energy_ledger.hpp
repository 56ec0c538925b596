// The arithmetic of an account of energy (energy_account.hpp): numbers in, verdicts out, without a
// system. Runs on a device hand in afterwards what they saw.
#pragma once
#include "tumble/math/scalar.hpp"

namespace tumble {

/// What there is to see at an instant.
template <class S>
struct EnergySight {
  S kinetic{}, potential{};  ///< [J]
  S size{};                  ///< sum of the sizes of all terms of the energy [J]
  S violation{};             ///< largest, relative to the machine's size; of directions in rad
  S drift{};                 ///< largest |φ| [m, rad]
  S slack{};                 ///< what joints within what is allowed may do to the account [J]
};

/// Integrals of powers up to that instant, and how wrong they may be [J].
template <class S>
struct EnergyFlow {
  S work{}, dissipated{}, work_doubt{}, heat_doubt{};
};

/// What an account begins with [J].
template <class S>
struct EnergyOpening {
  S kinetic{}, potential{};
  S resting{};  ///< energy of a machine at rest, by rounding
};

template <class S>
class BasicEnergyLedger {
 public:
  static constexpr double allowed_mismatch = 0.1;  ///< of the largest energy exchanged

  /// @param bearable the largest violation of an assembled machine
  explicit BasicEnergyLedger(double bearable) : bearable_violation_(bearable) {}

  void open_account(const EnergyOpening<S>& opening) {
    opening_ = opening;
    start = floor_ = opening.kinetic + opening.potential;
    exchanged = opening.kinetic;
    impulses_ = largest_mismatch = largest_gain_ = largest_loss_ = S(0.0);
    work_doubt_ = heat_doubt_ = rounding_ = S(0.0);
  }
  const EnergyOpening<S>& opening() const { return opening_; }
  /// Energy [J] that came at an instant, or went if it is negative.
  void add_impulses(const S& energy) { impulses_ = impulses_ + energy; }
  void take(const EnergySight<S>& sight, const EnergyFlow<S>& flow) {
    kinetic = sight.kinetic;
    potential = sight.potential;
    size_ = sight.size;
    violation = sight.violation;
    drift = sight.drift;
    slack_ = sight.slack;
    work = flow.work + impulses_;
    dissipated = flow.dissipated;
    work_doubt_now_ = flow.work_doubt;
    heat_doubt_now_ = flow.heat_doubt;
    mismatch = (kinetic + potential - start) - (work - dissipated);
    gained = min(mismatch, (kinetic + potential - work) - floor_);
    lost = -mismatch;
  }
  /// What was looked at last becomes part of the account.
  void enter() {
    exchanged = max(exchanged, exchanged_now());
    floor_ = min(floor_, remaining());
    largest_mismatch = max(largest_mismatch, abs(mismatch));
    largest_gain_ = max(largest_gain_, gained);
    largest_loss_ = max(largest_loss_, lost);
    work_doubt_ = max(work_doubt_, work_doubt_now_);
    heat_doubt_ = max(heat_doubt_, heat_doubt_now_);
    rounding_ = max(rounding_, rounding_now());
  }

  // When last looked at:
  S kinetic{}, potential{}, work{}, dissipated{}, mismatch{};  ///< [J]
  S gained{}, lost{};                                          ///< [J]
  /// Largest of kinetic energy, change of potential, work and heat [J]. Dampers cannot have taken
  /// more than there was, whatever they seem to have taken.
  S exchanged_now() const {
    const S heat = min(dissipated, max(start - remaining(), S(0.0)));
    return max(max(kinetic, abs(potential - opening_.potential)), max(abs(work), heat));
  }
  /// What rounding, and joints within what is allowed, may have done to the account [J].
  S rounding_now() const { return fma(S(1e-6), size_, opening_.resting + slack_); }
  /// How wrong integrals of powers may be [J].
  const S& work_doubt_now() const { return work_doubt_now_; }
  const S& heat_doubt_now() const { return heat_doubt_now_; }
  S violation{};  ///< largest, relative to the machine's size; of directions in rad
  S drift{};      ///< largest |φ| [m, rad]

  /// A joint is open.
  Mask<S> open() const { return !(violation <= S(bearable_violation_)); }
  double bearable_violation() const { return bearable_violation_; }
  /// Nothing to wait for: numbers are none any more, or half of all the energy there is came from
  /// nowhere.
  Mask<S> hopeless() const {
    const S bearable = fma(S(0.5), max(exchanged, size_), rounding_ + work_doubt_);
    const Mask<S> sound = (gained <= bearable) & (size_ < S(1e300)) & (abs(work) < S(1e300));
    return !sound;
  }

  // Of all that was entered since open_account():
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
  S remaining() const { return kinetic + potential - work; }

  double bearable_violation_;
  EnergyOpening<S> opening_;
  S impulses_{};
  // When last looked at:
  S size_{}, slack_{};
  S work_doubt_now_{}, heat_doubt_now_{};
  // Of all that was entered, the largest but for the first:
  S floor_{};  ///< smallest E - W [J]
  S largest_gain_{}, largest_loss_{};
  S work_doubt_{}, heat_doubt_{};  ///< of the integrals of powers [J]
  S rounding_{};                   ///< [J]
};

}  // namespace tumble
