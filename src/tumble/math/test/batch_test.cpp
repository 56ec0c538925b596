#include "tumble/math/batch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <type_traits>
#include <vector>

#include "lane_inputs.hpp"
#include "tumble/math/cubic_spline.hpp"
#include "tumble/math/rotation.hpp"

namespace tumble {
namespace {

template <class S>
class BatchTest : public testing::Test {
 protected:
  static constexpr int width = lane_count<S>;

  static S batch(const std::vector<double>& values, std::size_t first) {
    S x;
    for (int i = 0; i < width; ++i) x.set_lane(i, values[(first + std::size_t(i)) % values.size()]);
    return x;
  }

  /// Pairs of special values and of random ones, in an order that mixes them over the lanes.
  BatchTest() {
    for (double x : special_values())
      for (double y : special_values()) a.push_back(x), b.push_back(y);
    RandomBits random;
    for (int i = 0; i < 4000; ++i) a.push_back(random.any()), b.push_back(random.any());
    for (int i = 0; i < 4000; ++i) {
      a.push_back(random.uniform(-9, 9)), b.push_back(random.uniform(-9, 9));
    }
  }

  /// Compares f on batches with f on doubles, lane by lane.
  template <class F>
  void expect_same(const char* name, F f) {
    for (std::size_t k = 0; k < a.size(); k += width) {
      const S x = batch(a, k), y = batch(b, k), result = f(x, y);
      for (int i = 0; i < width; ++i) {
        const double expected = f(x.lane(i), y.lane(i));
        ASSERT_TRUE(same_bits(result.lane(i), expected))
            << name << "(" << x.lane(i) << ", " << y.lane(i) << ") = " << result.lane(i) << ", not "
            << expected;
      }
    }
  }
  template <class F>
  void expect_same_mask(const char* name, F f) {
    for (std::size_t k = 0; k < a.size(); k += width) {
      const S x = batch(a, k), y = batch(b, k);
      const auto mask = f(x, y);
      for (int i = 0; i < width; ++i)
        ASSERT_EQ(mask.lane(i), bool(f(x.lane(i), y.lane(i)))) << name << x.lane(i) << y.lane(i);
    }
  }

  std::vector<double> a, b;
};

using Widths = testing::Types<Batch<1>, Batch<2>, Batch<4>, Batch<8>, Batch<16>>;
TYPED_TEST_SUITE(BatchTest, Widths);

TYPED_TEST(BatchTest, IsAsManyDoublesAndNaturallyAligned) {
  using S = TypeParam;
  constexpr int count = lane_count<S>;
  static_assert(sizeof(S) == 8 * count && alignof(S) == 8 * count);
  static_assert(std::is_trivially_copyable_v<S>);
  static_assert(!std::is_convertible_v<Mask<S>, bool> && !std::is_constructible_v<bool, Mask<S>>);
  static_assert(!std::is_constructible_v<bool, S>);

  std::vector<S> many(5);
  for (const S& x : many) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&x) % alignof(S), 0u);
    for (int i = 0; i < count; ++i) EXPECT_TRUE(same_bits(x.lane(i), 0.0));
  }
  std::vector<double> numbers(2 * std::size_t(count) + 1);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = double(i);
  const S x = S::load(numbers.data() + 1);
  for (int i = 0; i < count; ++i) EXPECT_EQ(x.lane(i), i + 1);
  EXPECT_EQ(first_lane(x), 1.0);
  x.store(numbers.data());
  EXPECT_EQ(numbers[std::size_t(count) - 1], count);
  EXPECT_EQ(numbers[std::size_t(count)], count);
}

TYPED_TEST(BatchTest, Broadcasts) {
  using S = TypeParam;
  for (double value : special_values()) {
    const S x(value), implicit = value;
    for (int i = 0; i < lane_count<S>; ++i) {
      EXPECT_TRUE(same_bits(x.lane(i), value));
      EXPECT_TRUE(same_bits(implicit.lane(i), value));
    }
  }
}

