// Follows, along a run, the vectors n with Gᵀ n = 0 that redundant conditions have, for one
// realisation or one per lane.
//
// They turn with the mechanism. Inverse iteration keeps up with them: with the factor of
//   [ M   Gᵀ  ] [ x ]   [    0    ]
//   [ G  -ε D ] [ p ] = [ -ε D n  ]        p = ε (G M⁻¹ Gᵀ + ε D)⁻¹ D n
// leaves the part of n for which Gᵀ n = 0 as it is and makes any other smaller by ε / (σ² + ε),
// σ the size of Gᵀ n in the metric of the masses. Where conditions contradict each other there are
// fewer such vectors than the plan counts: one is found for which σ is no rounding, and if nothing
// were said, the mechanism would stand still.
#pragma once
#include <optional>

#include "tumble/integrate/step/kkt_solver.hpp"
#include "tumble/integrate/watch/redundancy.hpp"

namespace tumble {

template <class S>
class RedundancyWatch {
 public:
  /// What the plan points at is kept by reference.
  explicit RedundancyWatch(const Plan& plan) : redundancy_(plan.redundancy.get()) {
    if (redundancy_ == nullptr) return;
    system_ = plan.system.get();
    solver_.emplace(plan);
    const auto nc = static_cast<std::size_t>(system_->nc);
    null_space_.resize(redundancy_->null_space.size());
    least_norm_.resize(nc);
    vector_.resize(static_cast<std::size_t>(system_->nv) + nc);
    force_.resize(static_cast<std::size_t>(system_->nv));
    for (int i = 0; i < system_->nv; ++i) mass_slot_.push_back(system_->pattern.slot(i, i));
    start();
  }
  bool needed() const { return redundancy_ != nullptr; }

  /// Begins a new run.
  void start() {
    for (std::size_t i = 0; i < null_space_.size(); ++i)
      null_space_[i] = S(redundancy_->null_space[i]);
    rounds_ = 8;
  }

  /// At the workspace's kinematics. Returns the lanes in which conditions contradict each other, or
  /// whose factor is degraded.
  Mask<S> update(const S* c, Workspace<S>& w, double time, const S* vdot, const S* lambda) {
    tangent(*system_, c, vdot, lambda, w);
    Mask<S> failed = solver_->factor(w, 0, 0, nullptr, time, S(0.0) < S(1.0));
    for (; rounds_ > 0; --rounds_) iterate();
    rounds_ = 2;
    const std::size_t nc = least_norm_.size();
    for (std::size_t i = 0; i < nc; ++i) least_norm_[i] = lambda[i];
    for (int j = 0; j < redundancy_->count; ++j) {
      const S* n = vector(j);
      failed = failed | !(relative_size(n, w) <= S(largest_size));
      // Rounding of large multipliers leaves something at first.
      for (int repeat = 0; repeat < 2; ++repeat) remove(n, least_norm_.data());
    }
    return failed;
  }

  /// The multipliers given to update() less their share of the vectors n: forces in N and moments
  /// in N m have the least sum of squares.
  const std::vector<S>& least_norm() const { return least_norm_; }

 private:
  /// Of σ². Beyond it the conditions hold up the motion: σ²/ε is the mass that they add to it.
  static constexpr double largest_size = 1e-4 * condition_softness;

  S* vector(int j) { return null_space_.data() + static_cast<std::size_t>(j) * least_norm_.size(); }

  /// One inverse iteration of all vectors, made orthonormal again.
  void iterate() {
    const std::size_t nc = least_norm_.size(), nv = force_.size();
    for (int j = 0; j < redundancy_->count; ++j) {
      S* n = vector(j);
      for (std::size_t i = 0; i < nv; ++i) vector_[i] = S(0.0);
      for (std::size_t i = 0; i < nc; ++i) vector_[nv + i] = S(-redundancy_->compliance[i]) * n[i];
      solver_->solve(vector_.data(), vector_.data());
      for (std::size_t i = 0; i < nc; ++i) n[i] = vector_[nv + i];
      for (int repeat = 0; repeat < 2; ++repeat)
        for (int before = 0; before < j; ++before) remove(vector(before), n);
      S square(0.0);
      for (std::size_t i = 0; i < nc; ++i) square = fma(n[i], n[i], square);
      const S scale = S(1.0) / sqrt(max(square, S(1e-200)));
      for (std::size_t i = 0; i < nc; ++i) n[i] = scale * n[i];
    }
  }

  /// x less its component along the unit vector n.
  void remove(const S* n, S* x) const {
    S product(0.0);
    for (std::size_t i = 0; i < least_norm_.size(); ++i) product = fma(n[i], x[i], product);
    for (std::size_t i = 0; i < least_norm_.size(); ++i) x[i] = fnma(product, n[i], x[i]);
  }

  /// σ² = nᵀ G M⁻¹ Gᵀ n / nᵀ D n, with the diagonal of M.
  S relative_size(const S* n, const Workspace<S>& w) {
    const auto& p = system_->pattern;
    for (S& f : force_) f = S(0.0);
    S soft(0.0), size(0.0);
    for (int row = 0; row < system_->nc; ++row) {
      const auto r = static_cast<std::size_t>(system_->nv + row);
      for (int s = p.row_start[r]; s < p.row_start[r + 1]; ++s) {
        const auto slot = static_cast<std::size_t>(s);
        S& f = force_[static_cast<std::size_t>(p.column[slot])];
        f = fma(w.K[slot], n[row], f);
      }
      soft = fma(S(redundancy_->compliance[static_cast<std::size_t>(row)]), n[row] * n[row], soft);
    }
    for (std::size_t i = 0; i < force_.size(); ++i)
      size =
          size + force_[i] * force_[i] /
                     (w.M[static_cast<std::size_t>(mass_slot_[i])] + S(redundancy_->stand_ins[i]));
    return S(condition_softness) * size / soft;
  }

  const Redundancy* redundancy_;
  const System* system_ = nullptr;
  std::optional<KktSolver<S>> solver_;
  std::vector<S> null_space_;  ///< the vectors n, one after the other
  std::vector<S> least_norm_, vector_, force_;
  std::vector<int> mass_slot_;  ///< of the diagonal of M
  int rounds_ = 0;              ///< inverse iterations that the next update makes
};

}  // namespace tumble
