// Numeric sparse LU on a fixed schedule: P A Q = L U without pivoting at run time.
//
// S is double or a pack of SIMD lanes. The schedule (elimination.hpp, which also says why this is
// not KLU) fixes every operation and its order: no lane can influence another, nothing branches on
// values, nothing allocates. A matrix is never scaled here: scaling by powers of two would change
// no bit of the factors' mantissas, so it is only needed to choose the pivots.
#pragma once

#include "tumble/math/elimination.hpp"
#include "tumble/math/scalar.hpp"

namespace tumble {

/// What factorize() watches. Pivots cost one comparison each and catch what goes wrong in
/// practice: a pivot lost to cancellation, or a NaN. Multipliers cost one comparison per entry of
/// L, and also catch entries that grew beside a pivot that stayed as it was.
enum class Watch { pivots, multipliers };

/// Right-looking elimination. For each step k, with row i below and column j to the right,
///     l_ik = a_ik / u_kk,   a_ij -= l_ik u_kj.
/// `values` has one S per pattern slot, `factor` has room for factor_size.
/// @returns the mask of lanes whose factor is degraded: finite or not, do not trust it.
template <class S, Watch watch = Watch::pivots>
Mask<S> factorize(const Elimination& schedule, const S* values, S* factor) {
  for (const int position : schedule.fill) factor[position] = S(0.0);
  for (const int position : schedule.load) factor[position] = *values++;

  S health(1.0);  // becomes 0 in a degraded lane; keeps to select(), the only mask operation needed
  const int* target = schedule.target.data();
  const int* start = schedule.step_start.data();
  const int* lower_count = schedule.lower_count.data();
  const double* pivot_limit = schedule.pivot_limit.data();
  for (int k = 0; k < schedule.n; ++k) {
    S* const pivot = factor + start[k];
    S* const lower = pivot + 1;
    S* const upper = lower + lower_count[k];
    const S* const end = factor + start[k + 1];

    // Written so that NaN, for which every comparison is false, counts as degraded.
    health = select(abs(*pivot) >= S(pivot_limit[k]), health, S(0.0));
    const S reciprocal = S(1.0) / *pivot;
    *pivot = reciprocal;

    for (S* l = lower; l != upper; ++l) {
      const S multiplier = *l * reciprocal;
      *l = multiplier;
      if constexpr (watch == Watch::multipliers) {
        const S bound(schedule.multiplier_limit.data()[l - factor]);
        health = select(abs(multiplier) <= bound, health, S(0.0));
      }
      for (const S* u = upper; u != end; ++u) {
        S& entry = factor[*target++];
        entry = entry - multiplier * *u;
      }
    }
  }
  return health < S(0.5);
}

/// Solves A x = rhs with the factor of A. `scratch` has room for n; `x` may be `rhs` itself, but
/// `scratch` may be neither.
template <class S>
void solve(const Elimination& schedule, const S* factor, const S* rhs, S* x, S* scratch) {
  const int* start = schedule.step_start.data();
  const int* lower_count = schedule.lower_count.data();
  const int* step_of = schedule.step_of.data();
  const int* row_of = schedule.row_of.data();
  const int* column_of = schedule.column_of.data();
  const int n = schedule.n;

  const int* row_start = schedule.row_start.data();
  const int* row_position = schedule.row_position.data();
  const int* row_column = schedule.row_column.data();
  for (int k = 0; k < n; ++k) {  // L y = P rhs, along the rows of L
    S y = rhs[row_of[k]];
    for (int p = row_start[k]; p < row_start[k + 1]; ++p)
      y = y - factor[row_position[p]] * scratch[row_column[p]];
    scratch[k] = y;
  }

  for (int k = n - 1; k >= 0; --k) {  // U (Qᵀ x) = y, along the rows of U
    const int upper_begin = start[k] + 1 + lower_count[k];
    S y = scratch[k];
    for (int p = upper_begin; p < start[k + 1]; ++p) y = y - factor[p] * scratch[step_of[p]];
    y = y * factor[start[k]];
    scratch[k] = y;
    x[column_of[k]] = y;
  }
}

}  // namespace tumble
