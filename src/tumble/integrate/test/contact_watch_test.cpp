// Touches of few steps are told of.
#include <gtest/gtest.h>

#include "test_machines.hpp"

namespace tumble {
namespace {

using namespace testing;

/// A ball that falls on a floor from `height`, or starts in it. A touch takes 8 ms.
Model dropped(double height, double step) {
  Model m = timed(0.4, step);
  m.gravity = {0, 0, -9.81};
  m.bodies = {unit_body("b")};
  m.bodies[0].mass = 0.5;
  m.bodies[0].position = {0, 0, height};
  PlaneContact c;
  c.between = between("ground", "b");
  c.points = {Vec3d{}, Vec3d{0, 0, height}};
  c.normal = Vec3d{0, 0, 1};
  c.radius = 0.1;
  c.stiffness = 1e6;
  c.damping = 0.15;
  m.forces = {{"floor", c}};
  return m;
}

std::string contact_warning(const Model& m) {
  for (const std::string& warning : simulate(m).warnings)
    if (warning.find("takes hold") != std::string::npos) return warning;
  return {};
}

TEST(ContactWatch, TellsOfABounceInFewSteps) {
  const std::string warning = contact_warning(dropped(0.35, 2e-3));
  EXPECT_NE(warning.find("'floor' takes hold for only"), std::string::npos) << warning;
  EXPECT_NE(warning.find("t = 0.22"), std::string::npos) << warning;
}

TEST(ContactWatch, IsSilentAboutBouncesInManySteps) {
  EXPECT_EQ(contact_warning(dropped(0.35, 2e-4)), "");
}

// How long it has lasted is unknown, and it does not end.
TEST(ContactWatch, IsSilentAboutWhatRests) {
  EXPECT_EQ(contact_warning(dropped(0.0997, 1e-3)), "");
}

TEST(ContactWatch, TellsOfACableThatJerks) {
  Model m = dropped(1, 4e-3);
  Cable rope;
  rope.between = between("ground", "b");
  rope.points = {Vec3d{0, 0, 1.2}, Vec3d{0, 0, 1}};
  rope.length = 0.5;
  rope.stiffness = 1e4;
  m.forces = {{"rope", rope}};
  EXPECT_NE(contact_warning(m).find("'rope'"), std::string::npos);
}

}  // namespace
}  // namespace tumble
