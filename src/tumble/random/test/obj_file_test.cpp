// OBJ files: faces of any number of corners, indices in all forms, where reading stops; and the
// moments of what a surface encloses.
#include "tumble/random/domain/obj_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tumble/math/rotation.hpp"

namespace tumble {
namespace {

/// A cuboid of edges 2, 4, 6 whose corner is the origin; faces of four corners.
const std::string cuboid = R"(# made by hand
mtllib none.mtl
o cuboid
v 0 0 0
v 2 0 0
v 0 4 0
v 2 4 0
v 0 0 6
v +2 0 6
v 0 4 6
v 2 4 6e0
vn 0 0 1
vt 0 0
f 1 3 4 2
f 5/1 6/1 8/1 7/1
f 1//1 2//1 6//1 5//1
f 3/1/1 7/1/1 8/1/1 4/1/1
f -8 -4 -2 -6
s off
f 2 4 8 6
)";

TEST(ObjFile, FacesAreCutIntoTriangles) {
  const TriangleSurface surface = parse_obj(cuboid);
  EXPECT_EQ(surface.vertices.size(), 8u);
  EXPECT_EQ(surface.triangles.size(), 12u);
  EXPECT_NO_THROW(require_closed(surface));
}

TEST(ObjFile, RepeatedVerticesAreOne) {
  std::string text;
  for (const char* corner : {"0 0 0", "1 0 0", "0 1 0", "0 0 1"})
    text += std::string("v ") + corner + "\nv " + corner + "\r\n";
  const TriangleSurface surface = parse_obj(text + "f 1 6 3\nf 2 4 7\nf 1 8 5\nf 3 5 7\n");
  EXPECT_EQ(surface.vertices.size(), 4u);
  EXPECT_NO_THROW(require_closed(surface));
}

TEST(ObjFile, TheEndingTellsTheFormat) {
  EXPECT_EQ(parse_mesh(cuboid, "A.OBJ").triangles.size(), 12u);
  EXPECT_THROW(parse_mesh(cuboid, "a.stl"), std::invalid_argument);
}

TEST(ObjFile, ReadingStopsWithTheLine) {
  const auto message = [](const std::string& text) {
    try {
      parse_obj(text);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  using testing::HasSubstr;
  EXPECT_THAT(message("v 0 0\n"), HasSubstr("line 1 of the OBJ file: expected three finite"));
  EXPECT_THAT(message("\nv 0 0 nan\n"), HasSubstr("line 2"));
  EXPECT_THAT(message("v 0 0 0\nf 1 2 3\n"),
              HasSubstr("line 2 of the OBJ file: a face names the vertex '2'"));
  EXPECT_THAT(message("v 0 0 0\nf 1 0 1\n"), HasSubstr("'0'"));
  EXPECT_THAT(message("v 0 0 0\nf 1 1\n"), HasSubstr("at least three corners"));
  EXPECT_THAT(message("v 0 0 0\nf 1 x 1\n"), HasSubstr("'x'"));
  EXPECT_THAT(message("nothing\n"), HasSubstr("holds no face"));
}

// Of a cuboid of edges a, b, c: V a^2 / 12 and so on about its centre, wherever it is and however
// it is turned.
TEST(SolidMoments, ThoseOfACuboid) {
  TriangleSurface surface = parse_obj(cuboid);
  const Mat3d R = matrix(normalized(Quaternion<double>{0.3, -0.5, 0.7, 0.2}));
  const Vec3d away{30, -20, 10};
  for (Vec3d& x : surface.vertices) x = away + R * x;
  const SolidMoments moments = solid_moments(surface);
  EXPECT_NEAR(moments.volume, 48, 1e-12);
  EXPECT_LT(largest_entry(moments.barycentre - (away + R * Vec3d{1, 2, 3})), 1e-13);
  const Mat3d own = transpose(R) * moments.second * R;
  const double expected[3] = {48 * 4 / 12.0, 48 * 16 / 12.0, 48 * 36 / 12.0};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(own(i, j), i == j ? expected[i] : 0, 1e-11);
}

}  // namespace
}  // namespace tumble
