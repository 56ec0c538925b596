// Sections by shape: constants in closed form, and those that are computed against them.
#include "tumble/beam/polygon_section.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "tumble/beam/structural.hpp"

namespace tumble::beam {
namespace {

using Corners = std::vector<std::array<double, 2>>;
constexpr double pi = std::numbers::pi;

Corners rectangle(double height, double width) {
  return {{0, 0}, {height, 0}, {height, width}, {0, width}};
}
/// About x, then moved: centroid, principal moments and J do not care.
Corners turned(Corners corners, double angle, double y, double z) {
  for (auto& [a, b] : corners) {
    const double u = a, v = b;
    a = y + std::cos(angle) * u - std::sin(angle) * v;
    b = z + std::sin(angle) * u + std::cos(angle) * v;
  }
  return corners;
}
Corners i_corners(double h, double b, double web, double flange) {
  const double y = h / 2, inner = y - flange, z = b / 2, t = web / 2;
  return {{-y, -z}, {-inner, -z}, {-inner, -t}, {inner, -t}, {inner, -z}, {y, -z},
          {y, z},   {inner, z},   {inner, t},   {-inner, t}, {-inner, z}, {-y, z}};
}

TEST(PolygonSection, IsTheRectangleWithItsCorners) {
  for (const auto& [height, width] : {std::pair{0.3, 0.1}, std::pair{0.02, 0.02}}) {
    const Section exact = Section::rectangular(height, width);
    const auto s = polygon_numbers(rectangle(height, width), true);
    EXPECT_NEAR(s.area, exact.area(), 1e-14 * exact.area());
    EXPECT_NEAR(s.I_y, exact.I_y(), 1e-13 * exact.I_y());
    EXPECT_NEAR(s.I_z, exact.I_z(), 1e-13 * exact.I_z());
    EXPECT_EQ(s.angle, 0);
    EXPECT_NEAR(s.centroid[0], height / 2, 1e-15);
    // The bounds from above and below hold, and are close.
    EXPECT_LE(std::abs(s.torsion - exact.torsion_constant()), s.torsion_error);
    EXPECT_LT(s.torsion_error, 1e-4 * s.torsion);
    EXPECT_NEAR(s.torsion, exact.torsion_constant(), 2e-6 * s.torsion);
    // Cowper's closed form of his own integral.
    for (const double nu : {-0.5, 0.0, 0.3, 0.49}) {
      EXPECT_NEAR(s.shear_y.coefficient(nu), exact.shear_coefficient_y(nu), 2e-6) << nu;
      EXPECT_NEAR(s.shear_z.coefficient(nu), exact.shear_coefficient_z(nu), 2e-6) << nu;
    }
  }
}

TEST(PolygonSection, HasTheConstantsOfATriangle) {
  // Equilateral of side 1: J = √3/80 (Timoshenko & Goodier, § 107), I = √3/96.
  const double height = std::sqrt(3) / 2;
  const auto s = polygon_numbers({{0, 0}, {1, 0}, {0.5, height}}, true);
  EXPECT_NEAR(s.area, height / 2, 1e-15);
  EXPECT_NEAR(s.I_y, std::sqrt(3) / 96, 1e-15);
  EXPECT_NEAR(s.I_z, std::sqrt(3) / 96, 1e-15);
  EXPECT_NEAR(s.torsion, std::sqrt(3) / 80, 1e-7);
  EXPECT_NEAR(s.shear_y.coefficient(0.3), s.shear_z.coefficient(0.3), 1e-6);
}

TEST(PolygonSection, OfManyCornersIsADisc) {
  Corners corners;
  const int n = 60;
  // Of the disc's area, so that what is left differs by the fourth power of the angle.
  const double radius = std::sqrt(pi / (0.5 * n * std::sin(2 * pi / n)));
  for (int i = 0; i < n; ++i)
    corners.push_back({radius * std::cos(2 * pi * i / n), radius * std::sin(2 * pi * i / n)});
  const auto s = polygon_numbers(corners, true);
  const Section disc = Section::circular(1);
  EXPECT_NEAR(s.I_y, disc.I_y(), 2e-5);
  EXPECT_NEAR(s.torsion, disc.torsion_constant(), 1e-3);
  EXPECT_LT(s.warping, 1e-6);
  EXPECT_NEAR(s.shear_y.coefficient(0.3), disc.shear_coefficient_y(0.3), 1e-3);
}

TEST(PolygonSection, IsTurnedToItsPrincipalAxes) {
  const Section exact = Section::rectangular(0.3, 0.1);
  for (const double angle : {0.3, -0.7, 1.2}) {
    const auto s = polygon_numbers(turned(rectangle(0.3, 0.1), angle, 2, -5), true);
    // The nearest axes: those of the rectangle or, beyond 45 degrees, with y and z exchanged.
    const bool exchanged = std::abs(angle) > pi / 4;
    EXPECT_NEAR(s.angle, exchanged ? angle - pi / 2 : angle, 1e-9) << angle;
    EXPECT_NEAR(exchanged ? s.I_y : s.I_z, exact.I_z(), 1e-12) << angle;
    EXPECT_NEAR(s.torsion, exact.torsion_constant(), 1e-5 * s.torsion) << angle;
    const auto along = exchanged ? s.shear_z : s.shear_y;
    EXPECT_NEAR(along.coefficient(0.3), exact.shear_coefficient_y(0.3), 2e-5) << angle;
    // In the plane the axes stay those of the corners.
    const auto planar = polygon_numbers(turned(rectangle(0.3, 0.1), angle, 2, -5), false);
    EXPECT_EQ(planar.angle, 0);
    const double c = std::cos(angle), d = std::sin(angle);
    EXPECT_NEAR(planar.I_z, c * c * exact.I_z() + d * d * exact.I_y(), 1e-12);
  }
  // Clockwise corners are the same section.
  Corners backwards = rectangle(0.3, 0.1);
  std::reverse(backwards.begin(), backwards.end());
  EXPECT_NEAR(polygon_numbers(backwards, true).torsion, exact.torsion_constant(), 1e-8);
}

TEST(PolygonSection, BoundsTheTorsionOfThinWalls) {
  // An angle of 100 by 100 by 10: between the bounds lies what a mesh of 16 times the elements
  // says.
  const Corners angle{{0, 0}, {0.1, 0}, {0.1, 0.01}, {0.01, 0.01}, {0.01, 0.1}, {0, 0.1}};
  const auto s = polygon_numbers(angle, true), fine = polygon_numbers(angle, true, 16000);
  EXPECT_LE(std::abs(s.torsion - fine.torsion), s.torsion_error + fine.torsion_error);
  EXPECT_NEAR(s.torsion / fine.torsion, 1, 1e-3);
  EXPECT_LT(s.torsion_error, 3e-3 * s.torsion);
  // The thin-walled sum of both legs, which neglects ends and corner: 3 % here.
  EXPECT_NEAR(s.torsion, 0.19 * 1e-6 / 3, 0.03 * s.torsion);
  // Both legs meet in the shear centre of an angle: (5, 5) mm, from the centroid to 1 mm or so.
  EXPECT_NEAR(s.angle, pi / 4, 1e-9);
  const double arm = std::hypot(s.shear_centre[0], s.shear_centre[1]);
  EXPECT_NEAR(arm, std::sqrt(2) * (s.centroid[0] - 0.005), 1e-3);
}

TEST(PolygonSection, AgreesWithTheFormulasOfAnI) {
  const double h = 0.2, b = 0.1, web = 0.004, flange = 0.006;
  const Section thin = Section::i_beam(h, b, web, flange);
  const auto s = polygon_numbers(i_corners(h, b, web, flange), true);
  EXPECT_NEAR(thin.area(), s.area, 1e-14);
  EXPECT_NEAR(thin.I_y(), s.I_y, 1e-12 * s.I_y);
  EXPECT_NEAR(thin.I_z(), s.I_z, 1e-12 * s.I_z);
  // Formulas of thin walls, and a section whose walls are 1/25 of its size.
  EXPECT_NEAR(thin.torsion_constant() / s.torsion, 1, 0.03);
  EXPECT_NEAR(thin.warping_constant() / s.warping, 1, 0.01);
  EXPECT_NEAR(thin.shear_coefficient_y(0.3) / s.shear_y.coefficient(0.3), 1, 0.05);
  // Across the web Cowper's integral agrees where no strain across the section comes in.
  EXPECT_NEAR(thin.shear_coefficient_z(0) / s.shear_z.coefficient(0), 1, 0.05);
  EXPECT_NEAR(std::hypot(s.shear_centre[0], s.shear_centre[1]), 0, 1e-4 * h);
}

TEST(Tube, HasTheConstantsOfARing) {
  const Section tube = Section::tube(0.05, 0.02);
  const double r = 0.05, q = 0.03;
  EXPECT_NEAR(tube.area(), pi * (r * r - q * q), 1e-16);
  EXPECT_NEAR(tube.I_y(), pi / 4 * (std::pow(r, 4) - std::pow(q, 4)), 1e-18);
  EXPECT_NEAR(tube.torsion_constant(), 2 * tube.I_y(), 1e-18);
  // Cowper's limits: a thin ring 2 (1 + ν)/(4 + 3 ν), and a disc.
  EXPECT_NEAR(Section::tube(1, 1e-6).shear_coefficient_y(0.3), 2 * 1.3 / 4.9, 1e-6);
  EXPECT_NEAR(Section::tube(1, 1 - 1e-6).shear_coefficient_z(0.3),
              Section::circular(1).shear_coefficient_y(0.3), 1e-6);
  EXPECT_NEAR(tube.moment(1, 2), 0, 1e-20);
}

TEST(SectionShapes, IntegrateWhatTheySayOfThemselves) {
  const Section sections[] = {
      Section::tube(0.05, 0.02), Section::i_beam(0.2, 0.1, 0.01, 0.02),
      Section::polygon(turned({{0, 0}, {0.3, 0.02}, {0.1, 0.1}, {0.02, 0.2}}, 0.4, 1, 2), true),
      Section::of_moments(2, 0.03, 0.05)};
  for (const Section& s : sections) {
    double area = 0, y = 0, z = 0, yz = 0;
    for (const auto& p : s.points(3)) {
      area += p.weight, y += p.weight * p.y, z += p.weight * p.z, yz += p.weight * p.y * p.z;
    }
    const double size = std::sqrt((s.I_y() + s.I_z()) / area);
    EXPECT_NEAR(area, s.area(), 1e-13 * area);
    EXPECT_NEAR(y, 0, 1e-13 * area * size);
    EXPECT_NEAR(z, 0, 1e-13 * area * size);
    EXPECT_NEAR(yz, 0, 1e-12 * area * size * size);
  }
  EXPECT_NEAR(sections[3].I_y(), 0.03, 1e-16);
  EXPECT_NEAR(sections[3].I_z(), 0.05, 1e-16);
}

TEST(PolygonSection, SaysWhatIsWrongWithItsCorners) {
  const auto says = [](const Corners& corners, const std::string& words) {
    const auto fault = polygon_fault(corners);
    ASSERT_TRUE(fault) << words;
    EXPECT_NE(fault->find(words), std::string::npos) << *fault;
    EXPECT_THROW(polygon_numbers(corners, true), std::invalid_argument);
  };
  says({{0, 0}, {1, 0}}, "three corners");
  says({{0, 0}, {1, 1}, {1, 0}, {0, 1}}, "cross itself");
  says({{0, 0}, {1, 0}, {1, 0}, {0, 1}}, "twice");
  says({{0, 0}, {2, 0}, {1, 0}, {1, 1}}, "turn back");
  says({{0, 0}, {1, 0}, {2, 1e-12}}, "area");
  says({{0, 0}, {1, 0}, {NAN, 1}}, "finite");
  says(Corners(201, {0, 0}), "at most 200");
  EXPECT_FALSE(polygon_fault(i_corners(0.2, 0.1, 0.01, 0.02)));
  // Corners in the middle of a side, which ears are not cut from, are no mistake.
  EXPECT_NEAR(
      polygon_numbers({{0, 0}, {0.1, 0}, {0.3, 0}, {0.3, 0.1}, {0.1, 0.1}, {0, 0.1}}, true).torsion,
      Section::rectangular(0.3, 0.1).torsion_constant(), 1e-8);
  EXPECT_THROW(Section::tube(1, 1), std::invalid_argument);
  EXPECT_THROW(Section::i_beam(1, 1, 0.1, 0.5), std::invalid_argument);
  EXPECT_THROW(Section::i_beam(1, 1, 1, 0.1), std::invalid_argument);
}

}  // namespace
}  // namespace tumble::beam
