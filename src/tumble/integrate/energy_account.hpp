// Where the energy of a run went, and whether its joints hold (docs/theory/energy.md).
//
//   E(t) - E(0) = W(t) - D(t) + mismatch(t)
// E: kinetic and potential energy; W: work of drives, loads and user elements, impulses at break
// points included; D: what dampers turned into heat. The mismatch is the integrator's own doing. A
// run is given up when it exceeds a tenth of the largest energy exchanged, or when a joint is open
// by more than a millionth of the machine's size: then its numbers mean nothing.
#pragma once
#include "tumble/dynamics/energy.hpp"
#include "tumble/integrate/integrator.hpp"

namespace tumble {

template <class S>
class BasicEnergyAccount {
 public:
  static constexpr double allowed_mismatch = 0.1;    ///< of the largest energy exchanged
  static constexpr double allowed_violation = 1e-6;  ///< of the size of the machine, or rad

  /// Lanes look at outputs that are at least as many steps apart, and at the last: energy from
  /// nowhere does not vanish again, and a look costs as much as half a step.
  static constexpr long steps_between_looks = 512;

  BasicEnergyAccount(const System& system, const std::vector<S>& constants);

  /// After the first restart.
  void begin(BasicIntegrator<S>& integrator);
  /// After the restart at a break point: an imposed velocity may have jumped.
  void cross_break(BasicIntegrator<S>& integrator) {
    integrator.let_power_jump();
    impulses_ = impulses_ + integrator.impulse_work();
  }
  /// At the integrator's state, with the workspace that observe() returned. Leaves forces in the
  /// workspace.
  void look(const BasicIntegrator<S>& integrator, Workspace<S>& w);

  /// Lanes whose account was off, or whose joints were open, when last looked at.
  Mask<S> unbalanced() const {
    const S allowed = S(allowed_mismatch) * exchanged + rounding_ + doubt_;
    // Heat is what dampers took or less: where they are too stiff for the steps, the velocities
    // that heat is measured with are the method's, not the motion's.
    const Mask<S> balanced =
        (mismatch >= -allowed) & (mismatch - dissipated <= allowed) & (exchanged < S(1e300));
    return !balanced;
  }
  Mask<S> open() const { return !(violation <= S(allowed_violation)); }

  // When last looked at:
  S kinetic{}, potential{}, work{}, dissipated{}, mismatch{};  ///< [J]
  S violation{};      ///< largest, relative to the machine's size; of directions in rad
  S drift{};          ///< largest |φ| [m, rad]
  int worst_row = 0;  ///< of a single realisation: the constraint most violated

  // Since begin():
  S start{};             ///< E(0) [J]
  S exchanged{};         ///< largest of kinetic energy, change of potential, work and heat [J]
  S largest_mismatch{};  ///< [J]

 private:
  void measure_violations(const BasicIntegrator<S>& integrator, Workspace<S>& w);

  enum class RowUnit : char { length, direction, of_user };
  const System& system_;
  const std::vector<S>& c_;
  std::vector<RowUnit> units_;
  S potential_start_{}, impulses_{};
  S resting_{};   ///< energy of a machine at rest, by rounding [J]
  S doubt_{};     ///< of work and heat, where powers jump [J]
  S rounding_{};  ///< what rounding, and joints within what is allowed, may do to the account [J]
};

using EnergyAccount = BasicEnergyAccount<double>;

/// What to tell who ran it with steps of `step`: the joint that opens, or where the energy is.
/// Empty if nothing is wrong.
std::string describe_failure(const System& system, const std::vector<double>& constants,
                             const EnergyAccount& account, const Workspace<double>& w, double step);

}  // namespace tumble
