// Lie-group generalized-alpha for constrained systems in index-3 form, for one realisation
// (S = double) or one per lane of a batch.
//
// The equations of motion and the position constraints hold at every step; velocities and
// accelerations are made consistent at t = 0 and after every break point of a drive, where an
// imposed velocity may jump. Method, starting values and error analysis:
// docs/theory/integration.md.
//
// A single realisation may be integrated in three other ways. Two differ in a few places of this
// class (other_methods_impl.hpp, docs/theory/other-integrators.md); the third has stages instead of
// the iteration at the end of a step (radau_impl.hpp, docs/theory/radau.md).
//
// Lanes march in lock step but decide alone: each has its own convergence test, its own age of the
// factor and its own failure, and a lane that has converged or failed is frozen. What a lane
// computes therefore never depends on its neighbours.
#pragma once
#include <optional>

#include "tumble/integrate/plan.hpp"
#include "tumble/integrate/step/generalized_alpha.hpp"
#include "tumble/integrate/step/kkt_solver.hpp"
#include "tumble/integrate/step/multistep.hpp"
#include "tumble/integrate/step/newton_judge.hpp"
#include "tumble/integrate/step/program_step.hpp"
#include "tumble/integrate/step/radau_stages.hpp"
#include "tumble/integrate/step/regularized_kkt.hpp"
#include "tumble/integrate/step/turned_nodes.hpp"
#include "tumble/integrate/trajectory.hpp"
#include "tumble/integrate/watch/power_integral.hpp"
#include "tumble/integrate/watch/redundancy_watch.hpp"

namespace tumble {

/// The motion at one instant.
template <class S>
struct BasicMotionState {
  double time = 0;
  std::vector<S> q, v, vdot, lambda;
};
using MotionState = BasicMotionState<double>;

/// Lanes know generalized-alpha alone.
template <class S>
inline constexpr bool knows_all_methods = std::is_same_v<S, double>;

/// Does S carry derivatives, which have to converge too (integrate/derivatives.cpp)?
template <class S>
inline constexpr bool carries_slopes = false;

template <class S>
class BasicIntegrator {
 public:
  /// @param constants as made by prepare(), lane by lane; kept by reference. So is the plan of a
  /// batch; a single realisation shares it.
  BasicIntegrator(const Plan& plan, const std::vector<S>& constants);

  /// Brings the described start onto the constraints: positions by projection (least motion in the
  /// mass metric), velocities in restart(). `inside` is a time inside the first step. Begins anew:
  /// constants may have changed, and nothing is left of a run before.
  /// @throws SimulationError (single realisation) if no consistent start is found nearby.
  void start(const BasicInitialState<S>& initial, double time, double inside);

  /// Consistent velocities, accelerations and multipliers just after the current time, and the
  /// method's own starting values for steps of size h. Positions stay. Called at t = 0, after
  /// every break point and whenever the step size changes.
  void restart(double h);

  /// Goes on with steps of size h: from a restart, or with what is known of the steps before where
  /// the method has a use for it.
  void change_step(double h);

  /// Does the method go on over break points, where others restart?
  bool steps_over_breaks() const { return method_ == IntegrationMethod::multistep; }

  /// One step of the size given to restart() or change_step(). The mask of lanes in which Newton
  /// converged; the others stay where they were. @throws SimulationError (single realisation) on a
  /// singular system.
  Mask<S> step(double time_after);

