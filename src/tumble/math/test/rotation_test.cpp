#include "tumble/math/rotation.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <random>
#include <vector>

namespace tumble {
namespace {

using Vec = Vec3<double>;
using Mat = Mat3<double>;
using Quat = Quaternion<double>;

constexpr double pi = std::numbers::pi;
constexpr double eps = 2.220446049250313e-16;

/// Directions spread over the sphere, the same on every machine.
std::vector<Vec> directions() {
  std::mt19937 engine(7);
  const auto number = [&] { return static_cast<double>(engine()) / 2147483648.0 - 1; };
  std::vector<Vec> out = {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}};
  while (out.size() < 20) {
    const Vec d{number(), number(), number()};
    if (norm(d) > 0.1 && norm(d) < 1) out.push_back((1 / norm(d)) * d);
  }
  return out;
}

double distance(const Vec& a, const Vec& b) { return norm(a - b); }
double distance(const Mat& a, const Mat& b) {
  double d = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) d = std::max(d, std::fabs(a(i, j) - b(i, j)));
  return d;
}

TEST(Rotation, ProductOfQuaternionsIsThatOfMatrices) {
  const auto d = directions();
  for (std::size_t i = 0; i + 1 < d.size(); ++i) {
    const Quat a = exp_quaternion(2.0 * d[i]), b = exp_quaternion(-1.3 * d[i + 1]);
    EXPECT_LT(distance(matrix(a * b), matrix(a) * matrix(b)), 8 * eps);
    EXPECT_LT(distance(matrix(a * conjugate(a)), Mat::identity()), 8 * eps);
    EXPECT_LT(distance(matrix(conjugate(a)), transpose(matrix(a))), 8 * eps);
    EXPECT_LT(distance(transpose_times(matrix(a), matrix(a)), Mat::identity()), 8 * eps);
    const Quat c = exp_quaternion(0.4 * d[0]);
    EXPECT_LT(distance(matrix((a * b) * c), matrix(a * (b * c))), 8 * eps);
  }
}

TEST(Rotation, ExponentialByHand) {
  const Mat quarter = matrix(exp_quaternion(Vec{0, 0, pi / 2}));
  EXPECT_LT(distance(quarter * Vec{1, 0, 0}, Vec{0, 1, 0}), 4 * eps);
  EXPECT_LT(distance(quarter * Vec{0, 1, 0}, Vec{-1, 0, 0}), 4 * eps);
  const Quat none = exp_quaternion(Vec{});
  EXPECT_EQ(none.w, 1);
  EXPECT_EQ(norm(none.vector()), 0);
}

TEST(Rotation, LogarithmUndoesTheExponential) {
  // Up to half a turn, where the vector is unique; both sides of both series' ends; tiny angles
  // keep their relative accuracy.
  for (const double angle : {0.0, 1e-300, 1e-12, 1e-8, 1e-3, 0.3, 0.346, 0.348, 1.0, 1.9999, 2.0001,
                             3.0, pi - 1e-4, pi - 1e-8})
    for (const Vec& d : directions()) {
      const Vec u = angle * d;
      EXPECT_LE(distance(rotation_vector(exp_quaternion(u)), u), 8 * eps * angle) << angle;
    }
}

TEST(Rotation, TheLogarithmNearestToAnExpectedVectorCountsTurns) {
  for (const double angle : {0.0, 0.3, 3.0, 3.3, 6.0, 6.2, 6.4, 9.5, 12.4, 12.7, 40.0})
    for (const Vec& d : directions()) {
      const Vec u = angle * d;
      // Expected up to a radian further along, and a little beside it.
      for (const double along : {-1.0, 0.0, 1.0}) {
        const Vec expected = u + along * d + Vec{0.01, -0.02, 0.01};
        EXPECT_LT(distance(rotation_vector_near(exp_quaternion(u), expected), u), 1e-12) << angle;
      }
    }
  // A whole turn has no axis of its own.
  const Vec d = directions()[3];
  EXPECT_LT(distance(rotation_vector_near(exp_quaternion(4 * pi * d), 12.0 * d), 4 * pi * d),
            1e-12);
  // Where nothing has turned it is the logarithm itself, bit by bit.
  const Quat q = exp_quaternion(Vec{0.3, -0.2, 0.9});
  const Vec plain = rotation_vector(q), near = rotation_vector_near(q, Vec{0.2, 0.1, 0.5});
  EXPECT_EQ(plain.x, near.x);
  EXPECT_EQ(plain.y, near.y);
  EXPECT_EQ(plain.z, near.z);
}

