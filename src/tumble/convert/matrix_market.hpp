// Sparse symmetric matrices from files in the Matrix Market format (Boisvert, Pozo, Remington: The
// Matrix Market Exchange Formats, NISTIR 5935, 1996).
#pragma once
#include <Eigen/SparseCore>
#include <string>
#include <string_view>

namespace tumble::convert {

/// The matrix in `text`, the content of `file`: `coordinate` or `array`, `real` or `integer`,
/// `symmetric`, or `general` if it is symmetric all the same (to 1e-9 of its entries).
/// @throws InputError with the line.
Eigen::SparseMatrix<double> read_symmetric_matrix(std::string_view text, const std::string& file);

}  // namespace tumble::convert
