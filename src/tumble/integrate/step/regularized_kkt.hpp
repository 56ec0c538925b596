// Newton's matrix with soft constraints, for positions where the constraints lose their rank.
//
// Where all bars of a parallelogram align, some combination of the constraints does not depend on
// the positions to first order: G loses a rank ε → 0, the multipliers of that combination are not
// determined, and beside the position itself rounding of the positions is amplified by 1/ε in the
// accelerations and by 1/ε² in the multipliers. Newton's iteration then cannot come to rest, and a
// smaller step only lands nearer. Solved instead is
//
//     [ M + c₁ C + c₂ K T   Gᵀ   ] [ δv̇ ]     [   r   ]
//     [ G T                 -δ D ] [ δλ ] = - [ φ/c₂  ],      D = diag(G diag(A)⁻¹ Gᵀ),
//
// which changes the iteration, not its solution: r = 0 and φ = 0 remain the equations. Combinations
// whose Gᵀ is well above √δ converge as before, at the rate δ; one that has lost its rank keeps the
// multiplier it is started with, which along a smooth motion is that of the step before.
#pragma once
#include <memory>
#include <vector>

#include "tumble/math/elimination.hpp"
#include "tumble/model/system.hpp"

namespace tumble {

class RegularizedKkt {
 public:
  /// @param redundant how many combinations of the constraints vanish wherever they hold
  explicit RegularizedKkt(const System& system, int redundant = 0);

  /// Factors A(c1, c2), given over the slots of the system's pattern, with masses M over the same
  /// slots. False if no pivots are found: then something else is singular.
  bool factor(const std::vector<double>& matrix, const std::vector<double>& masses);

  /// Solves with the last factor; rhs and x may be the same.
  void solve(const double* rhs, double* x);

  /// The smallest eigenvalue μ of  G A⁻¹ Gᵀ λ = μ D λ  beside those of redundant constraints, as
  /// far as a few inverse iterations find it: about 1 for independent constraints, ε² near a
  /// singular position.
  double smallest_eigenvalue();

 private:
  static constexpr double softness = 1e-6;  ///< δ
  double* guess(int j) { return guess_.data() + static_cast<std::size_t>(j * system_.nc); }

  const System& system_;
  int redundant_;
  SparsePattern pattern_;  ///< the system's with a diagonal under the constraints
  std::vector<int> slot_,
      diagonal_;                ///< of the system's slots, and of the constraints, in pattern_
  std::vector<int> mass_slot_;  ///< velocity -> its own mass among the system's slots
  std::vector<double> values_, factor_, scratch_, scale_, guess_, image_;
  std::shared_ptr<const Elimination> elimination_;
};

}  // namespace tumble
