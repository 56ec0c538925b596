// Row and column scales that make the magnitudes of a sparse matrix comparable.
#pragma once

#include <vector>

#include "tumble/math/sparse_pattern.hpp"

namespace tumble {

/// Exponents of two per original row and column: scaled a_ij = a_ij 2^(row[i] + column[j]).
struct Equilibration {
  std::vector<int> row, column;
};

/// Scales to about unit maximum in every row and column such that, wherever the matrix permits it,
/// entries of about unit magnitude can be chosen one per row and column (Olschowka and Neumaier
/// 1996; Duff and Koster 2001, known as MC64).
///
/// Norms of rows and columns alone would not do. With inertia entries of 1 and constraint entries
/// of 1e14, scaling all constraint entries to 1 and all inertia to 1e-14 also gives every line unit
/// maximum, but buries the directions in which only inertia counts. Choosing one entry per row
/// and column of largest product cannot do without those directions, and scales them to 1.
///
/// Magnitudes enter rounded to powers of two, so the arithmetic is in integers and the result the
/// same on every machine. Lines of zeros keep the exponent 0.
Equilibration equilibrate(const SparsePattern& pattern, const std::vector<double>& values);

}  // namespace tumble
