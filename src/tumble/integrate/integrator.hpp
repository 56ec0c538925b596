// Lie-group generalized-alpha for constrained systems in index-3 form, one realisation.
//
// The equations of motion and the position constraints hold at every step; velocities and
// accelerations are made consistent at t = 0 and after every break point of a drive, where an
// imposed velocity may jump. Method, starting values and error analysis:
// docs/theory/integration.md.
#pragma once
#include "tumble/integrate/generalized_alpha.hpp"
#include "tumble/integrate/kkt_solver.hpp"
#include "tumble/integrate/plan.hpp"
#include "tumble/integrate/trajectory.hpp"

namespace tumble {

/// The motion at one instant.
struct MotionState {
  double time = 0;
  std::vector<double> q, v, vdot, lambda;
};

class Integrator {
 public:
  /// @param constants as made by prepare(); kept by reference.
  Integrator(const Plan& plan, const std::vector<double>& constants);

  /// Brings the described start onto the constraints: positions by projection (least motion in the
  /// mass metric), velocities likewise. `inside` is a time inside the first step.
  /// @throws SimulationError if no consistent start is found nearby.
  void start(const InitialState& initial, double time, double inside);

  /// Consistent velocities, accelerations and multipliers just after the current time, and the
  /// method's own starting values for steps of size h. Positions stay. Called at t = 0, after
  /// every break point and whenever the step size changes.
  void restart(double h);

  /// One step of the size given to restart(). False if Newton does not converge; the state is
  /// then as before. @throws SimulationError on a singular system.
  bool step(double time_after);

  const MotionState& state() const { return now_; }
  const RunStatistics& statistics() const { return statistics_; }
  /// The workspace with bodies and drives as at state(): what probes read.
  Workspace<double>& observe();
  /// Largest |φ| at the current state.
  double constraint_residual();
  /// Which equation converged worst in the last failed step.
  std::string worst_row() const;

 private:
  void assemble_positions();
  void project_velocity();
  void solve_accelerations(std::vector<double>& vdot, std::vector<double>& lambda);
  void estimate_jerk();
  void perturb_velocity();
  void update_kinematics(double time, double inside, const std::vector<double>& q,
                         const std::vector<double>& v);
  void track_angles();
  void move_to(const std::vector<double>& vdot);
  bool newton(double time_after);
  double weighted_norm(const double* x) const;
  /// Makes the equation of the largest of these accelerations the one that worst_row() names.
  void blame(const std::vector<double>& accelerations);

  const Plan plan_;
  const System& system_;
  const std::vector<double>& c_;
  GeneralizedAlpha alpha_;
  double tolerance_;
  int max_iterations_;

  Workspace<double> w_;
  KktSolver kkt_;
  RunStatistics statistics_;

  MotionState now_;
  std::vector<double> a_;                            ///< auxiliary accelerations a_n
  std::vector<double> vdot_before_, lambda_before_;  ///< one step earlier, for extrapolation
  bool has_history_ = false;
  double h_ = 0;
  double inside_ = 0;  ///< a time inside the current step

  std::vector<double> v_base_, u_base_, u_, q_next_, v_next_, vdot_next_, lambda_next_;
  std::vector<double> residual_, delta_, jerk_, time_rate_, bias_;

  bool factor_valid_ = false;
  double contraction_ = 1;    ///< measured convergence rate with the current factor
  int factor_age_ = 0;        ///< steps since the current factor was made
  int measured_age_ = 0;      ///< its age when the rate was measured; 0: not yet
  int steps_unmeasured_ = 0;  ///< since the rate was last measured
  double length_scale_ = 1;   ///< size of the machine, for the rounding floor [m]
  int worst_ = 0;
};

}  // namespace tumble
