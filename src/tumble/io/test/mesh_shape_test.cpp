// Meshes as shapes: mass, centre and inertia of what they enclose, and solids that are only drawn.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tumble/io/model_reader.hpp"

namespace tumble {
namespace {

/// A cuboid of 2 x 4 x 6 decimetres with a corner at the origin, in centimetres.
constexpr const char* cuboid_obj = R"(v 0 0 0
v 20 0 0
v 0 40 0
v 20 40 0
v 0 0 60
v 20 0 60
v 0 40 60
v 20 40 60
f 1 3 4 2
f 5 6 8 7
f 1 2 6 5
f 3 7 8 4
f 1 5 7 3
f 2 4 8 6
)";

class MeshShape : public testing::Test {
 protected:
  MeshShape() {
    directory_ = std::filesystem::temp_directory_path() /
                 ("tumble_mesh_shape_" + std::to_string(::getpid()));
    std::filesystem::create_directories(directory_);
    std::ofstream(directory_ / "cuboid.obj") << cuboid_obj;
    std::ofstream(directory_ / "open.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  }
  ~MeshShape() override { std::filesystem::remove_all(directory_); }

  Body body(const std::string& fields) const {
    return read_model_text(
               "bodies:\n  part: {" + fields + "}\nsimulation: {duration: 1, step: 0.01}\n",
               (directory_ / "model.yaml").string())
        .model.bodies.at(0);
  }
  std::string mistake(const std::string& fields) const {
    try {
      (void)body(fields);
    } catch (const InputError& error) {
      return error.what();
    }
    return "none";
  }

  std::filesystem::path directory_;
};

// m = 500 x 0.048 = 24 kg; about the centre m (b^2 + c^2) / 12; the centre is at (0.1, 0.2, 0.3) of
// the file, here turned by a quarter about z.
TEST_F(MeshShape, GivesMassCentreAndInertia) {
  const Body part = body(
      "orientation: {x: [0, 1, 0], y: [-1, 0, 0]}, shape: {mesh: {file: cuboid.obj, scale: 0.01, "
      "density: 500, origin: [1, 2, 3]}}");
  EXPECT_NEAR(part.mass, 24, 1e-12);
  EXPECT_NEAR(part.position.x, 0.8, 1e-14);
  EXPECT_NEAR(part.position.y, 2.1, 1e-14);
  EXPECT_NEAR(part.position.z, 3.3, 1e-14);
  EXPECT_NEAR(part.inertia[0], 24 * (0.16 + 0.36) / 12, 1e-13);
  EXPECT_NEAR(part.inertia[1], 24 * (0.04 + 0.36) / 12, 1e-13);
  EXPECT_NEAR(part.inertia[2], 24 * (0.04 + 0.16) / 12, 1e-13);
  for (std::size_t k = 3; k < 6; ++k) EXPECT_NEAR(part.inertia[k], 0, 1e-13);
}

TEST_F(MeshShape, WithoutOriginItsCentreIsTheBodys) {
  const Body part =
      body("position: [5, 6, 7], shape: {mesh: {file: cuboid.obj, scale: 0.01, density: 500}}");
  EXPECT_NEAR(part.mass, 24, 1e-12);
  EXPECT_EQ(part.position.x, 5);
  // Only drawn, it may be open.
  EXPECT_EQ(
      body("position: [0, 0, 0], mass: 1, inertia: [1, 1, 1], shape: {mesh: {file: open.obj}}")
          .shape.mesh->triangles.size(),
      1u);
}

TEST_F(MeshShape, SolidsAreDrawnAnywhere) {
  const Body part = body(
      "position: [0, 0, 0], mass: 1, inertia: [1, 1, 1], drawing: [{box: {size: [1, 2, 3]}}, "
      "{mesh: {file: open.obj, scale: 2}, position: [1, 0, 0], orientation: [0, 1, 0, 0]}]");
  ASSERT_EQ(part.drawing.size(), 2u);
  EXPECT_EQ(part.drawing[0].shape.kind, Shape::Kind::box);
  EXPECT_FALSE(part.drawing[0].position);
  EXPECT_EQ(part.drawing[1].shape.mesh->vertices[1].x, 2);
  EXPECT_EQ(part.drawing[1].position->x, 1);
}

TEST_F(MeshShape, MistakesAreReported) {
  using testing::HasSubstr;
  EXPECT_THAT(mistake("position: [0, 0, 0], shape: {mesh: {file: open.obj, density: 1}}"),
              HasSubstr("'open.obj'"));
  EXPECT_THAT(mistake("position: [0, 0, 0], shape: {mesh: {file: absent.stl, density: 1}}"),
              HasSubstr("model.yaml:2: body 'part': shape.mesh.file = 'absent.stl'"));
  EXPECT_THAT(
      mistake(
          "position: [0, 0, 0], shape: {mesh: {file: cuboid.obj, density: 1, origin: [0, 0, 0]}}"),
      HasSubstr("position [m], must be left out"));
  EXPECT_THAT(mistake("shape: {mesh: {file: cuboid.obj, density: 1}}"),
              HasSubstr("position [m], required but missing"));
  EXPECT_THAT(
      mistake("position: [0, 0, 0], mass: 1, inertia: [1, 1, 1], drawing: [{cube: {size: 1}}]"),
      HasSubstr("must have one of box, cylinder, sphere or mesh"));
  EXPECT_THAT(mistake("position: [0, 0, 0], mass: 1, inertia: [1, 1, 1], drawing: [{sphere: "
                      "{radius: 1, density: 2}}]"),
              HasSubstr("density"));
}

}  // namespace
}  // namespace tumble
