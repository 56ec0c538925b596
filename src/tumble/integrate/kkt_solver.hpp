// The linear systems of the integrator:
//   A(c1, c2) = [ M + c1 C + c2 K T,  Gᵀ ]
//               [ G T,                0  ]
// c1 = c2 = 0 gives consistent accelerations and velocities; the step's factors give Newton's
// matrix with accelerations and multipliers as unknowns, which is why one scaling serves any step
// size. The elimination order is found once per model and shared. If a pivot of it fades on the
// way, a single realisation finds an order of its own from the current matrix; a lane of a batch
// is reported as degraded and left to the scalar engine.
#pragma once
#include <memory>
#include <type_traits>

#include "tumble/dynamics/equations.hpp"
#include "tumble/math/static_lu.hpp"

namespace tumble {

/// Assembles A(c1, c2) over the pattern's slots. `u` (nv, may be null) is the increment whose
/// tangent T turns the rotation columns; it changes K in place.
template <class S>
void assemble_kkt(const System& system, Workspace<S>& w, double c1, double c2, const S* u,
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
    matrix[i] = w.M[i] + S(c1) * w.C[i] + S(c2) * w.K[i];
  }
  for (const int s : system.constraint_slots) {
    const auto i = static_cast<std::size_t>(s);
    matrix[i] = w.K[i];
  }
}

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
  /// Both are kept by reference.
  KktSolver(const System& system, const Elimination& elimination)
      : system_(system),
        elimination_(&elimination),
        matrix_(static_cast<std::size_t>(system.pattern.nonzeros())),
        factor_(static_cast<std::size_t>(elimination_->factor_size)),
        fresh_(std::is_same_v<S, double> ? 0 : factor_.size()),
        aside_(factor_.size()),
        scratch_(static_cast<std::size_t>(system.pattern.n)) {}

  /// Factors A(c1, c2), made from the workspace's K, C, M, in the lanes of `wanted`; the others
  /// keep the factor they have. Returns the lanes whose new factor is degraded: none for a single
  /// realisation, which searches new pivots instead.
  /// @throws SimulationError (single realisation only) on a singular matrix.
  Mask<S> factor(Workspace<S>& w, double c1, double c2, const S* u, double time, Mask<S> wanted) {
    assemble_kkt(system_, w, c1, c2, u, matrix_.data());
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

  /// Solves with the last factor; rhs and x may be the same.
  void solve(const S* rhs, S* x) {
    tumble::solve(*elimination_, factor_.data(), rhs, x, scratch_.data());
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

  /// What was factored last.
  const std::vector<S>& matrix() const { return matrix_; }

  void forget_counts() { factorizations_ = pivot_searches_ = 0; }
  long factorizations() const { return factorizations_; }
  long pivot_searches() const { return pivot_searches_; }

 private:
  struct Nothing {};
  const System& system_;
  const Elimination* elimination_;
  /// An order found on the way; only a single realisation has one, and shares it with its copies.
  std::conditional_t<std::is_same_v<S, double>, std::shared_ptr<const Elimination>, Nothing> own_;
  std::vector<S> matrix_, factor_, fresh_, aside_, scratch_;
  long factorizations_ = 0, pivot_searches_ = 0, searches_before_aside_ = 0;
};

extern template class KktSolver<double>;

}  // namespace tumble
