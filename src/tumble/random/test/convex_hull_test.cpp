// Convex hulls: combinatorics by Euler's formula, volumes, points that lie in planes of others, and
// distances against a brute search.
#include "tumble/random/domain/convex_hull.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "tumble/random/domain/half_spaces.hpp"

namespace tumble {
namespace {

Vec3d uniform_point(Draws& draws) {
  const double x = draws.uniform(), y = draws.uniform(), z = draws.uniform();
  return {x, y, z};
}

void expect_closed_and_convex(const ConvexHull& hull, const std::vector<Vec3d>& points) {
  const TriangleSurface& surface = hull.surface();
  EXPECT_NO_THROW(require_closed(surface));
  EXPECT_EQ(surface.triangles.size(), 2 * surface.vertices.size() - 4);  // Euler
  for (const Vec3d& p : points) EXPECT_LE(hull.distance(p), 3e-12);
}

TEST(ConvexHull, OfRandomPointsHoldsThemAll) {
  Draws draws(Stream(2, 0, 0));
  for (const int count : {4, 5, 10, 100, 2000}) {
    std::vector<Vec3d> points;
    for (int i = 0; i < count; ++i) points.push_back(uniform_point(draws));
    expect_closed_and_convex(ConvexHull(points), points);
  }
}

// All points are vertices; a polyhedron inscribed in the unit sphere.
TEST(ConvexHull, OfPointsOnASphereHasAllOfThem) {
  Draws draws(Stream(3, 0, 0));
  std::vector<Vec3d> points;
  for (int i = 0; i < 1000; ++i) {
    const double z = 2 * draws.uniform() - 1, angle = 2 * std::numbers::pi * draws.uniform();
    const double r = std::sqrt(1 - z * z);
    points.push_back({r * std::cos(angle), r * std::sin(angle), z});
  }
  const ConvexHull hull(points);
  expect_closed_and_convex(hull, points);
  EXPECT_EQ(hull.surface().vertices.size(), 1000u);
  const double volume = enclosed_volume(hull.surface()).volume;
  EXPECT_LT(volume, 4.0 / 3 * std::numbers::pi);
  EXPECT_GT(volume, 0.97 * 4.0 / 3 * std::numbers::pi);
}

// A grid of points, most of them in facets, on edges, repeated, or inside: straight and turned.
TEST(ConvexHull, OfAGridIsABox) {
  for (const double angle : {0.0, 0.7}) {
    std::vector<Vec3d> points;
    for (int repeat = 0; repeat < 2; ++repeat)
      for (int i = 0; i <= 6; ++i)
        for (int j = 0; j <= 5; ++j)
          for (int k = 0; k <= 4; ++k) {
            const double x = i / 6.0, y = 0.2 * j, z = 0.5 * k;
            points.push_back({std::cos(angle) * x - std::sin(angle) * y,
                              std::sin(angle) * x + std::cos(angle) * y, z + std::sin(angle) * x});
          }
    const ConvexHull hull(points);
    EXPECT_NEAR(enclosed_volume(hull.surface()).volume, 2.0, 1e-11);
    for (const Vec3d& p : points) EXPECT_LE(hull.distance(p), 3e-12);
    EXPECT_NO_THROW(require_closed(hull.surface()));
    if (angle == 0) {
      EXPECT_LE(hull.surface().vertices.size(), 12u);  // 8 and the four it started from
    }
  }
}

TEST(ConvexHull, MeasuresDistances) {
  const ConvexHull cube(
      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}});
  EXPECT_DOUBLE_EQ(cube.distance({0.5, 0.5, 0.5}), -0.5);
  EXPECT_DOUBLE_EQ(cube.distance({0.5, 0.9, 0.5}), 0.9 - 1.0);
  EXPECT_DOUBLE_EQ(cube.distance({0.3, 0.2, 3}), 2.0);
  EXPECT_DOUBLE_EQ(cube.distance({2, 0.5, 2}), std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(cube.distance({2, -1, 2}), std::sqrt(3.0));
  EXPECT_NEAR(cube.distance({1, 0.5, 0.5}), 0.0, 1e-15);
}

TEST(ConvexHull, RefusesWhatHasNoVolume) {
  const auto message = [](const std::vector<Vec3d>& points) {
    try {
      ConvexHull hull(points);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(message({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}),
              testing::HasSubstr("3 points have no convex hull with a volume"));
  EXPECT_THAT(message({{0, 0, 0}, {1, 0, 1}, {0, 1, 0}, {1, 1, 1}, {2, 0, 2}}),
              testing::HasSubstr("the 5 points lie in one plane"));
  EXPECT_THAT(message({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}),
              testing::HasSubstr("lie in one plane"));
  EXPECT_THAT(message({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}),
              testing::HasSubstr("lie in one plane"));
  EXPECT_THAT(message({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, NAN}}),
              testing::HasSubstr("point 4 = (0, 0, nan) must have finite coordinates"));
}

TEST(HalfSpaces, OfAPyramidHaveItsCorners) {
  // Four planes meet at the apex (0, 0, 1); the base is the square |x|, |y| <= 1.
  const std::vector<HalfSpace> pyramid{{{2, 0, 2}, 2},  {{-1, 0, 1}, 1}, {{0, 1, 1}, 1},
                                       {{0, -1, 1}, 1}, {{0, 0, -1}, 0}, {{0, 0, 1}, 5}};
  std::set<std::array<int, 3>> corners;
  for (const Vec3d& c : corners_of(pyramid)) {
    const std::array<int, 3> near{static_cast<int>(std::lround(c.x)),
                                  static_cast<int>(std::lround(c.y)),
                                  static_cast<int>(std::lround(c.z))};
    EXPECT_NEAR(c.x, near[0], 1e-14);
    EXPECT_NEAR(c.y, near[1], 1e-14);
    EXPECT_NEAR(c.z, near[2], 1e-14);
    EXPECT_TRUE(corners.insert(near).second) << "twice";
  }
  EXPECT_EQ(corners, (std::set<std::array<int, 3>>{
                         {0, 0, 1}, {1, 1, 0}, {1, -1, 0}, {-1, 1, 0}, {-1, -1, 0}}));
}

TEST(HalfSpaces, RefusesWhatIsOpenOrEmpty) {
  const auto message = [](const std::vector<HalfSpace>& half_spaces) {
    try {
      corners_of(half_spaces);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const HalfSpace right{{1, 0, 0}, 1}, left{{-1, 0, 0}, 1}, back{{0, 1, 0}, 1},
      front{{0, -1, 0}, 1}, top{{0, 0, 1}, 1};
  EXPECT_THAT(message({right, left, back}), testing::HasSubstr("3 half-spaces cannot enclose"));
  EXPECT_THAT(
      message({right, left, back, front, top}),
      testing::HasSubstr("leave the domain open in the direction (0, 0, -1), along the edge "
                         "of half-spaces 1 and 3"));
  EXPECT_THAT(message({right, left, right, left}),
              testing::HasSubstr("have no corner in common: they exclude each other, or leave"));
  EXPECT_THAT(message({right, left, back, front, top, {{0, 0, -1}, -2}}),
              testing::HasSubstr("have no corner in common"));
  EXPECT_THAT(message({right, left, back, {{0, 0, 0}, 1}}),
              testing::HasSubstr("normal of half-space 4 = (0, 0, 0) has no direction"));
  EXPECT_THAT(message({right, left, back, {{0, 0, 1}, INFINITY}}),
              testing::HasSubstr("offset of half-space 4 = inf must be finite"));
}

}  // namespace
}  // namespace tumble
