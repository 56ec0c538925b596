// The account of a single run, with what a person wants to know of one that is off: since when it
// is, when it is worst, and where the energy sits.
#pragma once
#include <optional>

#include "tumble/integrate/trajectory.hpp"
#include "tumble/integrate/watch/energy_account.hpp"

namespace tumble {

class EnergyAudit {
 public:
  EnergyAudit(const System& system, const std::vector<double>& constants)
      : system_(system), constants_(constants), account_(system, constants) {}

  EnergyAccount& account() { return account_; }

  /// At every output; `due` as AccountDates says. `step`: the scheduled one [s].
  /// @throws SimulationError if a joint is open or there is no hope for the account.
  void look(const Integrator& integrator, Workspace<double>& w, bool due, double step);
  /// After the last output, with the workspace of then.
  /// @throws SimulationError at the first output at which the account was off.
  void close(const Workspace<double>& w);

  /// Of a run that failed, for whatever reason: since which output its account is off, if it is
  /// [s]. What comes before would have passed as a run of its own; judged by all of a run that came
  /// to nothing, numbers that mean nothing would pass because later ones are worse.
  std::optional<double> off_since() const {
    return given_up_since_ ? given_up_since_ : unsound_from();
  }
  EnergySummary summary() const;
  /// Largest |φ| at an output [m, rad].
  double drift() const { return drift_; }
  /// The same relative to the machine's size; of directions in rad.
  double violation() const { return violation_; }

 private:
  [[noreturn]] void give_up(const Workspace<double>& w);
  std::optional<double> unsound_from() const;

  struct Output {
    double time, gained, lost;
    double exchanged, doubt, heat_doubt;  ///< of that instant alone
  };
  struct Ledger {
    double time = 0, off = 0;
    double energy = 0, work = 0, dissipated = 0;
  };
  const System& system_;
  const std::vector<double>& constants_;
  EnergyAccount account_;
  std::vector<Output> outputs_;
  std::optional<double> given_up_since_;
  Ledger worst_;
  double drift_ = 0, violation_ = 0;
  double longest_step_ = 0;
};

}  // namespace tumble
