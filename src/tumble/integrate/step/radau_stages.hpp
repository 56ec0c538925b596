// The stages of a step of the Radau IIA method, for a single realisation
// (docs/theory/radau.md).
//
// With u the increment of position since the beginning of the step, rotations in body axes
// (u̇ = T(u)⁻¹ v), collocation at the instants t_i = t_n + c_i h asks for
//   V_i = v_n + h Σ a_ij V̇_j,   U_i = h Σ a_ij T(U_j)⁻¹ V_j,
//   r(q_n ∘ exp(U_i), V_i, V̇_i, Λ_i, t_i) = 0,   G V_i + ∂φ/∂t = 0:
// the system of index two, in which joints are velocities. Unknowns are V̇_i and Λ_i. Newton's
// equations, with one tangent for all stages, fall apart by the eigenvalues ℓ of A into
//   [ M + hℓ C + (hℓ)² K   Gᵀ ] [ x ]   [ s·r        ]
//   [ G                    0  ] [ y ] = [ s·g / (hℓ) ],    g = G V + ∂φ/∂t,
// one of which is real, and of the two others, which are conjugate, one is solved.
#pragma once
#include "tumble/integrate/step/anderson_mixing.hpp"
#include "tumble/integrate/step/complex_kkt.hpp"
#include "tumble/integrate/step/kkt_solver.hpp"
#include "tumble/integrate/step/radau.hpp"
#include "tumble/integrate/trajectory.hpp"

namespace tumble {

struct RadauStage {
  std::vector<double> vdot, lambda;  ///< what is sought
  std::vector<double> v, u, q;       ///< what follows
  double work_rate = 0, dissipation_rate = 0;
};

/// Where a step begins.
struct StepBegin {
  double time = 0, inside = 0;  ///< `inside`: a time inside the step
  double h = 0;
  const std::vector<double>&q, &v, &vdot, &lambda;
  double length_scale = 1;  ///< size of the machine [m]
};

class RadauStages {
 public:
  /// Constants and what the plan points at are kept by reference.
  RadauStages(const Plan& plan, const std::vector<double>& constants);

  /// The next step starts from its beginning alone: something has jumped.
  void forget();
  /// False if the iteration does not converge.
  bool solve(const StepBegin& begin, Workspace<double>& w, RunStatistics& statistics);
  /// After a step that is kept, the stages say where the next one is looked for.
  void accept(double h) { h_before_ = h; }
  bool has_history() const { return h_before_ > 0; }

  /// The last stage: the end of the step.
  const RadauStage& end() const { return stage_.back(); }
  /// Work [J] of drives, loads and user elements in the step, and heat in dampers.
  double work() const { return integral(&RadauStage::work_rate); }
  double dissipated() const { return integral(&RadauStage::dissipation_rate); }
  /// How wrong they may be: by how much the rule with the first and the last stage alone differs.
  double work_doubt() const { return doubt(&RadauStage::work_rate); }
  double dissipated_doubt() const { return doubt(&RadauStage::dissipation_rate); }
  /// The velocity that changed most in the last iteration.
  int worst() const { return worst_; }
  long factorizations() const { return real_.factorizations() + complex_.factorizations(); }
  long pivot_searches() const { return real_.pivot_searches() + complex_.pivot_searches(); }

 private:
  struct Change {
    double size = 0;          ///< largest increment of an acceleration, weighted [m/s²]
    double acceleration = 0;  ///< largest acceleration
  };
  void predict(const StepBegin& begin);
  /// Velocities from accelerations, positions from velocities. The largest change of an angle in
  /// the last sweep, weighted [m]; infinity if something turns too far in a step.
  double integrate(const StepBegin& begin);
  void evaluate(const StepBegin& begin, Workspace<double>& w);
  void evaluate_stage(std::size_t i, const StepBegin& begin, Workspace<double>& w);
  void at_stage(std::size_t i, const StepBegin& begin, Workspace<double>& w);
  bool factor(const StepBegin& begin, Workspace<double>& w);
  void find_increments(double h);
  Change apply_increments();
  double state_change(double h) const;
  double rounding_of_accelerations(const StepBegin& begin, double acceleration) const;
  double integral(double RadauStage::*rate) const;
  double doubt(double RadauStage::*rate) const;

  const System& system_;
  const std::vector<double>& c_;
  const double tolerance_;
  const int max_iterations_;
  const Radau radau_;
  KktSolver<double> real_;
  ComplexKkt complex_;
  AndersonMixing mixing_;
  Radau::Three<RadauStage> stage_;
  std::vector<double> residual_;  ///< r and g, stage by stage; then the increments
  std::vector<double> real_part_, bias_;
  std::vector<ComplexNumber> complex_part_;
  double h_ = 0;         ///< of the stages
  double h_before_ = 0;  ///< of the stages that are there to extrapolate from; 0: none
  double factored_for_ = 0;
  int iterations_ = 0, fresh_ = 0;  ///< in the last step, and in the first one with this factor
  bool wants_factor_ = true;
  int worst_ = 0;
};

}  // namespace tumble
