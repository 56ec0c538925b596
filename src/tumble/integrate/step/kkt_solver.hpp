// The linear systems of the integrator:
//   A(c1, c2) = [ M + c1 C + c2 K T,  Gᵀ ]
//               [ G T,                0  ]
// c1 = c2 = 0 gives consistent accelerations and velocities; the step's factors give Newton's
// matrix with accelerations and multipliers as unknowns, which is why one scaling serves any step
// size. If conditions are redundant, the zero is -ε D instead (redundancy.hpp): such a matrix is
// not singular. The elimination order is found once per model and shared. If a pivot of it fades on
// the way, a single realisation finds an order of its own from the current matrix; a lane of a
// batch is reported as degraded and left to the scalar engine.
#pragma once
#include <memory>
#include <span>
#include <type_traits>

#include "tumble/dynamics/equations.hpp"
#include "tumble/integrate/plan.hpp"
#include "tumble/math/static_lu.hpp"

namespace tumble {

/// Assembles A(c1, c2) over the pattern's slots. `u` (nv, may be null) is the increment whose
/// tangent T turns the rotation columns; it changes K in place. The factors are doubles, or of type
/// S where they are recorded; zero only as doubles.
template <class S, class Factor>
void assemble_kkt(const System& system, Workspace<S>& w, Factor c1, Factor c2, const S* u,
                  S* matrix) {
  if (u != nullptr) {
    for (const auto& body : system.bodies) {
      if (body.rotation_columns.empty()) continue;
      const int v = system.blocks[static_cast<std::size_t>(body.block)].v;
      const Mat3<S> T = right_tangent(load3(u + v + 3));
      for (const int slot : body.rotation_columns) {
        S* k = &w.K[static_cast<std::size_t>(slot)];
        store3(k, transpose_times(T, load3(k)));
      }
    }
  }
  for (const int s : system.dynamic_slots) {
    const auto i = static_cast<std::size_t>(s);
    const S dissipative = w.fills_C ? w.M[i] + S(c1) * w.C[i] : w.M[i];
    matrix[i] = dissipative + S(c2) * w.K[i];
  }
  for (const int s : system.constraint_slots) {
    const auto i = static_cast<std::size_t>(s);
    matrix[i] = w.K[i];
  }
  // Friction by reactions; of consistent velocities and accelerations, A(0, 0), it is no part.
  if constexpr (std::is_same_v<Factor, double>) {
    if (c2 == 0) return;
  }
  for (const int s : system.friction_slots) {
    const auto i = static_cast<std::size_t>(s);
    matrix[i] = matrix[i] + w.C[i];
  }
}

/// An order of elimination for matrices that hold one value per slot of the system's pattern and,
/// if conditions are soft, those on the diagonal of the constraints' rows after them.
std::variant<Elimination, EliminationFailure> analyze_kkt(
    const System& system, std::span<const std::vector<double>> samples);

/// @throws SimulationError naming the equation in which an entry is no finite number.
void require_finite(const System& system, const std::vector<double>& matrix, double time);

/// A new order for the current matrix of a single realisation.
/// @throws SimulationError naming the elements left without a pivot.
std::unique_ptr<const Elimination> search_pivots(const System& system,
                                                 const std::vector<double>& matrix, double time);

/// A sentence that names the elements of the rows an analysis found no pivot for.
std::string describe_singularity(const System& system, const EliminationFailure& failure);

/// Names the equation that was eliminated last, where what is lost in all pivots gathers.
[[noreturn]] void throw_unfactorable(const System& system, const Elimination& elimination,
                                     double time);

template <class S>
class KktSolver {
 public:
  /// What the plan points at is kept by reference.
  explicit KktSolver(const Plan& plan)
      : system_(*plan.system),
        elimination_(plan.elimination.get()),
        compliance_(plan.compliance()),
        matrix_(static_cast<std::size_t>(system_.pattern.nonzeros() +
                                         (compliance_ != nullptr ? system_.nc : 0))),
        factor_(static_cast<std::size_t>(elimination_->factor_size)),
        fresh_(std::is_same_v<S, double> ? 0 : factor_.size()),
        aside_(factor_.size()),
        scratch_(static_cast<std::size_t>(system_.pattern.n)),
        rest_(compliance_ != nullptr ? scratch_.size() : 0) {}

  /// Factors A(c1, c2), made from the workspace's K, C, M, in the lanes of `wanted`; the others
  /// keep the factor they have. Returns the lanes whose new factor is degraded: none for a single
  /// realisation, which searches new pivots instead.
  /// @throws SimulationError (single realisation only) on a singular matrix.
  Mask<S> factor(Workspace<S>& w, double c1, double c2, const S* u, double time, Mask<S> wanted) {
    assemble_kkt(system_, w, c1, c2, u, matrix_.data());
    if (compliance_ != nullptr) soften(S(1.0));
    return factor_matrix(time, wanted);
  }

