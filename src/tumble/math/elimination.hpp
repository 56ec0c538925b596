// Analysis of a sparse matrix family: one pivot order, found once, good for every member.
//
// The matrices are those of constrained dynamics,
//
//     [ M + c₁ C + c₂ K   Gᵀ ]
//     [ G                 0  ],      unsymmetric values, one pattern for the life of a model,
//
// and they are factorised thousands of times per realisation, for thousands of realisations, many
// of them side by side in SIMD lanes. So the order of elimination is decided here, from sample
// matrices (parameter extremes, the step matrix, the initial-acceleration matrix), and written
// down as flat index streams: the schedule. static_lu.hpp then plays the schedule on numbers.
//
// Why not KLU, UMFPACK or the like: they choose pivots while they factorise, so two lanes of one
// pack would want different sequences of operations, and a realisation's rounding would depend on
// what was factorised before it. Supernodal packages also hand small dense blocks to a BLAS whose
// kernel is picked at run time, which makes results depend on the machine; and at 50 unknowns
// and 500 multiply-adds their bookkeeping costs more than the arithmetic. A fixed schedule has no
// branches on values, allocates nothing, and does the same operations in the same order in every
// lane.
//
// The price is that nobody pivots later. Three things pay it:
//  - equilibration: each sample's rows and columns are scaled (by powers of two, so exactly) to
//    unit maximum before magnitudes are compared. Constraint rows may differ from inertia rows by
//    1e12 in SI units; unscaled, the comparison means nothing, and both fill and accuracy suffer.
//  - threshold pivoting in all samples at once: a pivot must reach `threshold` times the largest
//    entry of its remaining row and column, in every sample.
//  - a monitor: factorize() reports when a pivot has withered compared with the samples, so that
//    the caller can analyse again with the offending matrix among the samples.
//
// Among acceptable pivots the one with the least Markowitz cost (r - 1)(c - 1) is taken, where r
// and c count what is left of its row and column (Markowitz 1957; the search through the shortest
// few rows and columns is that of Zlatev 1980 and of Suhl and Suhl 1990). Ties go to the largest
// scaled magnitude, then to the lowest row and column, so the schedule depends on the input only.
// Greedy choices are at the mercy of ties: no single rule wins on stars, trees and chains, and
// they differ by factors of two. Analysis happens once, so several rules are tried and the order
// with the fewest multiply-adds is kept. Of large matrices only those rules are tried whose effort
// grows with the number of unknowns and no faster.
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "tumble/math/sparse_pattern.hpp"

namespace tumble {

struct EliminationOptions {
  /// Smallest acceptable ratio of a pivot to the largest entry of its row and column. Smaller
  /// values give less fill and less accuracy. Relaxed by steps of ten where nothing reaches it.
  double threshold = 0.1;
  /// What is left of a row counts as zero below this fraction of the row's original maximum.
  double singular_tolerance = 1e-11;
  /// The orders tried; the cheapest is kept. The first kind compares, at each step, that many of
  /// the shortest rows and columns wherever they are.
  std::vector<int> search_lines = {16, 1, 4, 1000};
  /// The second kind looks first at that many rows and columns next in line from one end of the
  /// structure to the other, which suits long chains and trees.
  std::vector<int> search_fronts = {1, 4, 12};
  /// Above this many unknowns analysis must take time in proportion to them: only orders with 4
  /// lines from end to end and with 16 lines anywhere are tried. Where pivots are that many, some
  /// miss the threshold by little, and each that is put off fills what is before it, up to ten
  /// times over for a long beam; so the first order tried is allowed a weaker one.
  int large = 2500;
  double large_threshold = 0.03;
  /// factorize() calls a pivot degraded below this fraction of the smallest seen in the samples.
  double degraded_pivot = 1e-4;
  /// With Watch::multipliers it also calls a scaled multiplier above this value degraded
  /// (the samples keep theirs below 1 / threshold unless the threshold had to be relaxed).
  double degraded_multiplier = 1e5;
};

/// Consecutive rows of a triangular factor that are solved side by side, because they have most of
/// their columns in common: a vector equation gives three. A result is then fetched once for all,
/// and what one row waits for does not hold up the others.
struct RowGroup {
  int first = 0;    ///< step of the row solved first
  int rows = 1;     ///< at most largest_row_group
  int columns = 0;  ///< of one or more of them, outside the group

