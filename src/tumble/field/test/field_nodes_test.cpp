// Nodes of expansions, and functions of position.
#include "tumble/field/field_nodes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "tumble/field/position_function.hpp"

namespace tumble {
namespace {

TEST(FieldNodes, UniformNodesHaveBothEnds) {
  const FieldNodes nodes = uniform_nodes(std::vector{arc_length_curve(0.3)}, 11);
  ASSERT_EQ(nodes.points.size(), 11u);
  EXPECT_EQ(nodes.points.front().x, 0);
  EXPECT_EQ(nodes.points.back().x, 0.3);
  EXPECT_EQ(nodes.weights, std::vector<double>(11, 1.0));
  EXPECT_EQ(nodes.probes.front().x, 0);
  EXPECT_EQ(nodes.probes.back().x, 0.3);
  // Middles of gaps are among the probes.
  EXPECT_THAT(nodes.probes,
              testing::Contains(testing::Field(&Vec3d::x, testing::DoubleNear(0.015, 1e-15))));
}

TEST(FieldNodes, ShorterCurvesKeepTheSpacing) {
  const std::vector curves = {straight_curve({0, 0, 0}, {0, 3, 4}), arc_length_curve(1),
                              arc_length_curve(0.01)};
  EXPECT_EQ(uniform_nodes(curves, 11).points.size(), 11u + 3 + 2);
  EXPECT_EQ(gauss_legendre_nodes(curves, 10).points.size(), 10u + 2 + 2);
  const FieldNodes nodes = uniform_nodes(curves, 11);
  EXPECT_NEAR(nodes.points[5].y, 1.5, 1e-15);
  EXPECT_NEAR(nodes.points[5].z, 2.0, 1e-15);
}

// n points integrate polynomials of degree 2 n - 1 exactly; and the five points are known.
TEST(FieldNodes, GaussPointsIntegratePolynomials) {
  for (const std::size_t n : {2u, 3u, 10u, 64u, 501u}) {
    const FieldNodes nodes = gauss_legendre_nodes(std::vector{arc_length_curve(1)}, n);
    for (const std::size_t degree : {std::size_t{0}, std::size_t{1}, n, 2 * n - 1}) {
      const auto power = static_cast<double>(degree);
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j)
        sum += nodes.weights[j] * std::pow(nodes.points[j].x, power);
      EXPECT_NEAR(sum * (power + 1), 1, 1e-12) << n << " points, degree " << degree;
    }
    for (std::size_t j = 1; j < n; ++j) EXPECT_LT(nodes.points[j - 1].x, nodes.points[j].x);
  }
  const FieldNodes five = gauss_legendre_nodes(std::vector{arc_length_curve(2)}, 5);
  const double inner = std::sqrt(5 - 2 * std::sqrt(10.0 / 7)) / 3;
  const double outer = std::sqrt(5 + 2 * std::sqrt(10.0 / 7)) / 3;
  const double places[] = {1 - outer, 1 - inner, 1, 1 + inner, 1 + outer};
  for (int j = 0; j < 5; ++j) EXPECT_NEAR(five.points[j].x, places[j], 1e-15);
  EXPECT_NEAR(five.weights[0], (322 - 13 * std::sqrt(70.0)) / 900, 1e-15);
  EXPECT_NEAR(five.weights[2], 128.0 / 225, 1e-15);
}

TEST(FieldNodes, UsualCountsFollowTheCorrelationLength) {
  EXPECT_EQ(usual_node_count(std::vector{arc_length_curve(1)}, 2), 101u);
  EXPECT_EQ(usual_node_count(std::vector{arc_length_curve(1)}, 0.1), 201u);
  EXPECT_THROW(usual_node_count(std::vector{arc_length_curve(1)}, 0.001), std::invalid_argument);
}

TEST(FieldNodes, RefusesCurvesThatCarryNothing) {
  EXPECT_THROW(uniform_nodes({}, 11), std::invalid_argument);
  EXPECT_THROW(uniform_nodes(std::vector{arc_length_curve(0)}, 11), std::invalid_argument);
  EXPECT_THROW(uniform_nodes(std::vector{arc_length_curve(1)}, 1), std::invalid_argument);
  EXPECT_THROW(gauss_legendre_nodes(std::vector{arc_length_curve(1)}, 1), std::invalid_argument);
}

TEST(PositionFunction, IsConstantOrAnyFunctionOrATable) {
  EXPECT_EQ(PositionFunction(3.5)({7, 8, 9}), 3.5);
  const PositionFunction product([](const Vec3d& p) { return p.x * p.y; });
  EXPECT_EQ(product({2, 3, 4}), 6);
  const auto table = PositionFunction::piecewise_linear({{0, 1}, {1, 3}, {4, 0}});
  EXPECT_EQ(table({0, 9, 9}), 1);
  EXPECT_EQ(table({0.5, 9, 9}), 2);
  EXPECT_EQ(table({1, 9, 9}), 3);
  EXPECT_EQ(table({2, 9, 9}), 2);
  EXPECT_EQ(table({4, 9, 9}), 0);
  EXPECT_EQ(table({4 + 1e-12, 9, 9}), 0);
  const auto over_z =
      PositionFunction::piecewise_linear({{0, 1}, {2, 5}}, PositionFunction::Axis::z);
  EXPECT_EQ(over_z({9, 9, 1}), 3);
}

TEST(PositionFunction, RefusesTablesOutOfOrderAndPlacesOutside) {
  EXPECT_THROW(PositionFunction::piecewise_linear({{0, 1}}), std::invalid_argument);
  EXPECT_THROW(PositionFunction::piecewise_linear({{0, 1}, {0, 2}}), std::invalid_argument);
  EXPECT_THROW(PositionFunction::piecewise_linear({{0, 1}, {1, NAN}}), std::invalid_argument);
  const auto table = PositionFunction::piecewise_linear({{0, 1}, {1, 3}});
  EXPECT_THROW(table({1.001, 0, 0}), std::invalid_argument);
  EXPECT_THROW(table({-0.001, 0, 0}), std::invalid_argument);
  const PositionFunction endless(std::numeric_limits<double>::infinity());
  EXPECT_THROW(endless({0, 0, 0}), std::invalid_argument);
}

}  // namespace
}  // namespace tumble
