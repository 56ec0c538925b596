// Numeric sparse LU on a fixed schedule: P A Q = L D U without pivoting at run time.
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
///     l_ik = a_ik / d_k,   a_ij -= l_ik a_kj,   u_kj = a_kj / d_k.
/// `values` has one S per pattern slot, `factor` has room for factor_size.
/// @returns the mask of lanes whose factor is degraded: finite or not, do not trust it.
template <class S, Watch watch = Watch::pivots>
Mask<S> factorize(const Elimination& schedule, const S* values, S* factor) {
  for (const int position : schedule.fill) factor[position] = S(0.0);
  for (const int position : schedule.padding) factor[position] = S(0.0);
  for (const int position : schedule.load) factor[position] = *values++;

  S health(1.0);  // becomes 0 in a degraded lane; keeps to select(), the only mask operation needed
  const int* target = schedule.target.data();
  const int* lower = schedule.lower_position.data();
  const int* upper = schedule.upper_position.data();
  const int* lower_start = schedule.lower_start.data();
  const int* upper_start = schedule.upper_start.data();
  for (int k = 0; k < schedule.n; ++k) {
    S& pivot = factor[schedule.pivot_position.data()[k]];
    const int upper_begin = upper_start[k], upper_end = upper_start[k + 1];

    // Written so that NaN, for which every comparison is false, counts as degraded.
    health = select(abs(pivot) >= S(schedule.pivot_limit.data()[k]), health, S(0.0));
    const S reciprocal = S(1.0) / pivot;
    pivot = reciprocal;

    for (int i = lower_start[k]; i < lower_start[k + 1]; ++i) {
      const S multiplier = factor[lower[i]] * reciprocal;
      factor[lower[i]] = multiplier;
      if constexpr (watch == Watch::multipliers) {
        const S bound(schedule.multiplier_limit.data()[i]);
        health = select(abs(multiplier) <= bound, health, S(0.0));
      }
      for (int j = upper_begin; j < upper_end; ++j) {
        S& entry = factor[*target++];
        entry = fnma(multiplier, factor[upper[j]], entry);
      }
    }
    for (int j = upper_begin; j < upper_end; ++j) factor[upper[j]] = factor[upper[j]] * reciprocal;
  }
  return health < S(0.5);
}

/// Completes the sums of `rows` rows of a triangular solve: from each, its factor entries times the
/// `known` results of the shared columns are taken away, then the results of the rows before it.
/// Columns alternate between two sums, because a multiply-add waits for the one before it. The
/// order is the same for every S. Returns the end of the factor entries read.
template <int rows, class S>
TUMBLE_INLINE const S* substitute(const S* factor, const int* column, int columns, const S* known,
                                  S (&sum)[rows]) {
  const int* const end = column + columns;
  S other[rows];
  for (S& s : other) s = S(0.0);
  for (; end - column >= 2; column += 2) {
    const S first = known[column[0]], second = known[column[1]];
    for (int r = 0; r < rows; ++r) sum[r] = fnma(factor[r], first, sum[r]);
    for (int r = 0; r < rows; ++r) other[r] = fnma(factor[rows + r], second, other[r]);
    factor += 2 * rows;
  }
  if (column != end) {
    const S last = known[*column];
    for (int r = 0; r < rows; ++r) sum[r] = fnma(factor[r], last, sum[r]);
    factor += rows;
  }
  for (int r = 0; r < rows; ++r) sum[r] = sum[r] + other[r];
  // Written out: an index that runs would keep the sums in memory.
  static_assert(rows <= 3);
  if constexpr (rows > 1) sum[1] = fnma(factor[0], sum[0], sum[1]);
  if constexpr (rows > 2) sum[2] = fnma(factor[1], sum[0], sum[2]);
  if constexpr (rows > 2) sum[2] = fnma(factor[2], sum[1], sum[2]);
  return factor + rows * (rows - 1) / 2;
}

/// One group of L y = P rhs.
template <int rows, class S>
TUMBLE_INLINE const S* solve_forward(const RowGroup& group, const int* column, const S* factor,
                                     const int* row_of, const S* rhs, S* y) {
  S sum[rows];
  for (int r = 0; r < rows; ++r) sum[r] = rhs[row_of[group.first + r]];
  factor = substitute(factor, column, group.columns, y, sum);
  for (int r = 0; r < rows; ++r) y[group.first + r] = sum[r];
  return factor;
}

/// One group of U (Qᵀ x) = D⁻¹ y; `y` becomes Qᵀ x.
template <int rows, class S>
TUMBLE_INLINE const S* solve_backward(const RowGroup& group, const int* column, const S* factor,
                                      const int* column_of, S* y, S* x) {
  S sum[rows];
  for (int r = 0; r < rows; ++r) sum[r] = y[group.first - r] * *factor++;
  factor = substitute(factor, column, group.columns, y, sum);
  for (int r = 0; r < rows; ++r) {
    y[group.first - r] = sum[r];
    x[column_of[group.first - r]] = sum[r];
  }
  return factor;
}

/// Solves A x = rhs with the factor of A. `scratch` has room for n; `x` may be `rhs` itself, but
/// `scratch` may be neither.
template <class S>
void solve(const Elimination& schedule, const S* factor, const S* rhs, S* x, S* scratch) {
  static_assert(largest_row_group == 3);
  const int* row_of = schedule.row_of.data();
  const int* column = schedule.forward.column.data();
  for (const RowGroup& group : schedule.forward.groups) {
    if (group.rows == 1)
      factor = solve_forward<1>(group, column, factor, row_of, rhs, scratch);
    else if (group.rows == 2)
      factor = solve_forward<2>(group, column, factor, row_of, rhs, scratch);
    else
      factor = solve_forward<3>(group, column, factor, row_of, rhs, scratch);
    column += group.columns;
  }
  const int* column_of = schedule.column_of.data();
  column = schedule.backward.column.data();
  for (const RowGroup& group : schedule.backward.groups) {
    if (group.rows == 1)
      factor = solve_backward<1>(group, column, factor, column_of, scratch, x);
    else if (group.rows == 2)
      factor = solve_backward<2>(group, column, factor, column_of, scratch, x);
    else
      factor = solve_backward<3>(group, column, factor, column_of, scratch, x);
    column += group.columns;
  }
}

}  // namespace tumble