TYPED_TEST(BatchTest, ArithmeticIsThatOfDoubles) {
  this->expect_same("+", [](const auto& x, const auto& y) { return x + y; });
  this->expect_same("-", [](const auto& x, const auto& y) { return x - y; });
  this->expect_same("*", [](const auto& x, const auto& y) { return x * y; });
  this->expect_same("/", [](const auto& x, const auto& y) { return x / y; });
  this->expect_same("neg", [](const auto& x, const auto&) { return -x; });
  this->expect_same("+=", [](const auto& x, const auto& y) {
    auto r = x;
    return r += y;
  });
  this->expect_same("-=", [](const auto& x, const auto& y) {
    auto r = x;
    return r -= y;
  });
  this->expect_same("*=", [](const auto& x, const auto& y) {
    auto r = x;
    return r *= y;
  });
  this->expect_same("/=", [](const auto& x, const auto& y) {
    auto r = x;
    return r /= y;
  });
  this->expect_same("2 x - y/3", [](const auto& x, const auto& y) { return 2.0 * x - y / 3.0; });
}

TYPED_TEST(BatchTest, FunctionsAreThoseOfDoubles) {
  this->expect_same("sqrt", [](const auto& x, const auto&) { return sqrt(x); });
  this->expect_same("abs", [](const auto& x, const auto&) { return abs(x); });
  this->expect_same("copysign", [](const auto& x, const auto& y) { return copysign(x, y); });
  this->expect_same("min", [](const auto& x, const auto& y) { return min(x, y); });
  this->expect_same("max", [](const auto& x, const auto& y) { return max(x, y); });
  this->expect_same("max(x, 0 x)", [](const auto& x, const auto&) { return max(x, 0.0 * x); });
  this->expect_same("round", [](const auto& x, const auto&) { return round(x); });
  this->expect_same("fma", [](const auto& x, const auto& y) { return fma(x, y, x); });
  this->expect_same(
      "fma", [](const auto& x, const auto& y) { return fma(x, y, -(x * y)); });  // rounding error
  this->expect_same("fnma", [](const auto& x, const auto& y) { return fnma(x, y, x * y); });
  this->expect_same("2^n", [](const auto& x, const auto&) {
    using S = std::decay_t<decltype(x)>;
    const auto n = round(max(S(-1022.0), min(S(1023.0), x)));
    return power_of_two(select(n == n, n, S(0.0)));
  });
}

TYPED_TEST(BatchTest, ComparisonsAreThoseOfDoubles) {
  this->expect_same_mask("<", [](const auto& x, const auto& y) { return x < y; });
  this->expect_same_mask("<=", [](const auto& x, const auto& y) { return x <= y; });
  this->expect_same_mask(">", [](const auto& x, const auto& y) { return x > y; });
  this->expect_same_mask(">=", [](const auto& x, const auto& y) { return x >= y; });
  this->expect_same_mask("==", [](const auto& x, const auto& y) { return x == y; });
  this->expect_same_mask("!=", [](const auto& x, const auto& y) { return x != y; });
  this->expect_same_mask("!(<)", [](const auto& x, const auto& y) { return !(x < y); });
  this->expect_same_mask(
      "| &", [](const auto& x, const auto& y) { return (x < y) | ((x > y) & (x < 1.0)); });
  this->expect_same("select", [](const auto& x, const auto& y) { return select(x < y, x * y, y); });
  this->expect_same(
      "select", [](const auto& x, const auto& y) { return select((x < y) | (y < 0.0), -y, x); });
}

TYPED_TEST(BatchTest, MasksAnswerForAllLanes) {
  using M = Mask<TypeParam>;
  constexpr int count = lane_count<TypeParam>;
  EXPECT_TRUE(none(M()) && !any(M()) && !all(M()));
  EXPECT_TRUE(all(M(true)) && any(M(true)) && !none(M(true)));
  EXPECT_TRUE(none(M(false)));
  for (int i = 0; i < count; ++i) {
    M one, rest(true);
    one.set_lane(i, true), rest.set_lane(i, false);
    EXPECT_TRUE(any(one) && !none(one));
    EXPECT_EQ(all(one), count == 1);
    EXPECT_FALSE(all(rest));
    EXPECT_EQ(any(rest), count > 1);
    EXPECT_EQ(one.to_bits(), 1 << i);
    EXPECT_EQ((!rest).to_bits(), one.to_bits());
    EXPECT_TRUE(none(one & rest) && all(one | rest));
    for (int j = 0; j < count; ++j) EXPECT_EQ(one.lane(j), i == j);
  }
}

