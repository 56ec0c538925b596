// The rules as models made in code meet them. Models from files: tests/faulty.
#include <gtest/gtest.h>

#include <limits>

#include "tumble/model/model.hpp"

namespace tumble {
namespace {

Body body(const std::string& name, const Vec3d& position) {
  Body b;
  b.name = name;
  b.mass = 1;
  b.position = position;
  b.inertia = {1, 1, 1, 0, 0, 0};
  return b;
}

Model good_model() {
  Model m;
  m.bodies = {body("a", {0, 0, 0}), body("b", {1, 0, 0})};
  m.simulation.duration = 1;
  m.simulation.step = 0.01;
  RevoluteJoint hinge;
  hinge.between = {MarkerRef{"ground"}, MarkerRef{"a"}};
  hinge.point = Vec3d{0, 0, 0};
  hinge.axis = Vec3d{0, 0, 1};
  m.joints.push_back({"hinge", hinge});
  return m;
}

std::string told(const Model& model) {
  std::string all;
  for (const auto& d : check(model)) all += to_string(d) + "\n";
  return all;
}

TEST(Check, NumbersHaveALargestSize) {
  Model m = good_model();
  m.bodies[0].mass = 1e31;
  m.bodies[0].velocity.x = -1e31;
  m.bodies[1].position.x = 1e16;
  m.gravity.z = -1e300;
  EXPECT_EQ(told(m),
            "gravity[2] = -1e+300 m/s^2, must be between -1e30 and 1e30, as every number\n"
            "body 'a': mass = 1e+31 kg, must be between -1e30 and 1e30, as every number\n"
            "body 'a': velocity[0] = -1e+31 m/s, must be between -1e30 and 1e30, as every number\n"
            "body 'b': position[0] = 1e+16 m, must be between -1e15 and 1e15, as every length\n");
  m = good_model();
  m.bodies[0].mass = 1e30;
  m.bodies[1].position.x = -1e15;
  EXPECT_EQ(told(m), "");
  m.bodies[0].mass = 1e-101;
  EXPECT_EQ(told(m), "body 'a': mass = 1e-101 kg, must be at least 1e-100\n");
}

TEST(Check, StepsCanBeCounted) {
  Model m = good_model();
  m.simulation.output_step = 0.1;
  m.simulation.step = 1e-22;
  EXPECT_EQ(told(m),
            "simulation: step = 1e-22 s, gives 1e+22 steps, at most 1e12 are allowed: the duration "
            "is 1 s\n");
  m.simulation.step = 1e-12;
  EXPECT_EQ(told(m), "");
}

TEST(Check, AGoodModelHasNoMistakes) { EXPECT_EQ(told(good_model()), ""); }

TEST(Check, ModelsFromCodeHaveNoPlaceInAFile) {
  Model m = good_model();
  m.bodies[0].mass = -1;
  EXPECT_EQ(told(m), "body 'a': mass = -1 kg, must be > 0\n");
}

TEST(Check, Names) {
  Model m = good_model();
  m.bodies[1].name = "a";
  m.joints[0].name = "first hinge";
  m.bodies[0].markers.push_back({"ground", {}, {}});
  EXPECT_EQ(told(m),
            "body 'a': the name is given twice\n"
            "joint 'first hinge': the name must consist of letters, digits, '_' and '-' and begin "
            "with a letter\n"
            "marker 'a.ground': the name 'ground' is reserved\n");
}

TEST(Check, NumbersThatAreNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Model m = good_model();
  m.gravity.z = nan;
  m.bodies[0].position.y = std::numeric_limits<double>::infinity();
  m.bodies[0].markers.push_back({"tip", {nan, 0, 0}, {}});
  m.bodies[1].inertia[3] = nan;
  m.simulation.newton_tolerance = nan;
  EXPECT_EQ(told(m),
            "gravity[2] = nan m/s^2, must be finite\n"
            "body 'a': position[1] = inf m, must be finite\n"
            "marker 'a.tip': position[0] = nan m, must be finite\n"
            "body 'b': inertia[3] = nan kg m^2, must be finite\n"
            "simulation: newton_tolerance = nan, must be finite\n");
}

// The boundary of admissible inertia: G = tr(J)/2 I - J must not be negative. On the boundary are
// laminae.
TEST(Check, InertiaBoundary) {
  Model m = good_model();
  m.bodies[0].inertia = {1, 1, 2 - 1e-9, 0, 0, 0};
  EXPECT_EQ(told(m), "");
  m.bodies[0].inertia = {1, 1, 2, 0, 0, 0};
  EXPECT_EQ(told(m), "");
  m.bodies[0].inertia = {1, 1, 2 + 1e-9, 0, 0, 0};
  EXPECT_NE(told(m), "");
  // A valid inertia in oblique axes: J = R diag(2, 3, 4) Rᵀ with a rotation by 45 degrees about z.
  m.bodies[0].inertia = {2.5, 2.5, 4, -0.5, 0, 0};
  EXPECT_EQ(told(m), "");
  m.bodies[0].inertia = {1, 1, 1, 1.5, 0, 0};
  EXPECT_EQ(told(m),
            "body 'a': inertia = [1, 1, 1, 1.5, 0, 0] kg m^2, must be positive definite, but the "
            "eigenvalue about [0.7071, -0.7071, 0] is -0.5 kg m^2\n");
}

TEST(Check, OrientationsOfTheWrongSize) {
  Model m = good_model();
  m.bodies[0].orientation.numbers = {1, 0, 0};
  m.bodies[1].orientation.form = Orientation::Form::euler;
  m.bodies[1].orientation.numbers = {0, 0, 0};
  m.bodies[1].orientation.sequence = "12";
  EXPECT_EQ(told(m),
            "body 'a': orientation = [1, 0, 0], must have 4 numbers\n"
            "body 'b': orientation = '12', the sequence must be three axes like 123, 313 or xyz, "
            "no two neighbours alike\n");
}

TEST(Check, MarkersMayStandForPoints) {
  Model m = good_model();
  m.ground_markers.push_back({"o", {0, 0, 0}, {}});
  m.bodies[1].markers.push_back({"tip", {1, 1, 1}, {}});
  DistanceJoint rod;
  rod.between = {MarkerRef{"ground.o"}, MarkerRef{"b.tip"}};
  m.joints.push_back({"rod", rod});
  Spring spring;
  spring.between = {MarkerRef{"ground.o"}, MarkerRef{"b"}};
  m.forces.push_back({"spring", spring});
  EXPECT_EQ(told(m), "spring 'spring': points [m], required unless both ends are markers\n");
  std::get<Spring>(m.forces[0].kind).points = {Vec3d{0, 0, 0}, Vec3d{1, 0, 0}};
  EXPECT_EQ(told(m), "");
  std::get<Spring>(m.forces[0].kind).points = {Vec3d{0, 0, 0.5}, Vec3d{1, 0, 0}};
  EXPECT_EQ(told(m),
            "spring 'spring': points[0] = [0, 0, 0.5] m, contradicts marker 'ground.o' at [0, 0, "
            "0] m\n");
  m.forces.clear();
  m.bodies[1].markers[0].position = {0, 0, 0};
  EXPECT_EQ(told(m),
            "joint 'rod': between = [0, 0, 0] m, the two ends must not coincide at t = 0\n");
}

TEST(Check, LongChainsOfDrivesAreNoRecursion) {
  Model m = good_model();
  const int n = 9999;
  for (int i = 0; i < n; ++i)
    m.drives.push_back({"d" + std::to_string(i), SumDrive{{{"d" + std::to_string(i + 1)}}}});
  m.drives.push_back({"d" + std::to_string(n), ConstantDrive{1}});
  EXPECT_EQ(told(m), "");
  m.drives.back().kind = SumDrive{{{"d" + std::to_string(n - 1)}}};
  EXPECT_EQ(told(m), "drive 'd9998': of, must not depend on itself: d9998 -> d9999 -> d9998\n");
}

TEST(Check, OutputGridToRoundOff) {
  Model m = good_model();
  m.simulation.duration = 0.03;
  m.simulation.step = 1e-5;
  m.simulation.output_step = 1e-4;
  EXPECT_EQ(told(m), "");
  m.simulation.duration = 0.1 + 0.2;
  m.simulation.output_step = 0.1;
  EXPECT_EQ(told(m), "");
  m.simulation.output_step = 0.1000001;
  EXPECT_NE(told(m), "");
}

TEST(Locate, GoesUpToTheNearestKnownPlace) {
  Model m;
  m.locations["bodies.a"] = {"m.yaml", 7};
  EXPECT_EQ(locate(m, "bodies.a.inertia[2]"), (SourceLocation{"m.yaml", 7}));
  EXPECT_EQ(locate(m, "bodies.b"), SourceLocation{});
}

TEST(MassProperties, OfSolids) {
  Shape box{Shape::Kind::box, {1, 2, 3}, 0, 0, 2, 2};
  EXPECT_DOUBLE_EQ(mass_properties(box).mass, 12);
  EXPECT_EQ(mass_properties(box).inertia, (std::array<double, 6>{13, 10, 5, 0, 0, 0}));
  Shape rod{Shape::Kind::cylinder, {}, 0.5, 3, 0, 4};
  const double m = 3 * 3.14159265358979324;
  EXPECT_DOUBLE_EQ(mass_properties(rod).mass, m);
  EXPECT_DOUBLE_EQ(mass_properties(rod).inertia[0], m / 8);
  EXPECT_DOUBLE_EQ(mass_properties(rod).inertia[1], m * (0.75 + 9) / 12);
  EXPECT_DOUBLE_EQ(mass_properties(rod).inertia[2], m * (0.75 + 9) / 12);
  Shape ball{Shape::Kind::sphere, {}, 2, 0, 2, 3};
  EXPECT_DOUBLE_EQ(mass_properties(ball).mass, 32 * 3.14159265358979324);
  EXPECT_DOUBLE_EQ(mass_properties(ball).inertia[1], 1.6 * 32 * 3.14159265358979324);
  EXPECT_EQ(mass_properties(Shape{}).mass, 0);
}

}  // namespace
}  // namespace tumble
