// Numeric sparse LU on a fixed schedule: P A Q = L D U without pivoting at run time.
//
// S is double or a pack of SIMD lanes. The schedule (elimination.hpp, which also says why this is
// not KLU) fixes every operation and its order: no lane can influence another, nothing branches on
// values, nothing allocates. A matrix is never scaled here: scaling by powers of two would change
// no bit of the factors' mantissas, so it is only needed to choose the pivots.
#pragma once

#include <algorithm>

#include "tumble/math/elimination.hpp"
#include "tumble/math/scalar.hpp"

namespace tumble {

/// What factorize() watches. Pivots cost one comparison each and catch what goes wrong in
/// practice: a pivot lost to cancellation, or a NaN. Multipliers cost one comparison per entry of
/// L, and also catch entries that grew beside a pivot that stayed as it was.
enum class Watch { pivots, multipliers };

/// Eliminates the pivots of a panel. `at` are its positions; returns their end.
template <int steps, Watch watch, class S>
TUMBLE_INLINE const int* eliminate_panel(const Elimination& schedule, const Panel& panel,
                                         const int* at, S* factor, S& health) {
  const auto watch_multiplier = [&](const S& multiplier, int position) {
    if constexpr (watch == Watch::multipliers)
      health =
          select(abs(multiplier) <= S(schedule.multiplier_limit.data()[position]), health, S(0.0));
  };
  // The block of pivots: multipliers below the diagonal, entries not yet divided above.
  S block[steps][steps], reciprocal[steps];
  for (int r = 0; r < steps; ++r)
    for (int t = 0; t < steps; ++t) block[r][t] = factor[at[r * steps + t]];
  for (int t = 0; t < steps; ++t) {
    // Written so that NaN, for which every comparison is false, counts as degraded.
    const S limit(schedule.pivot_limit.data()[panel.first + t]);
    health = select(abs(block[t][t]) >= limit, health, S(0.0));
    reciprocal[t] = S(1.0) / block[t][t];
    factor[at[t * steps + t]] = reciprocal[t];
    for (int r = t + 1; r < steps; ++r) {
      block[r][t] = block[r][t] * reciprocal[t];
      factor[at[r * steps + t]] = block[r][t];
      watch_multiplier(block[r][t], at[r * steps + t]);
      for (int u = t + 1; u < steps; ++u) block[r][u] = fnma(block[r][t], block[t][u], block[r][u]);
    }
    for (int u = t + 1; u < steps; ++u) factor[at[t * steps + u]] = block[t][u] * reciprocal[t];
  }
  const int* right = at + steps * steps;
  const int* const below = right + panel.columns * steps;
  const int* const target = below + panel.rows * steps;
  for (const int* row = below; row != target; row += steps) {
    S multiplier[steps];
    for (int t = 0; t < steps; ++t) {
      S entry = factor[row[t]];
      for (int r = 0; r < t; ++r) entry = fnma(multiplier[r], block[r][t], entry);
      multiplier[t] = entry * reciprocal[t];
      factor[row[t]] = multiplier[t];
      watch_multiplier(multiplier[t], row[t]);
    }
  }
  // So many columns at a time as stay in the innermost cache, with all rows.
  constexpr int most_columns = 32;
  S upper[most_columns][steps];
  for (int done = 0; done < panel.columns; done += most_columns) {
    const int columns = std::min(most_columns, panel.columns - done);
    for (int j = 0; j < columns; ++j, right += steps)
      for (int t = 0; t < steps; ++t) {
        S entry = factor[right[t]];
        for (int r = 0; r < t; ++r) entry = fnma(block[t][r], upper[j][r], entry);
        upper[j][t] = entry;
        factor[right[t]] = entry * reciprocal[t];
      }
    // Two rows at a time share what they fetch of the columns.
    int i = 0;
    for (; i + 2 <= panel.rows; i += 2) {
      S first[steps], second[steps];
      for (int t = 0; t < steps; ++t) {
        first[t] = factor[below[i * steps + t]];
        second[t] = factor[below[(i + 1) * steps + t]];
      }
      const int* const to_first = target + i * panel.columns + done;
      const int* const to_second = to_first + panel.columns;
      for (int j = 0; j < columns; ++j) {
        S a = factor[to_first[j]], b = factor[to_second[j]];
        for (int t = 0; t < steps; ++t) {
          a = fnma(first[t], upper[j][t], a);
          b = fnma(second[t], upper[j][t], b);
        }
        factor[to_first[j]] = a;
        factor[to_second[j]] = b;
      }
    }
    if (i < panel.rows) {
      S last[steps];
      for (int t = 0; t < steps; ++t) last[t] = factor[below[i * steps + t]];
      const int* const to_last = target + i * panel.columns + done;
      for (int j = 0; j < columns; ++j) {
        S a = factor[to_last[j]];
        for (int t = 0; t < steps; ++t) a = fnma(last[t], upper[j][t], a);
        factor[to_last[j]] = a;
      }
    }
  }
  return target + panel.rows * panel.columns;
}

/// Right-looking elimination. For each step k, with row i below and column j to the right,
///     l_ik = a_ik / d_k,   a_ij -= l_ik a_kj,   u_kj = a_kj / d_k,
/// panel by panel (elimination.hpp). `values` has one S per pattern slot, `factor` has room for
/// factor_size. @returns the mask of lanes whose factor is degraded: finite or not, do not trust
/// it.
template <class S, Watch watch = Watch::pivots>
Mask<S> factorize(const Elimination& schedule, const S* values, S* factor) {
  for (const int position : schedule.fill) factor[position] = S(0.0);
  for (const int position : schedule.padding) factor[position] = S(0.0);
  for (const int position : schedule.load) factor[position] = *values++;

  S health(1.0);  // becomes 0 in a degraded lane; keeps to select(), the only mask operation needed
  const int* at = schedule.position.data();
  static_assert(largest_panel == 4);
  for (const Panel& panel : schedule.panels) {
    if (panel.steps == 1)
      at = eliminate_panel<1, watch>(schedule, panel, at, factor, health);
    else if (panel.steps == 2)
      at = eliminate_panel<2, watch>(schedule, panel, at, factor, health);
    else if (panel.steps == 3)
      at = eliminate_panel<3, watch>(schedule, panel, at, factor, health);
    else
      at = eliminate_panel<4, watch>(schedule, panel, at, factor, health);
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