TEST(Scalar, RoundsToEvenAsTheStandardLibraryDoes) {
  RandomBits random;
  std::vector<double> values = special_values();
  for (int i = 0; i < 100000; ++i) {
    values.push_back(random.any());
    values.push_back(random.uniform(-0x1p53, 0x1p53));
    values.push_back(0.25 * double(random() % 100));
  }
  for (double x : values) {
    EXPECT_TRUE(same_bits(round(x), std::nearbyint(x))) << x;
    EXPECT_TRUE(same_bits(sqrt(x), std::sqrt(x))) << x;
    EXPECT_TRUE(same_bits(abs(x), std::fabs(x))) << x;
  }
  for (int n = -1022; n <= 1023; ++n) EXPECT_EQ(power_of_two(n), std::ldexp(1.0, n));
}

/// A spline in every lane, each through points of its own.
TYPED_TEST(BatchTest, FindsIntervalsPerLane) {
  using S = TypeParam;
  constexpr int count = lane_count<S>;
  for (int points : {1, 2, 3, 4, 5, 17, 100}) {
    const CubicSpline spline(points);
    const auto size = std::size_t(spline.constants_size());
    RandomBits random;
    std::vector<S> constants(size);
    std::vector<std::vector<double>> lanes(count, std::vector<double>(size));
    for (int lane = 0; lane < count; ++lane) {
      std::vector<double> x, y;
      for (int i = 0; i < points; ++i) x.push_back(random.uniform(-1, 1));
      for (int i = 0; i < points; ++i) y.push_back(random.uniform(-1, 1));
      std::sort(x.begin(), x.end());
      auto& own = lanes[std::size_t(lane)];
      spline.write_natural(x, y, own.data());
      for (std::size_t k = 0; k < size; ++k) constants[k].set_lane(lane, own[k]);
    }
    for (int trial = 0; trial < 200; ++trial) {
      S x;
      for (int i = 0; i < count; ++i) x.set_lane(i, random.uniform(-1.2, 1.2));
      // Now and then on a knot, or at a value that is nowhere.
      if (trial % 5 == 0) x = constants[random() % std::size_t(points)];
      if (trial % 7 == 0) x.set_lane(0, std::numeric_limits<double>::quiet_NaN());
      const auto index = find_interval(constants.data(), points, x);
      const auto result = spline.evaluate(constants.data(), index, x);
      for (int i = 0; i < count; ++i) {
        const double* own = lanes[std::size_t(i)].data();
        const int expected = find_interval(own, points, x.lane(i));
        ASSERT_EQ(index.lane[i], expected);
        const auto alone = spline.evaluate(own, expected, x.lane(i));
        EXPECT_TRUE(same_bits(result.value.lane(i), alone.value));
        EXPECT_TRUE(same_bits(result.rate.lane(i), alone.rate));
        EXPECT_TRUE(same_bits(result.second.lane(i), alone.second));
      }
    }
  }
}

/// The templates of rotation.hpp with a batch: small and large angles side by side.
TYPED_TEST(BatchTest, DropsIntoKernels) {
  this->expect_same("exp_quaternion", [](const auto& x, const auto& y) {
    using S = std::decay_t<decltype(x)>;
    const auto q = exp_quaternion(Vec3<S>{x, y, S(0.5)});
    return q.w + q.x * q.y;
  });
  this->expect_same("rotation_vector", [](const auto& x, const auto& y) {
    using S = std::decay_t<decltype(x)>;
    return norm(rotation_vector(normalized(Quaternion<S>{x, y, S(0.1), S(-0.2)})));
  });
  // Around the angles where a longer series takes over, so that neighbours take different ones.
  this->expect_same("small angles", [](const auto& x, const auto& y) {
    using S = std::decay_t<decltype(x)>;
    const Vec3<S> u{S(0.01) * x, S(0.004) * y, S(0.001)};
    const auto q = exp_quaternion(u);
    const auto tangent = rotation_coefficients(dot(u, u));
    const auto inverse = inverse_tangent_coefficients(min(dot(u, u), S(30.0)));
    return norm(rotation_vector(q)) + q.x * tangent.cosc + tangent.sinc * tangent.sinc_rest +
           inverse.c * inverse.slope;
  });
}

}  // namespace
}  // namespace tumble