TEST(Rotation, AtAndBeyondHalfATurn) {
  for (const Vec& d : directions()) {
    // At π both ±π d are the same rotation.
    const Vec half = rotation_vector(exp_quaternion(pi * d));
    EXPECT_NEAR(norm(half), pi, 8 * eps);
    EXPECT_NEAR(std::fabs(dot(half, d)), pi, 16 * eps);
    // Beyond it the short way round is returned.
    EXPECT_LT(distance(rotation_vector(exp_quaternion((2 * pi - 0.5) * d)), -0.5 * d), 32 * eps);
  }
}

TEST(Rotation, CoefficientsAgreeWithTheirFormulasAcrossTheSwitch) {
  for (const double t : {0.25, 0.9, 1 - 1e-12, 1.0, 1 + 1e-12, 1.1, 4.0, 30.0}) {
    // Extended precision makes up for the digits that the plain formulas lose.
    const long double angle = std::sqrt(static_cast<long double>(t));
    const auto c = rotation_coefficients(t);
    EXPECT_NEAR(c.sinc, static_cast<double>(std::sin(angle) / angle), 2 * eps) << t;
    EXPECT_NEAR(c.cosc, static_cast<double>((1 - std::cos(angle)) / (angle * angle)), 2 * eps) << t;
    EXPECT_NEAR(c.sinc_rest,
                static_cast<double>((angle - std::sin(angle)) / (angle * angle * angle)), 2 * eps)
        << t;
  }
  const auto zero = rotation_coefficients(0.0);
  EXPECT_EQ(zero.sinc, 1);
  EXPECT_EQ(zero.cosc, 0.5);
  EXPECT_DOUBLE_EQ(zero.sinc_rest, 1.0 / 6);
}

/// Σ_k c_k t^k by its own recurrence in extended precision, to the last digit.
template <class Ratio>
double series(double first, double t, const Ratio& ratio) {
  long double term = first, sum = first;
  for (int k = 1; k < 60; ++k) sum += term *= ratio(k) * static_cast<long double>(t);
  return static_cast<double>(sum);
}

// Where the short series ends and the long one begins, both must be as good as a double gets.
TEST(Rotation, ShortSeriesEndWhereTheyAreExact) {
  const auto alternating = [](int first) {
    return [first](int k) { return -1.0L / ((2 * k + first) * (2.0L * k + first - 1)); };
  };
  for (const double t :
       {1e-12, 1e-5, 0x1p-11 - 0x1p-63, 0x1p-11, 0x1p-10 - 0x1p-62, 0x1p-10, 0.002, 0.02}) {
    const auto c = rotation_coefficients(t);
    EXPECT_NEAR(c.sinc, series(1, t, alternating(1)), eps) << t;
    EXPECT_NEAR(c.cosc, series(0.5, t, alternating(2)), eps) << t;
    EXPECT_NEAR(c.sinc_rest, series(1, t, alternating(3)) / 6, eps / 2) << t;
    // exp_quaternion looks at a quarter of the square, rotation_vector at sin²(θ/2).
    const Quat q = exp_quaternion(Vec{0, 2 * std::sqrt(t), 0});
    EXPECT_NEAR(q.w, series(1, t, alternating(0)), eps) << t;
    EXPECT_NEAR(q.y, std::sqrt(t) * series(1, t, alternating(1)), 2 * eps * std::sqrt(t)) << t;
    const double x = std::sqrt(t);
    const Vec u = rotation_vector(Quat{std::sqrt(1 - t), 0, x, 0});
    const auto arcsine = [](int k) {
      return (2.0L * k - 1) * (2 * k - 1) / (2.0L * k * (2 * k + 1));
    };
    EXPECT_NEAR(u.y, 2 * x * series(1, x * x, arcsine), 4 * eps * x) << t;
  }
}

