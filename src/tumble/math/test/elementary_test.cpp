// Accuracy against the 80-bit functions of the C library, whose own error (about 2^-64) does not
// count here, and the promise of equal bits at every width.
#include "tumble/math/elementary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "lane_inputs.hpp"
#include "tumble/math/batch.hpp"

namespace tumble {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Error in units in the last place of the reference.
double ulps(double value, long double reference) {
  const double size = std::fabs(static_cast<double>(reference));
  const double unit = std::nextafter(size, inf) - size;
  return static_cast<double>(std::fabs((value - reference) / unit));
}

/// The worst error of a function over many points.
struct Worst {
  double error = 0, at = 0;
  void add(double x, double value, long double reference) {
    const double e = ulps(value, reference);
    if (!(e <= error)) error = e, at = x;
  }
};

void check_sine_and_cosine(const std::vector<double>& angles) {
  Worst sine, cosine;
  for (double x : angles) {
    sine.add(x, sin(x), std::sin(static_cast<long double>(x)));
    cosine.add(x, cos(x), std::cos(static_cast<long double>(x)));
  }
  EXPECT_LT(sine.error, 0.85) << "sin " << sine.at;
  EXPECT_LT(cosine.error, 0.85) << "cos " << cosine.at;
}

TEST(Elementary, SineAndCosineOnGrids) {
  std::vector<double> angles;
  for (int i = 0; i < 400000; ++i) {
    angles.push_back(-4.0 + i * 2e-5);
    angles.push_back(-1e5 + i * 0.5000037);
  }
  check_sine_and_cosine(angles);
}

TEST(Elementary, SineAndCosineOfRandomAngles) {
  std::vector<double> angles;
  RandomBits random;
  for (int i = 0; i < 200000; ++i) {
    angles.push_back(random.uniform(-1e5, 1e5));
    angles.push_back(random.uniform(-1e9, 1e9));
    angles.push_back(std::exp2(random.uniform(-60, 20)));
    angles.push_back(std::exp2(random.uniform(20, 62)));  // fsin of an x87 ends at 2^63
  }
  check_sine_and_cosine(angles);
}

// Next to multiples of π/2 nearly all digits of the angle cancel.
TEST(Elementary, SineAndCosineNextToMultiplesOfAQuarterTurn) {
  std::vector<double> angles;
  for (int n = 1; n < 700000; ++n) {
    const auto x = static_cast<double>(n * (std::numbers::pi_v<long double> / 2));
    angles.push_back(x);
    if (n % 16 == 0) angles.push_back(std::nextafter(x, 0.0));
  }
  check_sine_and_cosine(angles);
}

// Values by mpmath 1.3 with 1500 bits.
TEST(Elementary, SineAndCosineOfHugeAngles) {
  const double table[][3] = {{1048577.0, 0.9727535843134413, 0.23184146351624124},
                             {1000000000.0, 0.5458434494486996, 0.8378871813639024},
                             {1000000000000000.0, 0.8582727931702359, -0.5131937377869703},
                             {1e+22, -0.8522008497671888, 0.523214785395139},
                             {5.319372648326541e+255, 1.0, -4.687165924254628e-19},
                             {1e+300, -0.8178819121159085, -0.5753861119575491},
                             {1.7976931348623157e+308, 0.004961954789184062, -0.9999876894265599}};
  for (const auto& [x, sine, cosine] : table) {
    EXPECT_LE(ulps(sin(x), sine), 1.0) << x;
    EXPECT_LE(ulps(cos(x), cosine), 1.0) << x;
    EXPECT_EQ(sin(-x), -sin(x));
    EXPECT_EQ(cos(-x), cos(x));
  }
}

TEST(Elementary, SpecialAngles) {
  EXPECT_TRUE(same_bits(sin(0.0), 0.0));
  EXPECT_TRUE(same_bits(sin(-0.0), -0.0));
  EXPECT_EQ(cos(0.0), 1.0);
  EXPECT_EQ(cos(-0.0), 1.0);
  EXPECT_EQ(sin(5e-324), 5e-324);
  for (double x : {inf, -inf, nan}) {
    EXPECT_TRUE(std::isnan(sin(x)));
    EXPECT_TRUE(std::isnan(cos(x)));
  }
  const auto both = sincos(1.0);
  EXPECT_EQ(both.sin, sin(1.0));
  EXPECT_EQ(both.cos, cos(1.0));
}

TEST(Elementary, Exponential) {
  Worst normal, subnormal;
  const auto add = [&](double x) {
    (x < -708.3 ? subnormal : normal).add(x, exp(x), std::exp(static_cast<long double>(x)));
  };
  RandomBits random;
  for (int i = 0; i < 400000; ++i) {
    add(-745.0 + i * 1454.7 / 400000);
    add(random.uniform(-1, 1));
    add(std::copysign(std::exp2(random.uniform(-60, 9.4)), random.uniform(-1, 1)));
    add(random.uniform(-745, -708));
  }
  EXPECT_LT(normal.error, 0.9) << normal.at;
  EXPECT_LT(subnormal.error, 1.5) << subnormal.at;

  EXPECT_EQ(exp(0.0), 1.0);
  EXPECT_EQ(exp(-0.0), 1.0);
  EXPECT_LT(exp(709.782712893384), inf);
  EXPECT_EQ(exp(709.7827128933841), inf);
  EXPECT_EQ(exp(1e300), inf);
  EXPECT_EQ(exp(inf), inf);
  EXPECT_EQ(exp(-745.1332191019411), 5e-324);
  EXPECT_TRUE(same_bits(exp(-745.14), 0.0));
  EXPECT_TRUE(same_bits(exp(-inf), 0.0));
  EXPECT_TRUE(std::isnan(exp(nan)));
}

TEST(Elementary, ArcTangentOfRandomPoints) {
  Worst worst;
  const auto add = [&](double y, double x) {
    worst.add(y / x, atan2(y, x), std::atan2(static_cast<long double>(y), x));
  };
  RandomBits random;
  for (int i = 0; i < 400000; ++i) {
    const double turn = -3.1415926 + i * 6.2831852 / 400000;
    add(std::sin(turn), std::cos(turn));
    add(random.uniform(-1, 1), random.uniform(-1, 1));
    add(random.uniform(-1, 1), 1e-3 * random.uniform(-1, 1));
    add(1e-3 * random.uniform(-1, 1), random.uniform(-1, 1));
    add(random.uniform(0.4, 0.7), 1.0);  // where the reduction changes
    const double y = random.any(), x = random.any();
    if (std::isfinite(x) && std::isfinite(y)) add(y, x);
  }
  EXPECT_LT(worst.error, 1.6) << worst.at;
}

TEST(Elementary, ArcTangentAtSpecialPoints) {
  for (double y : special_values()) {
    for (double x : special_values()) {
      const double value = atan2(y, x), reference = std::atan2(y, x);
      EXPECT_EQ(std::isnan(value), std::isnan(reference)) << y << " " << x;
      EXPECT_EQ(std::signbit(value) && !std::isnan(value),
                std::signbit(reference) && !std::isnan(reference));
      if (!std::isnan(value)) {
        EXPECT_LE(ulps(value, std::atan2(static_cast<long double>(y), x)), 1.6) << y << " " << x;
      }
    }
  }
  EXPECT_TRUE(same_bits(atan2(0.0, 1.0), 0.0));
  EXPECT_TRUE(same_bits(atan2(-0.0, 1.0), -0.0));
  EXPECT_EQ(atan2(0.0, -1.0), std::numbers::pi);
  EXPECT_EQ(atan2(-0.0, -0.0), -std::numbers::pi);
  EXPECT_EQ(atan2(1.0, 0.0), std::numbers::pi / 2);
  EXPECT_EQ(atan2(1.0, 1.0), std::numbers::pi / 4);
  EXPECT_EQ(atan2(inf, -inf), 3 * std::numbers::pi / 4);
}

/// Lanes hold different kinds of values: large angles beside small ones and NaN.
template <int W>
void compare_with_double(const std::vector<double>& a, const std::vector<double>& b) {
  const auto expect = [](const char* name, double x, double lane, double alone) {
    ASSERT_TRUE(same_bits(lane, alone)) << name << " " << x << " W = " << W;
  };
  for (std::size_t k = 0; k + W <= a.size(); k += W) {
    const auto x = Batch<W>::load(&a[k]), y = Batch<W>::load(&b[k]);
    const auto s = sin(x), c = cos(x), e = exp(x), t = atan2(x, y);
    const auto both = sincos(x);
    for (int i = 0; i < W; ++i) {
      const double u = x.lane(i), v = y.lane(i);
      expect("sin", u, s.lane(i), sin(u));
      expect("cos", u, c.lane(i), cos(u));
      expect("sincos", u, both.sin.lane(i), sin(u));
      expect("sincos", u, both.cos.lane(i), cos(u));
      expect("exp", u, e.lane(i), exp(u));
      expect("atan2", u, t.lane(i), atan2(u, v));
    }
  }
}

TEST(Elementary, EveryWidthHasTheBitsOfDouble) {
  std::vector<double> a, b;
  for (double x : special_values())
    for (double y : special_values()) a.push_back(x), b.push_back(y);
  RandomBits random;
  for (int i = 0; i < 100000; ++i) {
    a.push_back(i % 5 == 0 ? random.any() : random.uniform(-800, 800));
    b.push_back(i % 7 == 0 ? random.any() : random.uniform(-800, 800));
  }
  compare_with_double<1>(a, b);
  compare_with_double<2>(a, b);
  compare_with_double<4>(a, b);
  compare_with_double<8>(a, b);
  compare_with_double<16>(a, b);
}

}  // namespace
}  // namespace tumble
