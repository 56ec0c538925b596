#include "tumble/math/fourier.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace tumble {
namespace {

TEST(FourierSums, AreThoseOfTheDefinition) {
  for (const int n : {1, 2, 8, 64}) {
    std::vector<std::complex<double>> terms;
    for (int k = 0; k < n; ++k) terms.emplace_back(std::sin(1 + 3 * k), std::cos(2 + 5 * k));
    std::vector<std::complex<double>> sums = terms;
    FourierSums(n).sum(sums);
    for (int j = 0; j < n; ++j) {
      std::complex<double> expected = 0;
      for (int k = 0; k < n; ++k)
        expected +=
            terms[static_cast<std::size_t>(k)] * std::polar(1.0, 2 * std::numbers::pi * j * k / n);
      EXPECT_NEAR(std::abs(sums[static_cast<std::size_t>(j)] - expected), 0, 1e-12)
          << n << " " << j;
    }
  }
}

/// The same butterflies from the outside in; every product says whether it is fused.
std::vector<std::complex<double>> in_halves(const std::vector<std::complex<double>>& z) {
  const std::size_t n = z.size();
  if (n == 1) return z;
  std::vector<std::complex<double>> even, odd, sums(n);
  for (std::size_t k = 0; k < n; ++k) (k % 2 == 0 ? even : odd).push_back(z[k]);
  even = in_halves(even), odd = in_halves(odd);
  for (std::size_t j = 0; j < n / 2; ++j) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(n);
    const double c = std::cos(angle), s = std::sin(angle), x = odd[j].real(), y = odd[j].imag();
    // Kept from being seen together with what they are added to.
    const volatile double sy = s * y, sx = s * x;
    const std::complex<double> turned(std::fma(c, x, -sy), std::fma(c, y, sx));
    sums[j] = even[j] + turned, sums[j + n / 2] = even[j] - turned;
  }
  return sums;
}

// g++ 12 -O3 fuses the plain formula of a complex product whatever it is told.
TEST(FourierSums, HaveTheSameBitsFromEveryCompiler) {
  for (const int n : {2, 4, 32, 1024}) {
    std::vector<std::complex<double>> terms;
    for (int k = 0; k < n; ++k) terms.emplace_back(std::sin(1 + 3 * k), std::cos(2 + 5 * k));
    std::vector<std::complex<double>> sums = terms;
    FourierSums(n).sum(sums);
    EXPECT_EQ(sums, in_halves(terms)) << n;
  }
}

TEST(FourierSums, RefuseWhatIsNoPowerOfTwo) {
  EXPECT_THROW(FourierSums(0), std::invalid_argument);
  EXPECT_THROW(FourierSums(12), std::invalid_argument);
  std::vector<std::complex<double>> three(3);
  EXPECT_THROW(FourierSums(4).sum(three), std::invalid_argument);
}

}  // namespace
}  // namespace tumble