TEST(Rotation, InverseTangentCoefficientsAgreeWithTheirFormulasAcrossTheSwitch) {
  for (const double t : {0.1, 0.5, 1 - 1e-12, 1.0, 1 + 1e-12, 1.5, 6.0, 9.8, 30.0}) {
    const long double angle = std::sqrt(static_cast<long double>(t)), half = angle / 2;
    const long double cotangent = std::cos(half) / std::sin(half);
    const auto c = inverse_tangent_coefficients(t);
    EXPECT_NEAR(c.c, static_cast<double>((1 - half * cotangent) / (angle * angle)),
                4 * eps * (1 + std::fabs(c.c)))
        << t;
    const long double sine = std::sin(half);
    const long double slope = (-2 / (angle * angle * angle) + cotangent / (2 * angle * angle) +
                               1 / (4 * angle * sine * sine)) /
                              angle;
    // At the switch three terms of order one leave 0.003: the closed form keeps 13 digits of it.
    EXPECT_NEAR(c.slope, static_cast<double>(slope), 8 * eps * (1 + std::fabs(c.slope))) << t;
  }
  // The short series against the first terms that it leaves out.
  for (const double t : {0x1p-10 - 0x1p-62, 0x1p-10}) {
    const double c = 1.0 / 12 + t * (1.0 / 720 + t * (1.0 / 30240 + t * (1.0 / 1209600)));
    const double slope = 2.0 / 720 + t * (4.0 / 30240 + t * (6.0 / 1209600 + t * 8.0 / 47900160));
    EXPECT_NEAR(inverse_tangent_coefficients(t).c, c + std::pow(t, 4) / 47900160, eps / 8) << t;
    EXPECT_NEAR(inverse_tangent_coefficients(t).slope,
                slope + 10 * 5.284190138687493e-10 * std::pow(t, 4), eps / 256)
        << t;
  }
  EXPECT_DOUBLE_EQ(inverse_tangent_coefficients(0.0).c, 1.0 / 12);
  EXPECT_DOUBLE_EQ(inverse_tangent_coefficients(0.0).slope, 2.0 / 720);
}

TEST(Rotation, TangentIsTheRateOfTheExponential) {
  // R = exp(u + s x): its body rate is T(u) x. Fourth-order differences of step 1e-3 err by about
  // h⁴/30 and eps/h, some 1e-13.
  const double h = 1e-3;
  const auto d = directions();
  for (const double angle : {0.0, 1e-8, 0.5, 0.999, 1.001, 3.0, 6.0})
    for (std::size_t i = 0; i + 1 < d.size(); ++i) {
      const Vec u = angle * d[i], x = d[i + 1];
      const Quat back = conjugate(exp_quaternion(u));
      const auto relative = [&](double s) {
        return rotation_vector(back * exp_quaternion(u + s * x));
      };
      const Vec rate = (1 / (12 * h)) *
                       (8.0 * (relative(h) - relative(-h)) - (relative(2 * h) - relative(-2 * h)));
      EXPECT_LT(distance(right_tangent(u) * x, rate), 2e-12) << angle;
    }
}

TEST(Rotation, InverseTangentsUndoTheTangents) {
  for (const double angle : {0.0, 1e-8, 0.7, 0.999, 1.001, 2.5, 3.1, 5.0})
    for (const Vec& d : directions()) {
      const Vec u = angle * d;
      const Mat k = skew(u);
      const double c = inverse_tangent_coefficients(dot(u, u)).c;
      const Mat right = Mat::identity() + 0.5 * k + c * (k * k);
      const Mat left = Mat::identity() - 0.5 * k + c * (k * k);
      // The inverse grows towards a full turn: at 5 rad it is 4 times the identity.
      EXPECT_LT(distance(right * right_tangent(u), Mat::identity()), 32 * eps) << angle;
      EXPECT_LT(distance(left * right_tangent(-u), Mat::identity()), 32 * eps) << angle;
    }
}

}  // namespace
}  // namespace tumble
