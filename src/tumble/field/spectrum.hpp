// Eigenvalues and eigenvectors of a symmetric matrix, in an order and with signs that do not hang
// on rounding errors.
#pragma once
#include <Eigen/Core>
#include <span>

namespace tumble {

struct Spectrum {
  Eigen::VectorXd values;   ///< descending
  Eigen::MatrixXd vectors;  ///< columns, orthonormal
};

/// A solver leaves the signs of eigenvectors open, and the whole basis where eigenvalues coincide,
/// as they do for fields on symmetric sets of beams. Another compiler would then give the random
/// variables of a field another meaning. So
///  - eigenvectors whose eigenvalues agree to 1e-9 of their size are turned within their space: the
///    first one is largest at the node where the space has most to say, the others vanish there and
///    are chosen likewise; all get the mean of their eigenvalues;
///  - the sign is such that the largest component, divided by `scales`, is positive.
/// Where nodes tie to 1e-6, the first one counts.
Spectrum canonical_spectrum(const Eigen::MatrixXd& matrix, std::span<const double> scales);

}  // namespace tumble