  const BasicMotionState<S>& state() const { return now_; }
  /// What the first step after restart() goes on from, beside state(): for who takes the steps
  /// elsewhere.
  struct Departure {
    const std::vector<S>&a, &v_start;
    const S& acceleration_size;
    const Mask<S>& failed;
  };
  Departure departure() const { return {a_, v_start_, acceleration_size_, failed_}; }
  /// As if steps had led here; to be restarted. What is counted through turns is not known.
  void arrive(const BasicMotionState<S>& state, const S& length_scale) {
    now_ = state;
    length_scale_ = length_scale;
  }
  /// Lanes that failed since start(); they are frozen. Never set for a single realisation, whose
  /// caller may restart with a smaller step.
  Mask<S> failed() const {
    if constexpr (knows_all_methods<S>)
      return failed_;
    else
      return failed_ | lanes_of_bits<S>(w_.user.unanswered);
  }
  /// How many lanes are in use; the others hold copies of the first.
  void use_lanes(int lanes) { w_.user.used = lanes; }
  /// Compiled programs that lanes call in place of kernels where they fit, with the same bits;
  /// null: none. They outlive their use.
  void use_programs(const StepPrograms* programs) {
    // A factor that turns with beams is asked for in other ways.
    if constexpr (!knows_all_methods<S>)
      if (turned_.none()) programs_.use(programs, system_, w_);
  }
  /// Lanes whose numbers no longer mean anything: they fail.
  void give_up(const Mask<S>& lanes) { failed_ = failed_ | lanes; }
  const RunStatistics& statistics() const { return statistics_; }
  /// The matrix of the last factorisation, over the slots of the system's pattern.
  const std::vector<S>& iteration_matrix() const { return kkt_.matrix(); }
  /// The workspace with bodies and drives as at state(): what probes read.
  Workspace<S>& observe();
  /// The workspace at a time inside the last step, of a motion that is a cubic of time between its
  /// ends: good to the third order where the method is of second. Not by the multistep method.
  Workspace<S>& look_back(double time);
  /// Steps of a single realisation can be undone from now on.
  void let_undo() { keeps_waypoint_ = true; }
  /// Back to where the last step began. To be restarted.
  void undo_step() requires std::is_same_v<S, double>;
  /// The state for probes: state(), or if conditions are redundant, the same with those multipliers
  /// of least norm that do the same. @throws SimulationError (single realisation) if redundant
  /// conditions contradict each other; a lane fails.
  const BasicMotionState<S>& reported();
  /// Largest |φ| at the current state.
  S constraint_residual();
  /// Cosine of the largest angle between axes that joints keep parallel, at what was observed last:
  /// not above zero if a joint has turned over, which its residual does not tell.
  S alignment() const;
  /// Powers may jump at the current time: a break point.
  void let_power_jump() {
    work_.jump(now_.time);
    dissipated_.jump(now_.time);
  }
  /// Work [J] of drives, loads and user elements since start(), and what dampers turned into heat.
  /// Both run on over restarts; the work of impulses at a restart is not in it.
  S work() const { return work_.at(now_.time); }
  S dissipated() const { return dissipated_.at(now_.time); }
  /// How wrong each may be [J].
  S work_doubt() const { return work_.doubt(); }
  S dissipated_doubt() const { return dissipated_.doubt(); }
  /// Kinetic energy [J] that the impulses of the last restart brought: where an imposed velocity
  /// jumps, the work of its drive.
  const S& impulse_work() const { return impulse_work_; }
  /// ½ Λᵀ (G v + ∂φ/∂t), Λ the impulses of the last restart of a single realisation [J]: less by so
  /// much than with the imposed velocities from the beginning is their work.
  const S& impulse_excess() const { return impulse_excess_; }
  /// When the first of the steps beside a singular position ended, if there were any [s].
  double singular_time() const { return singular_time_; }
  /// As given to restart() [s].
  double step_size() const { return h_; }
  /// Size of the machine [m].
  const S& length_scale() const { return length_scale_; }
  /// The coordinate that moved most in the last failed step of a single realisation.
  std::string worst_row() const;
  /// Whose turns could not be followed in it, if it failed for that: "the angle of joint 'hinge'".
  std::string lost_turn() const;

 private:
  void assemble_positions();
  void restart_consistently();
  void project_velocity();
  void solve_accelerations(std::vector<S>& vdot, std::vector<S>& lambda);
  void settle_friction(std::vector<S>& vdot, std::vector<S>& lambda);
  void estimate_jerk();
  void perturb_velocity();
  void update_kinematics(double time, double inside, const std::vector<S>& q,
                         const std::vector<S>& v);
  void factor_all(double c1, double c2);
  /// In which lanes the answers of user elements matter: Python is asked no more than it has to be.
  void ask_users_for(const Mask<S>& lanes) {
    if constexpr (!knows_all_methods<S>) w_.user.wanted = lane_bits<S>(lanes);
  }
  void predict() { predict_in<false>({}); }
  /// The same once more in one step, whose auxiliary accelerations must not be advanced twice.
  void predict_again() { predict_in<true>(S(0.0) < S(1.0)); }
  template <bool again>
  void predict_in(const Mask<S>& lanes);
  void predict_multistep();
  void imagine_history();
  void require_accelerations();
  double velocity_offset() const;
  /// Largest weighted entries, and a number that is zero unless an increment is not finite.
  struct IncrementSize {
    S change, acceleration, nonfinite;
  };
  IncrementSize apply_increment(const Mask<S>& active);
  S state_change(const Mask<S>& active) const;
  IncrementSize solve_increment(const Mask<S>& active);
  // By compiled programs of lanes; false where there is none that fits.
  StepArrays<S> step_arrays() {
    return {q_next_, v_next_, vdot_next_, lambda_next_, u_, residual_};
  }
  bool predict_by_program();
  bool evaluate_by_program();
  bool factor_by_program(const Mask<S>& lanes, Mask<S>& degraded);
  bool correct_by_program(const Mask<S>& active, IncrementSize& size);
  void catch_up_with_program();
  Mask<S> newton(double time_after);
  Mask<S> converge_turned(double time_after, S& acceleration);
  S resolved_acceleration() const;
  Mask<S> iterate(double time_after, const Mask<S>& lanes, bool turning, S& acceleration);
  bool renew_factor(const Mask<S>& lanes, double time_after, NewtonJudge<S>& judge);
  void solve_turned(std::vector<S>& x);
  /// The ordinary iteration of a single realisation, or, near a singular position, the regularised
  /// one.
  bool converge(double time_after) requires std::is_same_v<S, double>;
  bool cross_singular_position(double time_after) requires std::is_same_v<S, double>;
  bool find_restart_factor() requires std::is_same_v<S, double>;
  bool by_radau() const { return method_ == IntegrationMethod::radau; }
  bool converge_by_radau(double time_after) requires std::is_same_v<S, double>;
  bool land(double time_after) requires std::is_same_v<S, double>;
  bool land_positions(double time_after) requires std::is_same_v<S, double>;
  void land_velocities() requires std::is_same_v<S, double>;
  void land_accelerations() requires std::is_same_v<S, double>;
  void count_factors();
  bool restart_in_singular_position() requires std::is_same_v<S, double>;
  RegularizedKkt& regularized_matrix() requires std::is_same_v<S, double>;
  bool settle_slopes();
  S weighted_norm(const S* x) const;
  void find_worst_row();
  void freeze_unmoved(const Mask<S>& stuck);

