#include "tumble/field/spectrum.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Householder>
#include <cmath>
#include <stdexcept>

namespace tumble {
namespace {

using Eigen::Index;

/// Relative distance below which eigenvalues count as one. Much more than their rounding errors,
/// and little enough for the modes made of them.
constexpr double same_eigenvalue = 1e-9;
/// Relative distance below which two components tie.
constexpr double same_size = 1e-6;

/// Index of the largest number, or of the first that comes close to it.
template <class Vector>
Index first_of_the_largest(const Vector& sizes) {
  const double enough = (1 - same_size) * sizes.maxCoeff();
  for (Index i = 0; i < sizes.size(); ++i)
    if (sizes[i] >= enough) return i;
  throw std::logic_error("a vector that is not a number");
}

/// Turns the columns of `basis`, which span an eigenspace, so that they no longer depend on the
/// basis that was given, but for their signs.
void turn(Eigen::Ref<Eigen::MatrixXd> basis) {
  for (Index k = 0; k + 1 < basis.cols(); ++k) {
    auto rest = basis.rightCols(basis.cols() - k);
    const Index node = first_of_the_largest(rest.rowwise().norm().eval());
    // A reflection of the columns that leaves one of them, the first, different from 0 at the node.
    const Eigen::VectorXd row = rest.row(node).transpose();
    Eigen::VectorXd essential(row.size() - 1);
    double tau, beta;
    row.makeHouseholder(essential, tau, beta);
    Eigen::VectorXd work(rest.rows());
    rest.applyHouseholderOnTheRight(essential, tau, work.data());
  }
}

}  // namespace

Spectrum canonical_spectrum(const Eigen::MatrixXd& matrix, std::span<const double> scales) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
  if (solver.info() != Eigen::Success)
    throw std::runtime_error("random field: the eigenvalues of its correlation do not converge");
  Spectrum spectrum{solver.eigenvalues().reverse(), solver.eigenvectors().rowwise().reverse()};

  const Index size = spectrum.values.size();
  for (Index begin = 0, end = 0; begin < size; begin = end) {
    end = begin + 1;
    while (end < size && spectrum.values[end - 1] - spectrum.values[end] <=
                             same_eigenvalue * spectrum.values[begin])
      ++end;
    if (end - begin == 1) continue;
    turn(spectrum.vectors.middleCols(begin, end - begin));
    spectrum.values.segment(begin, end - begin)
        .setConstant(spectrum.values.segment(begin, end - begin).mean());
  }
  const auto scale = Eigen::Map<const Eigen::ArrayXd>(scales.data(), size);
  for (Index k = 0; k < size; ++k) {
    const Eigen::ArrayXd scaled = spectrum.vectors.col(k).array() / scale;
    if (scaled[first_of_the_largest(scaled.abs())] < 0) spectrum.vectors.col(k) *= -1;
  }
  return spectrum;
}

}  // namespace tumble
