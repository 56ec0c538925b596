#include "tumble/math/vec3.hpp"

#include <gtest/gtest.h>

namespace tumble {
namespace {

using Vec = Vec3<double>;
using Mat = Mat3<double>;

const Vec a{1, -2, 3}, b{4, 0.5, -1}, c{-2, 7, 0.25};
const Mat m{{1, 2, 3, 4, 5, 6, 7, 8, 10}};

void expect_equal(const Vec& x, const Vec& y) {
  for (int k = 0; k < 3; ++k) EXPECT_DOUBLE_EQ(x[k], y[k]);
}
void expect_equal(const Mat& x, const Mat& y) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_DOUBLE_EQ(x(i, j), y(i, j));
}

TEST(Vec3, HandValues) {
  expect_equal(a + b, {5, -1.5, 2});
  expect_equal(a - b, {-3, -2.5, 4});
  expect_equal(2.0 * a, {2, -4, 6});
  EXPECT_DOUBLE_EQ(dot(a, b), 0);  // 4 - 1 - 3
  expect_equal(cross(a, b), {0.5, 13, 8.5});
  EXPECT_DOUBLE_EQ(norm(Vec{2, 3, 6}), 7);
}

TEST(Vec3, CrossProductIdentities) {
  expect_equal(cross(a, b), -cross(b, a));
  EXPECT_DOUBLE_EQ(dot(a, cross(b, c)), dot(c, cross(a, b)));
  expect_equal(cross(a, cross(b, c)), dot(a, c) * b - dot(a, b) * c);
}

TEST(Mat3, ProductsByRows) {
  expect_equal(m * a, {6, 12, 21});
  expect_equal(transpose_times(m, a), transpose(m) * a);
  expect_equal(m.column(1), {2, 5, 8});
  expect_equal((m * transpose(m)) * b, m * (transpose(m) * b));
  expect_equal(transpose_times(m, m), transpose(m) * m);
  expect_equal(Mat::identity() * m, m);
  expect_equal(Mat::from_columns(a, b, c).column(2), c);
}

TEST(Mat3, SkewIsTheCrossProductAndOuterTheDyad) {
  expect_equal(skew(a) * b, cross(a, b));
  expect_equal(skew(a) * skew(b), outer(b, a) - dot(a, b) * Mat::identity());
  expect_equal(outer(a, b) * c, dot(b, c) * a);
}

TEST(Vec3, LoadsAndStoresConsecutiveNumbers) {
  double p[9] = {1, 2, 3, 4, 5, 6, 7, 8, 10};
  expect_equal(load3(p + 3), {4, 5, 6});
  expect_equal(load9(p), m);
  store3(p, a);
  add3(p, b);
  expect_equal(load3(p), a + b);
}

}  // namespace
}  // namespace tumble
