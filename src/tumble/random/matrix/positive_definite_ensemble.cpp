#include "tumble/random/matrix/positive_definite_ensemble.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace tumble {
namespace {

/// Place of row i and column k in a matrix by rows.
std::size_t at(int n, int i, int k) { return static_cast<std::size_t>(i * n + k); }

}  // namespace

double PositiveDefiniteEnsemble::largest_dispersion(int n) {
  return std::sqrt((n + 1.0) / (n + 5.0));
}

PositiveDefiniteEnsemble::PositiveDefiniteEnsemble(int n, double delta) : n_(n), delta_(delta) {
  if (n < 1) throw std::invalid_argument("a random matrix needs at least one row");
  if (!(delta > 0 && delta < largest_dispersion(n)))
    throw std::invalid_argument(fmt::format(
        "delta = {} must be above 0 and below sqrt((n+1)/(n+5)) = {:.4f} for n = {} rows: beyond "
        "it the inverse of the matrix, and with it what it is the stiffness of, has no variance",
        delta, largest_dispersion(n), n));
}

std::vector<ScalarLawParameters> PositiveDefiniteEnsemble::germ_laws() const {
  const double variance = delta_ * delta_ / (n_ + 1.0);  // s^2
  std::vector<ScalarLawParameters> laws;
  for (int j = 1; j <= n_; ++j) {
    GammaLaw square;
    square.shape = 0.5 / variance + 0.5 * (1 - j);
    square.scale = 2 * variance;
    laws.emplace_back(square);
  }
  NormalLaw across;
  across.mean = 0;
  across.std = std::sqrt(variance);
  laws.resize(germs(n_), across);
  return laws;
}

std::vector<double> PositiveDefiniteEnsemble::neutral_germ(int n) {
  std::vector<double> germ(germs(n), 0.0);
  for (std::size_t j = 0; j < static_cast<std::size_t>(n); ++j) germ[j] = 1;
  return germ;
}

// (L^T L)_ik = sum over j <= min(i, k) of L_ji L_jk
void normalized_deviation(int n, std::span<const double> germ, std::span<double> deviation) {
  std::vector<double> L(static_cast<std::size_t>(n * n), 0.0);
  std::size_t next = static_cast<std::size_t>(n);
  for (int j = 0; j < n; ++j) {
    L[at(n, j, j)] = std::sqrt(germ[static_cast<std::size_t>(j)]);
    for (int k = j + 1; k < n; ++k) L[at(n, j, k)] = germ[next++];
  }
  for (int i = 0; i < n; ++i)
    for (int k = i; k < n; ++k) {
      double sum = i == k ? germ[static_cast<std::size_t>(i)] - 1 : L[at(n, i, i)] * L[at(n, i, k)];
      for (int j = 0; j < i; ++j) sum += L[at(n, j, i)] * L[at(n, j, k)];
      deviation[at(n, i, k)] = deviation[at(n, k, i)] = sum;
    }
}

bool lower_root(int n, std::span<const double> A, std::span<double> R) {
  for (double& r : R) r = 0;
  for (int k = 0; k < n; ++k) {
    double pivot = A[at(n, k, k)];
    for (int j = 0; j < k; ++j) pivot -= R[at(n, k, j)] * R[at(n, k, j)];
    // What rounding leaves of a singular matrix is none.
    if (!(pivot > 1e-14 * A[at(n, k, k)])) return false;
    const double root = std::sqrt(pivot);
    R[at(n, k, k)] = root;
    for (int i = k + 1; i < n; ++i) {
      double sum = A[at(n, i, k)];
      for (int j = 0; j < k; ++j) sum -= R[at(n, i, j)] * R[at(n, k, j)];
      R[at(n, i, k)] = sum / root;
    }
  }
  return true;
}

void congruent(int n, std::span<const double> R, std::span<const double> D,
               std::span<double> result) {
  std::vector<double> RD(static_cast<std::size_t>(n * n), 0.0);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j <= i; ++j) RD[at(n, i, k)] += R[at(n, i, j)] * D[at(n, j, k)];
  for (int i = 0; i < n; ++i)
    for (int k = i; k < n; ++k) {
      double sum = 0;
      for (int j = 0; j <= k; ++j) sum += RD[at(n, i, j)] * R[at(n, k, j)];
      result[at(n, i, k)] = result[at(n, k, i)] = sum;
    }
}

}  // namespace tumble
