#include "tumble/study/weighting.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace tumble {
namespace {

constexpr double two_pi = 2 * std::numbers::pi;

TEST(Weighting, HasTheFactorsOfTheStandard) {
  // ISO 2631-1:1997, table 3: factors times 1000 at the nominal frequencies of third octaves.
  struct Row {
    double frequency, factor;
  };
  const Row vertical[] = {
      {0.1, 31.2}, {0.2, 121}, {0.4, 352}, {0.5, 418},  {0.63, 459}, {0.8, 477}, {1, 482},
      {1.25, 484}, {1.6, 494}, {2, 531},   {2.5, 631},  {3.15, 804}, {4, 967},   {5, 1039},
      {6.3, 1054}, {8, 1036},  {10, 988},  {12.5, 902}, {16, 768},   {20, 636},  {25, 513},
      {31.5, 405}, {40, 314},  {50, 246},  {63, 186},   {80, 132},   {100, 88.7}};
  for (const auto& [f, factor] : vertical)
    EXPECT_NEAR(1000 * std::abs(weighting_response(Weighting::Wk, f)), factor, 0.75) << f;
  const Row horizontal[] = {{0.1, 62.4}, {0.25, 365}, {0.4, 713}, {0.63, 944}, {1, 1011},
                            {1.6, 968},  {2, 890},    {4, 512},   {8, 253},    {20, 100}};
  for (const auto& [f, factor] : horizontal)
    EXPECT_NEAR(1000 * std::abs(weighting_response(Weighting::Wd, f)), factor, 0.75) << f;
}

/// Largest difference of the filter's steady answer to a harmonic from that of its response.
double error_at(Weighting weighting, double frequency, double step) {
  const WeightingFilter filter(weighting, step);
  std::vector<double> x;
  const double settled = 12, end = 14;
  for (int k = 0; k * step <= end; ++k) x.push_back(std::cos(two_pi * frequency * k * step));
  const std::vector<double> y = filter.apply(x);
  const std::complex<double> h = weighting_response(weighting, frequency);
  double largest = 0;
  for (std::size_t k = 0; k < y.size() - 1; ++k) {
    const double t = static_cast<double>(k) * step;
    if (t < settled) continue;
    const double exact = (h * std::polar(1.0, two_pi * frequency * t)).real();
    largest = std::max(largest, std::fabs(y[k] - exact));
  }
  return largest / std::abs(h);
}

TEST(Weighting, AnswersHarmonicsAsItsResponseSays) {
  for (const Weighting weighting : {Weighting::Wk, Weighting::Wd})
    for (const double f : {0.5, 1.3, 4.0, 9.0}) EXPECT_LT(error_at(weighting, f, 5e-3), 1e-3) << f;
  // With 13 samples a period, of fourth order in their distance.
  const double coarse = error_at(Weighting::Wk, 15, 5e-3),
               fine = error_at(Weighting::Wk, 15, 2.5e-3);
  EXPECT_LT(coarse, 6e-3);
  EXPECT_GT(coarse / fine, 12);
}

TEST(Weighting, LeavesNothingOfAConstant) {
  const WeightingFilter filter(Weighting::Wk, 0.01);
  const auto y = filter.apply(std::vector<double>(1001, 9.81));
  EXPECT_NEAR(y.back(), 0, 1e-6);
  EXPECT_EQ(filter.apply(std::vector<double>(50, 0.0)), std::vector<double>(50, 0.0));
}

}  // namespace
}  // namespace tumble
