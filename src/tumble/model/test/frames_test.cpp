#include "tumble/model/compile/frames.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <stdexcept>

namespace tumble {
namespace {

constexpr double pi = std::numbers::pi;
using Form = Orientation::Form;

// Up to three matrices multiplied, each made of a quaternion: eight roundings of 2e-16 at most.
void expect_near(const Vec3d& found, const Vec3d& expected) {
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(found[k], expected[k], 1.8e-15) << "axis " << k;
}
void expect_near(const Mat3d& found, const Mat3d& expected) {
  for (int k = 0; k < 3; ++k) {
    SCOPED_TRACE("column " + std::to_string(k));
    expect_near(found.column(k), expected.column(k));
  }
}
void expect_right_handed(const Mat3d& R) {
  expect_near(transpose_times(R, R), Mat3d::identity());
  expect_near(cross(R.column(0), R.column(1)), R.column(2));
}

Mat3d about(int axis, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  if (axis == 0) return {{1, 0, 0, 0, c, -s, 0, s, c}};
  if (axis == 1) return {{c, 0, s, 0, 1, 0, -s, 0, c}};
  return {{c, -s, 0, s, c, 0, 0, 0, 1}};
}

TEST(Frames, EulerAnglesAreAboutMovingAxes) {
  const double a = 0.4, b = -1.1, c = 2.3;
  for (const auto& [sequence, i, j, k] :
       std::vector<std::tuple<std::string, int, int, int>>{{"123", 0, 1, 2},
                                                           {"xyz", 0, 1, 2},
                                                           {"XYZ", 0, 1, 2},
                                                           {"313", 2, 0, 2},
                                                           {"zyx", 2, 1, 0},
                                                           {"232", 1, 2, 1}}) {
    SCOPED_TRACE(sequence);
    expect_near(rotation_matrix({Form::euler, sequence, {a, b, c}}),
                about(i, a) * (about(j, b) * about(k, c)));
  }
}

TEST(Frames, TheOtherForms) {
  // A quarter turn about y in each form.
  const Mat3d quarter = about(1, pi / 2);
  expect_near(rotation_matrix({Form::rotation_vector, "", {0, pi / 2, 0}}), quarter);
  expect_near(rotation_matrix({Form::quaternion, "", {3, 0, 3, 0}}), quarter);  // normalised
  expect_near(rotation_matrix({Form::axes, "", {0, 0, -5, 0, 2, 7}}), quarter);
  expect_near(rotation_matrix(Orientation{}), Mat3d::identity());
}

TEST(Frames, QuaternionOfAMatrixComesBack) {
  std::vector<Vec3d> vectors = {{0, 0, 0}, {1e-9, 0, 0}, {0.3, -0.7, 1.9}, {-2, 1, 0.5}};
  // Half turns about all kinds of axes, where each component takes its turn as the largest.
  for (const Vec3d& d :
       {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}, Vec3d{0.6, 0.8, 0}, Vec3d{0, -0.6, 0.8},
        Vec3d{-0.8, 0, 0.6}, Vec3d{2.0 / 3, 2.0 / 3, 1.0 / 3}})
    for (const double angle : {pi, pi - 1e-9, 1.5 * pi}) vectors.push_back(angle * d);
  for (const Vec3d& u : vectors) {
    const Mat3d R = matrix(exp_quaternion(u));
    const Quaternion<double> q = quaternion_of(R);
    EXPECT_GE(q.w, 0);
    EXPECT_NEAR(q.w * q.w + dot(q.vector(), q.vector()), 1, 4e-16);
    const Mat3d back = matrix(q);
    for (int i = 0; i < 9; ++i) EXPECT_NEAR(back.m[i], R.m[i], 2e-15);
  }
}

TEST(Frames, AxesAlongADirection) {
  for (const Vec3d& axis : {Vec3d{0, 0, 1}, Vec3d{0, 0, -2}, Vec3d{3, 0, 0}, Vec3d{0, -1, 0},
                            Vec3d{1, 1, 1}, Vec3d{1e-12, 1, 0}, Vec3d{-0.3, 0.5, 0.9}}) {
    const Mat3d R = axes_along(axis);
    expect_right_handed(R);
    expect_near(R.column(2), (1 / norm(axis)) * axis);
  }
  expect_near(axes_along({0, 0, 2}), Mat3d::identity());  // what a reader would expect of z
}

TEST(Frames, AxesFromTwoDirections) {
  const Mat3d R = axes_from_xy({2, 0, 0}, {5, 0, 3});  // y is made perpendicular in their plane
  expect_right_handed(R);
  expect_near(R, Mat3d::from_columns({1, 0, 0}, {0, 0, 1}, {0, -1, 0}));
}

Model two_bodies() {
  Model m;
  m.bodies.resize(2);
  m.bodies[0].name = "a";
  m.bodies[0].position = {1, 2, 3};
  m.bodies[0].markers = {{"m", {4, 5, 6}, {Form::rotation_vector, "", {0.3, 0, 0}}}};
  m.bodies[1].name = "b";
  m.bodies[1].position = {-1, 0, 0};
  m.bodies[1].markers = {{"n", {7, 8, 9}, {Form::rotation_vector, "", {0, 0.4, 0}}}};
  m.ground_markers = {{"g", {0, 0, 1}, {}}};
  return m;
}
std::array<MarkerRef, 2> between(const char* first, const char* second) {
  return {MarkerRef{first}, MarkerRef{second}};
}

TEST(Frames, NamesOfBodiesAndMarkers) {
  const Model m = two_bodies();
  EXPECT_EQ(body_index(m, "ground"), 0);
  EXPECT_EQ(body_index(m, "b"), 2);
  EXPECT_EQ(body_index(m, "c"), -1);
  EXPECT_FALSE(resolve(m, {"a"}).marker);
  EXPECT_EQ(resolve(m, {"ground.g"}).body, 0);
  expect_near(resolve(m, {"b.n"}).marker->p, {7, 8, 9});
  EXPECT_THROW(resolve(m, {"c"}), std::logic_error);
  EXPECT_THROW(resolve(m, {"a.n"}), std::logic_error);
}

TEST(Frames, OwnPointAndAxesServeBothEnds) {
  const FramePair p = frame_pair(two_bodies(), between("a", "b"), Vec3d{1, 1, 1}, about(2, 0.5));
  EXPECT_EQ(p.body, (std::array<int, 2>{1, 2}));
  for (const Frame& frame : p.frame) {
    expect_near(frame.p, {1, 1, 1});
    expect_near(frame.R, about(2, 0.5));
  }
}

TEST(Frames, MarkersGiveEachEndItsOwnFrame) {
  const FramePair p = frame_pair(two_bodies(), between("a.m", "b.n"), {}, {});
  expect_near(p.frame[0].p, {4, 5, 6});
  expect_near(p.frame[0].R, about(0, 0.3));
  expect_near(p.frame[1].p, {7, 8, 9});
  expect_near(p.frame[1].R, about(1, 0.4));
}

TEST(Frames, OneMarkerServesBothEnds) {
  for (const auto& ends : {between("ground", "b.n"), between("b.n", "ground")}) {
    const FramePair p = frame_pair(two_bodies(), ends, {}, {});
    for (const Frame& frame : p.frame) {
      expect_near(frame.p, {7, 8, 9});
      expect_near(frame.R, about(1, 0.4));
    }
  }
}

TEST(Frames, WithoutAPointTheSecondBodysCentre) {
  expect_near(frame_pair(two_bodies(), between("a", "b"), {}, {}).frame[0].p, {-1, 0, 0});
  expect_near(frame_pair(two_bodies(), between("a", "ground"), {}, {}).frame[1].p, {1, 2, 3});
}

TEST(Frames, EndsOfALine) {
  const Model m = two_bodies();
  const std::array<Vec3d, 2> points{Vec3d{1, 0, 0}, Vec3d{0, 1, 0}};
  expect_near(point_pair(m, between("a", "b"), points).frame[1].p, {0, 1, 0});
  const FramePair markers = point_pair(m, between("ground.g", "b.n"), {});
  expect_near(markers.frame[0].p, {0, 0, 1});
  expect_near(markers.frame[1].p, {7, 8, 9});
}

}  // namespace
}  // namespace tumble