  /// What is not below this is no number worth computing with.
  static constexpr double beyond_numbers = 1e300;

  struct Nothing {
    Nothing() = default;
    explicit Nothing(const Plan&) {}
  };
  [[no_unique_address]] std::conditional_t<std::is_same_v<S, double>, Plan, Nothing> plan_;
  const System& system_;
  const std::vector<S>& c_;
  IntegrationMethod method_;
  GeneralizedAlpha alpha_;
  double tolerance_;
  int max_iterations_;
  bool exchanges_power_;  ///< with its surroundings or in dampers: else there is nothing to sum

  Workspace<S> w_;
  [[no_unique_address]] std::conditional_t<knows_all_methods<S>, Nothing, ProgramStep<S>> programs_;
  KktSolver<S> kkt_;
  TurnedNodes<S> turned_;  ///< since kkt_ factored the matrix of a step
  RedundancyWatch<S> watch_;
  RunStatistics statistics_;

  BasicMotionState<S> now_, reported_;
  std::vector<S> a_;  ///< auxiliary accelerations, of one step earlier than now_
  std::vector<S> vdot_before_, lambda_before_;  ///< one step earlier, for extrapolation
  bool has_history_ = false;
  double h_ = 0;
  double c1_ = 0, c2_ = 0;  ///< velocity_factor() and position_factor() of it
  double row_scale_ = 1;    ///< of residuals of constraints, to be those of accelerations
  double inside_ = 0;       ///< a time inside the current step

  PowerIntegral<S> work_, dissipated_;
  S work_rate_{}, dissipation_rate_{};  ///< in the last evaluation of each lane's Newton
  S impulse_work_{};
  long steps_sampled_ = 0;

  std::vector<S> v_start_;  ///< velocities that the first step after restart() starts from
  std::vector<S> u_, q_next_, v_next_, vdot_next_, lambda_next_;
  double time_before_ = 0;                   ///< when the last step began
  std::vector<S> look_q_, look_u_, look_v_;  ///< of look_back(); empty without events
  std::vector<S> residual_, delta_, jerk_, time_rate_, bias_;
  std::vector<S> gradients_;  ///< w_.K at the start of a restart

  // Radau.
  std::conditional_t<std::is_same_v<S, double>, std::optional<RadauStages>, Nothing> radau_;

  // Multistep: one step earlier than now_.
  std::vector<S> v_before_, u_before_;
  double h_before_ = 0;
  // Baumgarte.
  double alpha_rate_ = 0, beta_rate_ = 0;  ///< [1/s]
  S impulse_excess_{};

  /// Where the last step began, beside what the step itself leaves of it.
  struct Waypoint {
    PowerIntegral<S> work, dissipated;
    std::vector<Followed<S>> angle;
    std::vector<FollowedEuler<S>> euler;
    std::vector<BushingTurn<S>> bushing;
    bool bushings_followed = false;
  };
  bool keeps_waypoint_ = false;
  std::conditional_t<std::is_same_v<S, double>, Waypoint, Nothing> waypoint_;

  Mask<S> failed_ = S(1.0) < S(0.0);
  FactorRecord<S> factor_;
  Mask<S> degraded_ = S(1.0) < S(0.0);  ///< lanes in which the last step found no pivots
  S acceleration_size_ = S(0.0);        ///< weighted norm of the accelerations at now_
  S length_scale_ = S(1.0);             ///< size of the machine, for the rounding floor [m]
  int worst_ = 0;

  /// A single realisation near a singular position: the regularised matrix, and for how many more
  /// steps it is used without trying the ordinary one.
  std::conditional_t<std::is_same_v<S, double>, std::optional<RegularizedKkt>, Nothing>
      regularized_;
  int regularized_steps_ = 0;
  double singular_time_ = 0;
  std::vector<S> lambda_determined_;  ///< multipliers when they last were
};

using Integrator = BasicIntegrator<double>;

/// For a state whose alignment() is not above zero.
[[noreturn]] void throw_turned_over(const System& system, const std::vector<double>& constants,
                                    const Workspace<double>& w, double time);
/// Has the system anything but bodies, undamped beams and joints at rest? A structural question.
bool exchanges_power(const System& system);

[[noreturn]] void throw_not_assembled(const System& system, int row, double violation, double time);
[[noreturn]] void throw_jump_in_singular_position(const System& system, int row, double time);

}  // namespace tumble
