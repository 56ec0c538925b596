#include "tumble/math/fourier.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

namespace tumble {

FourierSums::FourierSums(int points) : points_(points) {
  if (points < 1 || (points & (points - 1)) != 0)
    throw std::invalid_argument("Fourier sums are of a power of two");
  for (int j = 0; j < points / 2; ++j) {
    const double angle = 2 * std::numbers::pi * j / points;
    roots_.emplace_back(std::cos(angle), std::sin(angle));
  }
}

// Decimation in time: the terms in bit-reversed order, then butterflies over 2, 4, 8, ... points
// (J. W. Cooley, J. W. Tukey, Math. Comput. 19, 1965).
void FourierSums::sum(std::vector<std::complex<double>>& z) const {
  const auto n = static_cast<std::size_t>(points_);
  if (z.size() != n) throw std::invalid_argument("Fourier sums have as many terms as points");
  for (std::size_t i = 1, reversed = 0; i < n; ++i) {
    std::size_t bit = n >> 1;
    for (; (reversed & bit) != 0; bit >>= 1) reversed ^= bit;
    reversed ^= bit;
    if (i < reversed) std::swap(z[i], z[reversed]);
  }
  for (std::size_t half = 1; half < n; half *= 2)
    for (std::size_t first = 0; first < n; first += 2 * half)
      for (std::size_t j = 0; j < half; ++j) {
        const std::complex<double>& root = roots_[j * (n / (2 * half))];
        std::complex<double>&a = z[first + j], &b = z[first + j + half];
        // Written out: std::complex would look for infinities, and g++ 12 -O3 makes one fused
        // operation of the plain formula, in spite of -ffp-contract=off.
        const std::complex<double> turned(
            std::fma(root.real(), b.real(), -(root.imag() * b.imag())),
            std::fma(root.real(), b.imag(), root.imag() * b.real()));
        b = a - turned;
        a += turned;
      }
}

}  // namespace tumble
