// The linear systems of the integrator:
//   A(c1, c2) = [ M + c1 C + c2 K T,  Gᵀ ]
//               [ G T,                0  ]
// c1 = c2 = 0 gives consistent accelerations and velocities; the step's factors give Newton's
// matrix with accelerations and multipliers as unknowns, which is why one scaling serves any step
// size. The elimination order is found once per model and shared; if a pivot of it fades on the
// way, this solver finds an order of its own from the current matrix.
#pragma once
#include <memory>

#include "tumble/dynamics/equations.hpp"
#include "tumble/math/static_lu.hpp"

namespace tumble {

class KktSolver {
 public:
  KktSolver(const System& system, std::shared_ptr<const Elimination> elimination);

  /// Assembles A from the workspace's K, C, M and factors it. `u` (nv, may be null) is the
  /// increment whose tangent T turns the rotation columns.
  /// @throws SimulationError naming the elements left without a pivot.
  void factor(Workspace<double>& w, double c1, double c2, const double* u, double time);

  /// Solves with the last factor; rhs and x may be the same.
  void solve(const double* rhs, double* x);

  long factorizations() const { return factorizations_; }
  long pivot_searches() const { return pivot_searches_; }

 private:
  void search_pivots(double time);

  const System& system_;
  std::shared_ptr<const Elimination> elimination_;
  std::vector<double> matrix_, factor_, scratch_;
  long factorizations_ = 0, pivot_searches_ = 0;
};

/// Assembles A(c1, c2) over the pattern's slots.
void assemble_kkt(const System& system, Workspace<double>& w, double c1, double c2, const double* u,
                  std::vector<double>& matrix);

/// A sentence that names the elements of the rows an analysis found no pivot for.
std::string describe_singularity(const System& system, const EliminationFailure& failure);

}  // namespace tumble
