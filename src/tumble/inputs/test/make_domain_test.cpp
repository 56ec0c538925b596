// Regions as users write them become the domains and extents they describe.
#include "tumble/inputs/make_domain.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace tumble {
namespace {

constexpr double pi = std::numbers::pi;

/// The unit cube [0, 1]^3 as text of an STL file.
std::string cube_stl() {
  const int corners[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                              {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  std::string text = "solid cube\n";
  for (const auto& facet : corners) {
    text += "facet normal 0 0 0\nouter loop\n";
    for (const int c : facet)
      text += "vertex " + std::to_string(c & 1) + " " + std::to_string((c >> 1) & 1) + " " +
              std::to_string(c >> 2) + "\n";
    text += "endloop\nendfacet\n";
  }
  return text + "endsolid cube\n";
}

std::vector<std::pair<Region, double>> regions_and_volumes() {
  PolytopeRegion tetrahedron, corner;
  tetrahedron.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  corner.half_spaces = {{-1, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, -1, 0}, {1, 1, 1, 2}};
  MeshRegion mesh;
  mesh.scale = 2;
  mesh.bytes = cube_stl();
  return {{BoxRegion{{1, 2, 3}, {1, 2, 3}, {}}, 6},
          {BallRegion{{0, 0, 1}, 2}, 4.0 / 3 * pi * 8},
          {EllipsoidRegion{{0, 0, 0}, {1, 2, 3}, {}}, 4.0 / 3 * pi * 6},
          {CylinderRegion{{0, 0, 0}, {0, 2, 0}, 2, 3}, pi * 12},
          {tetrahedron, 1.0 / 6},
          {corner, 8.0 / 6},
          {mesh, 8}};
}

TEST(MakeDomain, HasTheVolumeOfTheRegion) {
  for (const auto& [region, volume] : regions_and_volumes()) {
    const auto domain = make_domain(region);
    EXPECT_NEAR(domain->volume(), volume, 1e-12 * volume) << domain->kind();
  }
}

// For a body whose axes are the ground's the extent is that of the domain.
TEST(MakeDomain, ExtentsAreTightInGroundAxes) {
  for (const auto& [region, volume] : regions_and_volumes()) {
    const auto domain = make_domain(region);
    const Bounds bounds = domain->bounds();
    const BodyExtent extent = extent_of(region, Frame{{0.5, 0, 0}, Mat3d::identity()});
    const Vec3d shift{0.5, 0, 0};
    EXPECT_LT(norm(extent.lower - (bounds.lower - shift)), 1e-12) << domain->kind();
    EXPECT_LT(norm(extent.upper - (bounds.upper - shift)), 1e-12) << domain->kind();
  }
}

// With body axes turned by 45 degrees about z a box of edges a, b reaches (a + b) / (2 sqrt 2), an
// ellipsoid sqrt((a^2 + b^2) / 2).
TEST(MakeDomain, ExtentsFollowTheBodyAxes) {
  const double c = std::sqrt(0.5);
  const Frame turned{{0, 0, 0}, {{c, -c, 0, c, c, 0, 0, 0, 1}}};
  const BodyExtent box = extent_of(BoxRegion{{0, 0, 0}, {3, 1, 2}, {}}, turned);
  EXPECT_NEAR(box.upper.x, 4 * c / 2, 1e-14);
  EXPECT_NEAR(box.lower.y, -4 * c / 2, 1e-14);
  EXPECT_NEAR(box.upper.z, 1, 1e-14);
  const BodyExtent ellipsoid = extent_of(EllipsoidRegion{{0, 0, 0}, {3, 1, 2}, {}}, turned);
  EXPECT_NEAR(ellipsoid.upper.x, std::sqrt(5), 1e-14);
  const BodyExtent offset = extent_of(BallRegion{{1, 1, 0}, 1}, turned);
  EXPECT_NEAR(offset.upper.x, std::sqrt(2) + 1, 1e-14);
  EXPECT_NEAR(offset.upper.y, 1, 1e-14);
}

TEST(MakeDomain, NamesAMeshThatIsNone) {
  MeshRegion mesh;
  mesh.file.name = "hull.stl";
  mesh.bytes = "solid\nnonsense";
  try {
    make_domain(mesh);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("hull.stl"), std::string::npos);
  }
}

}  // namespace
}  // namespace tumble