  /// As factor(), by a function that writes the factor and, as 1 or 0, which lanes are degraded.
  /// False if it does not know how to; there is no factor then.
  template <class Make>
  bool factor_by(Make&& make, const Mask<S>& wanted, Mask<S>& degraded) {
    const bool whole = all(wanted);
    S bad;
    if (!make(whole ? factor_.data() : fresh_.data(), &bad)) return false;
    ++factorizations_;
    degraded = bad > S(0.5);
    if (whole) return true;
    degraded = degraded & wanted;
    for (std::size_t i = 0; i < factor_.size(); ++i)
      factor_[i] = select(wanted, fresh_[i], factor_[i]);
    return true;
  }
  const S* last_factor() const { return factor_.data(); }

  /// A(0, 0) with conditions `softness` times as soft as otherwise; without effect if they are
  /// hard.
  Mask<S> factor_softened(Workspace<S>& w, const S& softness, double time, Mask<S> wanted) {
    assemble_kkt(system_, w, 0.0, 0.0, static_cast<const S*>(nullptr), matrix_.data());
    if (compliance_ != nullptr) soften(softness);
    return factor_matrix(time, wanted);
  }

  /// Makes the matrix without factoring it.
  void assemble(Workspace<S>& w, double c1, double c2, const S* u) {
    assemble_kkt(system_, w, c1, c2, u, matrix_.data());
  }

  /// Solves with the last factor; rhs and x may be the same.
  void solve(const S* rhs, S* x) {
    tumble::solve(*elimination_, factor_.data(), rhs, x, scratch_.data());
  }

  /// Solves as if conditions were hard, for right-hand sides that redundant ones agree on: what
  /// they gave way, ε D λ, is taken back by solving for it again (iterated Tikhonov). Each time
  /// divides it by 1/ε.
  void solve_hard(const S* rhs, S* x) {
    solve(rhs, x);
    if (compliance_ == nullptr) return;
    const auto nv = static_cast<std::size_t>(system_.nv);
    for (std::size_t i = nv; i < rest_.size(); ++i) rest_[i] = x[i];
    for (int repeat = 0; repeat < 2; ++repeat) {
      for (std::size_t i = 0; i < nv; ++i) rest_[i] = S(0.0);
      for (std::size_t i = nv; i < rest_.size(); ++i)
        rest_[i] = S(-(*compliance_)[i - nv]) * rest_[i];
      solve(rest_.data(), rest_.data());
      for (std::size_t i = 0; i < rest_.size(); ++i) x[i] = x[i] + rest_[i];
    }
  }

  /// Keeps the current factor for later, which saves making it again.
  void put_aside() {
    aside_ = factor_;
    searches_before_aside_ = pivot_searches_;
  }
  /// False if the order changed since: then the factor is of no use any more.
  bool take_back() {
    if (searches_before_aside_ != pivot_searches_) return false;
    factor_.swap(aside_);
    return true;
  }

  /// ε D of the conditions, or null if they are hard.
  const std::vector<double>* compliance() const { return compliance_; }
  /// What was factored last.
  const std::vector<S>& matrix() const { return matrix_; }

  void forget_counts() { factorizations_ = pivot_searches_ = 0; }
  long factorizations() const { return factorizations_; }
  long pivot_searches() const { return pivot_searches_; }

 private:
  void soften(const S& softness) {
    const auto first = static_cast<std::size_t>(system_.pattern.nonzeros());
    for (std::size_t i = 0; i < compliance_->size(); ++i)
      matrix_[first + i] = S(-(*compliance_)[i]) * softness;
  }

  Mask<S> factor_matrix(double time, Mask<S> wanted) {
    ++factorizations_;
    if constexpr (std::is_same_v<S, double>) {
      Mask<S> degraded = factorize(*elimination_, matrix_.data(), factor_.data());
      if (!degraded) return degraded;
      own_ = search_pivots(system_, matrix_, time);
      elimination_ = own_.get();
      ++pivot_searches_;
      factor_.resize(static_cast<std::size_t>(elimination_->factor_size));
      if (factorize(*elimination_, matrix_.data(), factor_.data()))
        throw_unfactorable(system_, *elimination_, time);
      return false;
    } else {
      if (all(wanted)) return factorize(*elimination_, matrix_.data(), factor_.data());
      const Mask<S> degraded = factorize(*elimination_, matrix_.data(), fresh_.data()) & wanted;
      for (std::size_t i = 0; i < factor_.size(); ++i)
        factor_[i] = select(wanted, fresh_[i], factor_[i]);
      return degraded;
    }
  }

  struct Nothing {};
  const System& system_;
  const Elimination* elimination_;
  const std::vector<double>* compliance_;
  /// An order found on the way; only a single realisation has one, and shares it with its copies.
  std::conditional_t<std::is_same_v<S, double>, std::shared_ptr<const Elimination>, Nothing> own_;
  std::vector<S> matrix_, factor_, fresh_, aside_, scratch_, rest_;
  long factorizations_ = 0, pivot_searches_ = 0, searches_before_aside_ = 0;
};

extern template class KktSolver<double>;

}  // namespace tumble
