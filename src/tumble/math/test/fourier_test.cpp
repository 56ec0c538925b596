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

TEST(FourierSums, RefuseWhatIsNoPowerOfTwo) {
  EXPECT_THROW(FourierSums(0), std::invalid_argument);
  EXPECT_THROW(FourierSums(12), std::invalid_argument);
  std::vector<std::complex<double>> three(3);
  EXPECT_THROW(FourierSums(4).sum(three), std::invalid_argument);
}

}  // namespace
}  // namespace tumble
