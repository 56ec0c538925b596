// Eigenvectors that do not depend on rounding: coinciding eigenvalues, order and signs.
#include "tumble/field/spectrum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace tumble {
namespace {

using Eigen::MatrixXd;

/// The correlation exp(-d^2) of the corners of a square: eigenvalues 2 and 3 coincide.
MatrixXd square_of_points() {
  const double x[] = {0, 1, 1, 0}, y[] = {0, 0, 1, 1};
  MatrixXd matrix(4, 4);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      matrix(i, j) = std::exp(-std::pow(x[i] - x[j], 2) - std::pow(y[i] - y[j], 2));
  return matrix;
}

TEST(Spectrum, DecomposesAndOrders) {
  const std::vector<double> scales(4, 1.0);
  const MatrixXd matrix = square_of_points();
  const Spectrum spectrum = canonical_spectrum(matrix, scales);
  const MatrixXd& v = spectrum.vectors;
  EXPECT_LT((v.transpose() * v - MatrixXd::Identity(4, 4)).norm(), 1e-14);
  EXPECT_LT((v * spectrum.values.asDiagonal() * v.transpose() - matrix).norm(), 1e-14);
  for (int k = 1; k < 4; ++k) EXPECT_LE(spectrum.values[k], spectrum.values[k - 1]);
  EXPECT_EQ(spectrum.values[1], spectrum.values[2]);
  // The eigenspace is that of (1, 0, -1, 0) and (0, 1, 0, -1), and these are its canonical basis.
  const double root = std::sqrt(0.5);
  EXPECT_LT((v.col(1) - Eigen::Vector4d(root, 0, -root, 0)).norm(), 1e-12);
  EXPECT_LT((v.col(2) - Eigen::Vector4d(0, root, 0, -root)).norm(), 1e-12);
}

// What another compiler would do to the last bits, and far more.
TEST(Spectrum, DoesNotDependOnRounding) {
  const std::vector<double> scales(4, 1.0);
  const MatrixXd matrix = square_of_points();
  const Spectrum reference = canonical_spectrum(matrix, scales);
  for (int trial = 0; trial < 50; ++trial) {
    MatrixXd noise(4, 4);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j <= i; ++j)
        noise(i, j) = noise(j, i) = 1e-13 * std::sin(12.9 * trial + 78.2 * i + 37.7 * j);
    const Spectrum disturbed = canonical_spectrum(matrix + noise, scales);
    EXPECT_LT((disturbed.vectors - reference.vectors).norm(), 1e-11) << trial;
  }
}

TEST(Spectrum, ScalesDecideTheSign) {
  MatrixXd matrix(2, 2);
  matrix << 2, -1, -1, 1;
  // The first eigenvector is (0.85, -0.53) up to its sign.
  EXPECT_GT(canonical_spectrum(matrix, std::vector{1.0, 1.0}).vectors(0, 0), 0);
  EXPECT_GT(canonical_spectrum(matrix, std::vector{1.0, 0.1}).vectors(1, 0), 0);
}

}  // namespace
}  // namespace tumble
