// Bodies made of parts: closed forms, and the integrals that mass, centre and inertia are.
#include "tumble/model/composite.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tumble/model/parameters.hpp"

namespace tumble {
namespace {

constexpr double pi = std::numbers::pi;

Orientation turn(double x, double y, double z) {
  Orientation o;
  o.form = Orientation::Form::rotation_vector;
  o.numbers = {x, y, z};
  return o;
}

Mat3d matrix_of(const std::array<double, 6>& J) {
  return {{J[0], J[3], J[4], J[3], J[1], J[5], J[4], J[5], J[2]}};
}

/// Largest difference of two matrices, relative to the largest entry of the second.
double distance(const Mat3d& a, const Mat3d& b) {
  double off = 0, size = 0;
  for (int i = 0; i < 9; ++i) {
    off = std::max(off, std::abs(a.m[i] - b.m[i]));
    size = std::max(size, std::abs(b.m[i]));
  }
  return off / size;
}

/// The inertia about the centre in ground axes.
Mat3d in_ground_axes(const Body& body) {
  const Mat3d R = rotation_matrix(body.orientation);
  return R * matrix_of(composite_properties(body).inertia) * transpose(R);
}

Part part(const std::string& name, const Vec3d& position, Orientation orientation) {
  Part result;
  result.name = name;
  result.position = position;
  result.orientation = std::move(orientation);
  return result;
}

/// Outer less inner cylinder: m = rho pi (R^2 - r^2) l, J = m (R^2 + r^2) / 2 about the axis n and
/// m (3 (R^2 + r^2) + l^2) / 12 across.
TEST(Composite, HollowCylinderAtAnOddAngle) {
  const double R = 0.4, r = 0.25, l = 1.7, rho = 7800;
  Body body;
  body.orientation = turn(-0.3, 1.1, 0.4);
  const Orientation odd = turn(0.7, -0.5, 1.3);
  const Vec3d at{3, -2, 5};
  body.parts = {part("outer", at, odd), part("bore", at, odd)};
  body.parts[0].cylinder = CylinderPart{R, l, PartAxis::x};
  body.parts[0].density = rho;
  body.parts[1].cylinder = CylinderPart{r, l, PartAxis::x};
  body.parts[1].density = rho;
  body.parts[1].hole = true;
  const CompositeProperties sum = composite_properties(body);
  const double m = rho * pi * (R * R - r * r) * l;
  EXPECT_NEAR(sum.mass / m, 1, 1e-14);
  EXPECT_LT(norm(sum.centre - at), 1e-13);
  const Vec3d n = rotation_matrix(odd).column(0);
  const double along = m * (R * R + r * r) / 2, across = m * (3 * (R * R + r * r) + l * l) / 12;
  EXPECT_LT(
      distance(in_ground_axes(body), across * Mat3d::identity() + (along - across) * outer(n, n)),
      1e-13);
}

/// Two balls (a, b) and a rod between their centres, all at an odd angle, far from the origin.
TEST(Composite, DumbBellAtAnOddAngle) {
  const double ma = 3, mb = 1.2, ra = 0.2, rb = 0.1, mr = 0.5, rr = 0.03, l = 1.5;
  Body body;
  const Orientation odd = turn(1.9, 0.2, -0.8);
  const Vec3d n = rotation_matrix(odd).column(2);  // of the rod
  const Vec3d a{1e4, 20, -3e3}, b = a + l * n, middle = a + 0.5 * l * n;
  body.parts = {part("a", a, turn(1, 2, 3)), part("b", b, {}), part("rod", middle, odd)};
  body.parts[0].sphere = SpherePart{ra};
  body.parts[0].mass = ma;
  body.parts[1].sphere = SpherePart{rb};
  body.parts[1].density = mb / (4 * pi / 3 * rb * rb * rb);
  body.parts[2].cylinder = CylinderPart{rr, l, PartAxis::z};
  body.parts[2].mass = mr;
  const CompositeProperties sum = composite_properties(body);
  const double m = ma + mb + mr, s = (mb * l + mr * l / 2) / m;  // of the centre along the rod
  EXPECT_NEAR(sum.mass, m, 1e-14);
  EXPECT_LT(norm(sum.centre - (a + s * n)), 1e-11);
  const double along = 0.4 * ma * ra * ra + 0.4 * mb * rb * rb + mr * rr * rr / 2;
  const double across = 0.4 * ma * ra * ra + ma * s * s + 0.4 * mb * rb * rb +
                        mb * (l - s) * (l - s) + mr * (3 * rr * rr + l * l) / 12 +
                        mr * (s - l / 2) * (s - l / 2);
  EXPECT_LT(
      distance(in_ground_axes(body), across * Mat3d::identity() + (along - across) * outer(n, n)),
      1e-12);
}

/// Batou & Soize (2012), Eqs. (1) and (2), by Gauss points, which are exact for boxes:
///   m = int rho dx, r = 1/m int x rho dx, J u = -int x' x (x' x u) rho dx'.
/// One of the boxes is a hole.
TEST(Composite, HasTheIntegralsOfThePapers) {
  struct BoxAt {
    Vec3d at, size;
    Orientation axes;
    double rho;
    bool hole = false;
  };
  const std::vector<BoxAt> boxes = {{{0.3, -1, 2}, {2, 1, 0.5}, turn(0.3, 0.9, -1.2), 900},
                                    {{1.5, 0.2, 1.4}, {0.4, 0.7, 1.9}, turn(-2, 0.1, 0.6), 2700},
                                    {{0.2, -0.9, 2}, {0.3, 0.2, 0.25}, turn(1, 1, 1), 900, true}};
  Body body;
  body.orientation = turn(0.5, 0.6, -0.7);
  double m = 0;
  Vec3d moment;
  std::vector<std::pair<Vec3d, double>> points;
  for (const BoxAt& box : boxes) {
    Part p = part("p" + std::to_string(body.parts.size()), box.at, box.axes);
    p.box = BoxPart{box.size};
    p.density = box.rho;
    p.hole = box.hole;
    body.parts.push_back(p);
    const Mat3d R = rotation_matrix(box.axes);
    for (int corner = 0; corner < 8; ++corner) {
      Vec3d own;
      for (int k = 0; k < 3; ++k)
        own[k] = (corner >> k & 1 ? 0.5 : -0.5) * box.size[k] / std::sqrt(3.0);
      const double weight =
          (box.hole ? -1 : 1) * box.rho * box.size.x * box.size.y * box.size.z / 8;
      points.emplace_back(box.at + R * own, weight);
      m += weight;
      moment += weight * points.back().first;
    }
  }
  const Vec3d centre = (1 / m) * moment;
  const Mat3d axes = rotation_matrix(body.orientation);
  Mat3d J;
  for (int k = 0; k < 3; ++k) {
    Vec3d u;
    u[k] = 1;
    Vec3d Ju;
    for (const auto& [x, weight] : points) {
      const Vec3d own = transpose_times(axes, x - centre);
      Ju -= weight * cross(own, cross(own, u));
    }
    for (int i = 0; i < 3; ++i) J(i, k) = Ju[i];
  }
  const CompositeProperties sum = composite_properties(body);
  EXPECT_NEAR(sum.mass / m, 1, 1e-14);
  EXPECT_LT(norm(sum.centre - centre), 1e-13);
  EXPECT_LT(distance(matrix_of(sum.inertia), J), 1e-13);
}

/// A part that is a body of parts itself: its mass and inertia say all there is to say of it.
TEST(Composite, APartMayStandForOthers) {
  Body inner;
  inner.orientation = turn(0.1, -0.4, 2);
  inner.parts = {part("a", {1, 2, 3}, turn(0.2, 0.3, 0.4)), part("b", {1.5, 2, 2}, {})};
  inner.parts[0].box = BoxPart{{1, 2, 3}};
  inner.parts[0].mass = 4;
  inner.parts[1].mass = 2;  // a point
  const CompositeProperties of_inner = composite_properties(inner);
  Body whole = inner, nested;
  Part far = part("far", {-4, 0, 1}, turn(1, 0, 0));
  far.sphere = SpherePart{0.5};
  far.mass = 1;
  whole.parts.push_back(far);
  nested.orientation = turn(-1, -1, 0.3);
  nested.parts = {part("inner", of_inner.centre, inner.orientation), far};
  nested.parts[0].mass = of_inner.mass;
  nested.parts[0].inertia = of_inner.inertia;
  EXPECT_NEAR(composite_properties(nested).mass, 7, 1e-14);
  EXPECT_LT(norm(composite_properties(nested).centre - composite_properties(whole).centre), 1e-14);
  EXPECT_LT(distance(in_ground_axes(nested), in_ground_axes(whole)), 1e-13);
}

/// A cube of 20 units with a corner at its origin.
std::shared_ptr<const ShapeMesh> cube_mesh() {
  constexpr const char* obj =
      "v 0 0 0\nv 20 0 0\nv 0 20 0\nv 20 20 0\nv 0 0 20\nv 20 0 20\nv 0 20 20\nv 20 20 20\n"
      "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
  return make_shape_mesh(obj, "cube.obj", 1, true);
}

TEST(Composite, AMeshIsPlacedByItsOriginAndItsScaleMayVary) {
  const Orientation odd = turn(0.4, -1.2, 0.5);
  const Vec3d origin{2, 3, -1};
  for (const double scale : {0.01, 0.013}) {
    Body mesh, box;
    mesh.parts = {part("m", origin, odd)};
    mesh.parts[0].mesh = MeshPart{{"cube.obj"}, scale, cube_mesh()};
    mesh.parts[0].density = 1000;
    const double edge = 20 * scale;
    const Vec3d corner{edge / 2, edge / 2, edge / 2};
    box.parts = {part("b", origin + rotation_matrix(odd) * corner, odd)};
    box.parts[0].box = BoxPart{{edge, edge, edge}};
    box.parts[0].density = 1000;
    const CompositeProperties a = composite_properties(mesh), b = composite_properties(box);
    EXPECT_NEAR(a.mass / b.mass, 1, 1e-14);
    EXPECT_LT(norm(a.centre - b.centre), 1e-15);
    EXPECT_LT(distance(matrix_of(a.inertia), matrix_of(b.inertia)), 1e-13);
    mesh.parts[0].density.reset();
    mesh.parts[0].mass = b.mass;
    EXPECT_LT(distance(matrix_of(composite_properties(mesh).inertia), matrix_of(b.inertia)), 1e-13);
  }
}

/// The axes of the body name directions and move no mass, where parts have axes of their own.
TEST(Composite, AxesOfTheBodyOnlyNameDirections) {
  Body body;
  body.parts = {part("a", {0, 0, 0}, turn(0, 0.3, 0)), part("b", {1, 2, 0}, turn(0, 0, 0))};
  body.parts[0].box = BoxPart{{1, 2, 3}};
  body.parts[0].mass = 1;
  body.parts[1].mass = 3;
  const Mat3d J = in_ground_axes(body);
  body.orientation = turn(0.9, -0.2, 2.2);
  EXPECT_LT(distance(in_ground_axes(body), J), 1e-14);
}

Model hammer() {
  Model model;
  Body body;
  body.name = "hammer";
  body.parts = {part("head", {0, 0, 1}, turn(0, 0, 0)), part("grip", {0, 0, 0.5}, turn(0, 0, 0))};
  body.parts[0].box = BoxPart{{0.1, 0.3, 0.1}};
  body.parts[0].density = 7800;
  body.parts[1].cylinder = CylinderPart{0.02, 1, PartAxis::z};
  body.parts[1].mass = 0.8;
  settle_parts(body);
  model.bodies.push_back(body);
  model.simulation.duration = 1;
  model.simulation.step = 0.01;
  return model;
}

TEST(Composite, EveryNumberOfAPartIsASlot) {
  const Model model = hammer();
  const ParameterTable table(model);
  for (const char* path :
       {"head.density", "head.box.size[1]", "head.position[2]", "head.orientation[0]", "grip.mass",
        "grip.cylinder.radius", "grip.cylinder.length"})
    EXPECT_GE(table.find(std::string("bodies.hammer.parts.") + path), 0) << path;
  // What follows from them is none.
  for (const char* path : {"mass", "position[0]", "inertia[0]"})
    EXPECT_EQ(table.find(std::string("bodies.hammer.") + path), -1) << path;
  EXPECT_TRUE(check(model).empty());

  Realization realization(model);
  const int density = table.find("bodies.hammer.parts.head.density"),
            place = table.find("bodies.hammer.parts.head.position[2]");
  realization.set(density, 2700);
  realization.set(place, 1.2);
  const Body& body = realization.model().bodies[0];
  const double head = 2700 * 0.003;
  EXPECT_DOUBLE_EQ(body.mass, head + 0.8);
  EXPECT_NEAR(body.position.z, (1.2 * head + 0.5 * 0.8) / (head + 0.8), 1e-15);
  const double reduced = head * 0.8 / (head + 0.8);
  EXPECT_NEAR(body.inertia[0],
              head * (0.09 + 0.01) / 12 + 0.8 * (3 * 0.0004 + 1) / 12 + reduced * 0.49, 1e-14);
  EXPECT_TRUE(check(realization.model()).empty());
  // The way there leaves no trace.
  realization.set(place, 1);
  realization.set(density, 7800);
  EXPECT_EQ(body.mass, model.bodies[0].mass);
  EXPECT_EQ(body.position.z, model.bodies[0].position.z);
  EXPECT_EQ(body.inertia, model.bodies[0].inertia);
}

TEST(Composite, WithALawOfItsOwnTheBodyIsWhatVaries) {
  Model model = hammer();
  model.bodies[0].parts_fixed = true;
  const ParameterTable table(model);
  EXPECT_GE(table.find("bodies.hammer.mass"), 0);
  EXPECT_EQ(table.find("bodies.hammer.parts.head.density"), -1);
  Realization realization(model);
  realization.set(table.find("bodies.hammer.mass"), 30);
  EXPECT_EQ(realization.model().bodies[0].mass, 30);
  EXPECT_EQ(realization.model().bodies[0].inertia, model.bodies[0].inertia);
  EXPECT_TRUE(check(realization.model()).empty());
}

std::string mistakes(const Model& model) {
  std::string all;
  for (const Diagnostic& d : check(model)) all += to_string(d) + "\n";
  return all;
}

TEST(Composite, WhatNoBodyCanBeIsRefused) {
  using testing::HasSubstr;
  Model model = hammer();
  const auto with = [&](const auto& change) {
    Model m = model;
    change(m.bodies[0]);
    settle_parts(m.bodies[0]);
    return mistakes(m);
  };
  EXPECT_THAT(with([](Body& b) { b.parts[0].hole = true; }),
              HasSubstr("the mass of all parts together must be > 0"));
  EXPECT_THAT(with([](Body& b) { b.parts[0].density = -1; }), HasSubstr("must be >= 0"));
  // A hole that is longer than what it is in leaves no mass distribution.
  EXPECT_THAT(with([](Body& b) {
                b.parts[1].mass = 2;
                b.parts[1].hole = true;
                b.parts[1].position.z = 1;
              }),
              HasSubstr("the inertia of all parts together must"));
  EXPECT_THAT(with([](Body& b) {
                b.parts[0].box.reset();
                b.parts[1].cylinder.reset();
                b.parts[0].density.reset();
                b.parts[0].mass = 1;
              }),
              HasSubstr("the inertia of all parts together is zero about [0, 0, 1]"));
  EXPECT_THAT(with([](Body& b) {
                b.parts.resize(1);
                b.parts[0].box.reset();
                b.parts[0].density.reset();
                b.parts[0].mass = 1;
              }),
              HasSubstr("a body of one point is a point mass"));
  EXPECT_THAT(with([](Body& b) { b.parts[0].mass = 1; }),
              HasSubstr("part 'hammer.head': density = 7800 kg/m^3, must be left out with mass"));
  EXPECT_THAT(with([](Body& b) { b.parts[0].sphere = SpherePart{1}; }),
              HasSubstr("must be one of"));
  EXPECT_THAT(with([](Body& b) { b.parts[1].mass.reset(); }), HasSubstr("a mass or a density"));
  EXPECT_THAT(with([](Body& b) { b.parts[1].cylinder->radius = -1; }),
              HasSubstr("part 'hammer.grip': cylinder.radius = -1 m, must be > 0"));
  // Numbers of a model made in code that are not those of its parts.
  model.bodies[0].mass = 2;
  EXPECT_THAT(mistakes(model), HasSubstr("call settle_parts()"));
}

}  // namespace
}  // namespace tumble
