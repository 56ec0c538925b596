// Accuracy against the C library's functions of long double, and the promise of equal bits on every
// processor: a hash of results that was taken from glibc 2.36 on x86-64.
#include "tumble/math/special_functions.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "lane_inputs.hpp"

namespace tumble {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Case {
  const char* name;
  std::function<double(double)> function;
  std::function<long double(long double)> reference;
  std::vector<std::pair<double, double>> ranges;
  double units;   ///< in the last place: what the manual of glibc allows
  double around;  ///< added to the unit, for a ln Γ that passes through zero
  std::uint64_t hash;
};

const Case cases[] = {
    {"erfc",
     [](double x) { return erfc(x); },
     [](long double x) { return std::erfc(x); },
     {{-6, 6}, {-1.5, 1.5}, {5, 26}},
     5,
     0,
     0xdde724deab41c431},
    {"log_gamma",
     [](double x) { return log_gamma(x); },
     [](long double x) { return std::lgamma(x); },
     {{0, 1}, {0.7, 2.1}, {2, 9}, {8, 1000}, {0, 1e-18}},
     4,
     0x1p-52,
     0x1682caf0e71093ac},
    {"cube_root",
     [](double x) { return cube_root(x); },
     [](long double x) { return std::cbrt(x); },
     {{-8, 8}, {1e-310, 1e-300}, {1e100, 1e300}},
     4,
     0,
     0x53e40b9bd7601132},
    {"hypotenuse",
     [](double x) { return hypotenuse(x, 1.7); },
     [](long double x) { return std::hypot(x, static_cast<long double>(1.7)); },
     {{-4, 4}, {1, 100}, {0, 1e-5}, {1e15, 1e17}},
     1,
     0,
     0x5524362e3dcf1bb5},
};

std::uint64_t hash_of(const Case& c, std::vector<std::pair<double, double>>& worst) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  RandomBits random;
  for (const auto& [low, high] : c.ranges) {
    double most = 0, at = 0;
    for (int i = 0; i < 30000; ++i) {
      const double x = random.uniform(low, high), value = c.function(x);
      const auto exact = static_cast<double>(c.reference(x));
      const double unit = std::nextafter(std::abs(exact), infinity) - std::abs(exact) + c.around;
      const auto error = static_cast<double>(std::abs(value - c.reference(x)) / unit);
      if (!(error <= most)) most = error, at = x;
      auto bits = std::bit_cast<std::uint64_t>(value);
      for (int k = 0; k < 8; ++k, bits >>= 8) hash = (hash ^ (bits & 0xff)) * 0x100000001b3;
    }
    worst.emplace_back(most, at);
  }
  return hash;
}

TEST(SpecialFunctions, AreAccurateAndHaveTheSameBitsEverywhere) {
  for (const Case& c : cases) {
    std::vector<std::pair<double, double>> worst;
    EXPECT_EQ(hash_of(c, worst), c.hash) << c.name;
    for (const auto& [error, at] : worst) EXPECT_LT(error, c.units) << c.name << " at " << at;
  }
}

TEST(SpecialFunctions, AtTheEndsOfTheirRanges) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(erfc(0), 1);
  EXPECT_EQ(erfc(infinity), 0);
  EXPECT_EQ(erfc(-infinity), 2);
  EXPECT_EQ(erfc(28), 0);
  EXPECT_EQ(erfc(-7), 2);
  EXPECT_TRUE(std::isnan(erfc(nan)));
  EXPECT_EQ(log_gamma(1), 0);
  EXPECT_EQ(log_gamma(2), 0);
  EXPECT_EQ(log_gamma(0), infinity);
  EXPECT_EQ(log_gamma(infinity), infinity);
  EXPECT_DOUBLE_EQ(log_gamma(5), std::log(24.0));
  EXPECT_DOUBLE_EQ(log_gamma(0.5), 0.5 * std::log(std::acos(-1.0)));
  EXPECT_TRUE(std::isnan(log_gamma(nan)));
  EXPECT_DOUBLE_EQ(cube_root(27), 3);
  EXPECT_DOUBLE_EQ(cube_root(-0.125), -0.5);
  EXPECT_TRUE(same_bits(cube_root(-0.0), -0.0));
  EXPECT_EQ(cube_root(-infinity), -infinity);
  EXPECT_DOUBLE_EQ(cube_root(5e-324) * cube_root(5e-324) * cube_root(5e-324) * 0x1p1000,
                   5e-324 * 0x1p1000);
  EXPECT_EQ(hypotenuse(3, -4), 5);
  EXPECT_EQ(hypotenuse(0, -0.0), 0);
  EXPECT_EQ(hypotenuse(3e300, 4e300), 5e300);
  EXPECT_EQ(hypotenuse(3 * 0x1p-1070, 4 * 0x1p-1070), 5 * 0x1p-1070);
  EXPECT_EQ(hypotenuse(1.5e308, 1.5e308), infinity);
  EXPECT_EQ(hypotenuse(nan, -infinity), infinity);
  EXPECT_TRUE(std::isnan(hypotenuse(nan, 1)));
}

}  // namespace
}  // namespace tumble
