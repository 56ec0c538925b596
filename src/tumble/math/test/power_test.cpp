// Powers and gradients: accuracy against the 80-bit functions of the C library, equal bits at every
// width, derivatives against differences.
#include <gtest/gtest.h>

#include <algorithm>

#include "lane_inputs.hpp"
#include "tumble/math/batch.hpp"
#include "tumble/math/gradient.hpp"

namespace tumble {
namespace {

TEST(Power, IsCloseToThatOfTheCLibrary) {
  RandomBits random;
  double worst = 0;
  for (int i = 0; i < 300000; ++i) {
    const double x = std::exp2(random.uniform(-60, 30)), y = random.uniform(0.5, 4);
    const long double reference = std::pow(static_cast<long double>(x), y);
    const double size = static_cast<double>(reference);
    const double unit = std::nextafter(size, INFINITY) - size;
    worst = std::max(worst, static_cast<double>(std::fabs((power(x, y) - reference) / unit)));
  }
  EXPECT_LT(worst, 3.5);
  EXPECT_EQ(power(0.0, 1.5), 0);
  EXPECT_EQ(power(1e-310, 1.0), 0);  // subnormal
  EXPECT_EQ(power(1.0, 7.3), 1);
  EXPECT_EQ(power(4.0, 1.5), 8);
  EXPECT_TRUE(std::isnan(power(std::numeric_limits<double>::quiet_NaN(), 1.5)));
}

template <int W>
void expect_lanes_as_doubles() {
  RandomBits random;
  for (int i = 0; i < 2000; ++i) {
    double x[W], y[W];
    for (int k = 0; k < W; ++k) {
      x[k] = k % 5 == 3 ? 0.0 : std::exp2(random.uniform(-1074, 60));
      y[k] = random.uniform(1, 3);
    }
    const auto both = power(Batch<W>::load(x), Batch<W>::load(y));
    for (int k = 0; k < W; ++k)
      ASSERT_EQ(std::bit_cast<std::uint64_t>(both.lane(k)),
                std::bit_cast<std::uint64_t>(power(x[k], y[k])));
  }
}
TEST(Power, LanesHaveTheBitsOfDoubles) {
  expect_lanes_as_doubles<1>();
  expect_lanes_as_doubles<4>();
  expect_lanes_as_doubles<8>();
}

TEST(Power, OfADualHasItsDerivatives) {
  const Dual by_base = power(Dual(0.3, 1.0), Dual(1.7)),
             by_exponent = power(Dual(0.3), Dual(1.7, 1.0));
  EXPECT_NEAR(by_base.slope, 1.7 * std::pow(0.3, 0.7), 1e-15);
  EXPECT_NEAR(by_exponent.slope, std::log(0.3) * std::pow(0.3, 1.7), 1e-15);
  EXPECT_EQ(power(Dual(0.0, 1.0), Dual(1.5)).slope, 0);
}

/// Uses every operation of Gradient.
template <class T>
T everything(const T& x, const T& y, const T& z) {
  const T root = sqrt(x * x + y * y + T(0.5));
  const T a = fma(x, y, -z) / root, b = fnma(y, z, exp(T(-0.3) * x)) - power(root, T(1.7));
  return select(a < b, a * b, a - b) + select(a > b, T(2.0) * root, b / (root + T(1.0)));
}

TEST(Gradient, HasTheDerivativesOfItsValue) {
  using G = Gradient<double, 3>;
  RandomBits random;
  for (int i = 0; i < 50; ++i) {
    const double at[3] = {random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)};
    G v[3];
    for (int k = 0; k < 3; ++k) v[k] = at[k], v[k].slope[k] = 1;
    const G f = everything(v[0], v[1], v[2]);
    EXPECT_EQ(f.value, everything(at[0], at[1], at[2]));
    for (int k = 0; k < 3; ++k) {
      const auto moved = [&](double h) {
        double x[3] = {at[0], at[1], at[2]};
        x[k] += h;
        return everything(x[0], x[1], x[2]);
      };
      const double h = 1e-3;
      const double difference =
          (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h);
      EXPECT_NEAR(f.slope[k], difference, 1e-8 * (1 + std::fabs(f.value)));
    }
  }
}

TEST(Gradient, OfARootAtZeroIsFinite) {
  Gradient<double, 1> x(0.0);
  x.slope[0] = 1;
  EXPECT_EQ(sqrt(x).slope[0], 0);
  EXPECT_EQ(power(x, Gradient<double, 1>(1.5)).slope[0], 0);
}

}  // namespace
}  // namespace tumble
