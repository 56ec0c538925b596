// The terms that describe one response best, by hybrid least angle regression.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "tumble/chaos/dense_matrix.hpp"

namespace tumble {

struct TermSelection {
  std::vector<std::size_t> terms;  ///< columns in the order in which they were chosen, without 0
  double error = 0;                ///< corrected leave-one-out error, relative
};

/// `basis`: one row per point, one column per candidate, the constant first. Ends when the error
/// has not fallen for a tenth of the steps there could be, at least ten.
TermSelection select_terms(const DenseMatrix& basis, std::span<const double> values);

}  // namespace tumble
