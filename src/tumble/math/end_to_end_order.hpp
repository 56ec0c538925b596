// An order of the unknowns of a sparse matrix that leads through its structure.
#pragma once
#include <vector>

#include "tumble/math/sparse_pattern.hpp"

namespace tumble {

/// Original indices from one end of the structure to the other: breadth first over the graph of
/// the symmetrised pattern, from a vertex far out, then reversed (after Cuthill and McKee 1969).
std::vector<int> end_to_end_order(const SparsePattern& pattern);

}  // namespace tumble