  bool operator==(const RowGroup&) const = default;
};
inline constexpr int largest_row_group = 3;

/// A triangular solve: the groups in the order in which they are solved, and for one group after
/// the other the steps whose results its rows use, the latest result last. A sum that ends with
/// what it must wait for can do the rest of its work while it waits.
struct Substitution {
  std::vector<RowGroup> groups;
  std::vector<int> column;

  bool operator==(const Substitution&) const = default;
};

/// Consecutive steps of elimination that find entries in the same rows and columns. An entry that
/// all of them change is fetched and stored once for all; it is changed by the first step first, as
/// if each step went alone, so panels change no bit.
struct Panel {
  int first = 0;              ///< step
  int steps = 1;              ///< at most largest_panel
  int rows = 0, columns = 0;  ///< below and to the right of the block of pivots

  bool operator==(const Panel&) const = default;
};
inline constexpr int largest_panel = 4;

/// The schedule. Constant after analysis; shared by all threads and lanes.
///
/// Step k eliminates original row row_of[k] and column column_of[k]: P A Q = L D U, with ones on
/// the diagonals of L and U, which are not stored. The factor array has the order in which solve()
/// reads it: L along `forward`, then D⁻¹ and U along `backward`. A group stores
///     (backward only) the reciprocal pivots of its rows,
///     for each of its columns the entries of its rows,
///     for each of its rows the entries of the rows after it in that column;
/// rows are in the order of solution, from `first` upwards (forward) or downwards (backward). Where
/// a row has no entry in a column of its group, the array holds a zero, the padding.
struct Elimination {
  int n = 0;
  int factor_size = 0;          ///< stored entries, fill and padding included
  int multiply_adds = 0;        ///< of one factorisation
  int solve_multiply_adds = 0;  ///< of one solution, without those of the padding

  std::vector<int> load;       ///< pattern slot -> factor position
  std::vector<int> fill;       ///< positions of entries that appear: zero to start with
  std::vector<int> padding;    ///< positions of no entry: zero for good
  std::vector<int> row_of;     ///< step -> original row
  std::vector<int> column_of;  ///< step -> original column

  Substitution forward, backward;

  /// The steps in the order of elimination, and for each panel factor positions, one after another:
  /// those of its block of pivots, by rows; of the entries to the right of it, by columns; of the
  /// entries below it, by rows; and of what these change, row by row below, column by column to the
  /// right.
  std::vector<Panel> panels;
  std::vector<int> position;

  /// For the monitor. Scales are powers of two per original row and column (geometric mean over
  /// the samples); the reference of step k is the smallest |pivot| row_scale column_scale seen.
  std::vector<double> row_scale, column_scale, pivot_reference;
  std::vector<double> pivot_limit;       ///< step -> smallest healthy |pivot|, unscaled
  std::vector<double> multiplier_limit;  ///< factor position -> largest healthy multiplier

  bool operator==(const Elimination&) const = default;
};

/// No pivot left. Original indices, increasing.
struct EliminationFailure {
  std::vector<int> rows, columns;  ///< those left without an acceptable pivot
  /// The sample that proved singular; -1 if none did, but the samples share no pivot sequence.
  int singular_sample = -1;
  /// `rows` and the rows they are combinations of: of two constraints that say the same, which
  /// one is left over is a matter of order, but both appear here.
  std::vector<int> dependent_rows;
};

/// Finds the order of elimination. Each sample holds one value per pattern slot.
/// @throws std::invalid_argument without samples, or if one has the wrong length or a value that
/// is not finite; std::length_error if every order tried exceeds 2^28 multiply-adds.
std::variant<Elimination, EliminationFailure> analyze(const SparsePattern& pattern,
                                                      std::span<const std::vector<double>> samples,
                                                      const EliminationOptions& options = {});

}  // namespace tumble
