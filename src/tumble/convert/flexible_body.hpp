// From matrices of finite elements to a flexible body: Craig and Bampton's reduction ("Coupling of
// substructures for dynamic analyses", AIAA J. 6, 1968), the modes of what is left, and the
// integrals of their shapes (docs/theory/modal-bodies.md#reduction).
#pragma once
#include <Eigen/SparseCore>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "tumble/model/modal.hpp"

namespace tumble::convert {

/// Nodes in the order of the matrices' rows.
struct NodeTable {
  std::vector<int> number;
  std::vector<Vec3d> position;
};

/// CSV: a header `node,x,y,z`, then a row of each node. @throws InputError with the line.
NodeTable read_nodes(std::string_view text, const std::string& file);

/// CSV: a header `a,b`, then the numbers of two nodes in each row.
std::vector<std::array<int, 2>> read_lines(std::string_view text, const std::string& file);

struct FiniteElements {
  Eigen::SparseMatrix<double> mass, stiffness;  ///< of the free body
  NodeTable nodes;  ///< three displacements each, or these and three rotations
};

struct ReductionRequest {
  /// Where others take hold: each a node, or several that a rigid spider holds; it is called by the
  /// number of the first and lies in their middle.
  std::vector<std::vector<int>> interfaces;
  int fixed_modes = 0;  ///< of the body held at all of them
  std::vector<std::array<int, 2>> lines = {};
};

/// What a user may want to hear of it.
struct Reduction {
  ModalData body;
  std::vector<double> fixed_frequencies;  ///< [Hz]
};

/// @throws std::invalid_argument where the matrices are not those of a free body, or the request
/// does not fit.
Reduction reduce(const FiniteElements& elements, const ReductionRequest& request);

}  // namespace tumble::convert
