// Tensors of inertia, second moments and their bounds: conversions, shapes, and what is refused.
#include "tumble/random/inertia/inertia_geometry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <stdexcept>
#include <string>

#include "tumble/random/inertia/eigen_matrix.hpp"
#include "tumble/random/inertia/moment_bound.hpp"

namespace tumble {
namespace {

using testing::HasSubstr;

Mat3<double> diagonal(double a, double b, double c) { return {{a, 0, 0, 0, b, 0, 0, 0, c}}; }

void expect_near(const Mat3<double>& a, const Mat3<double>& b, double tolerance) {
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(a.m[i], b.m[i], tolerance) << i;
}

template <class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

// The second moments and Gmax of the body of Batou and Soize (2012), section 4.
TEST(InertiaGeometry, HasTheMomentsOfThePaper) {
  const InertiaScale scale(3000, diagonal(1200, 5000, 6000));
  expect_near(scale.moments(), diagonal(4.9 / 3, 1.1 / 3, 0.1 / 3), 1e-14);
  expect_near(scale.normalized_bound(diagonal(9.61, 1.0, 0.0625)),
              diagonal(9.61 * 3 / 4.9, 3 / 1.1, 1.875), 1e-12);
}

// Three points of mass 1: J and Z by their definitions.
TEST(InertiaGeometry, ConvertsThereAndBack) {
  const Vec3<double> p{1, 2, 3}, q{-2, 1, 0.5}, r{0.3, -0.4, 1};
  Mat3<double> inertia, moments;
  for (const auto& x : {p, q, r}) {
    moments += (1.0 / 3) * outer(x, x);
    inertia += dot(x, x) * Mat3<double>::identity() - outer(x, x);
  }
  expect_near(moments_from_inertia(3, inertia), moments, 1e-14);
  expect_near(inertia_from_moments(3, moments), inertia, 1e-13);
}

TEST(InertiaGeometry, NormalisesByAnUpperTriangularFactor) {
  const Mat3<double> moments{{2, 0.5, -0.3, 0.5, 1, 0.2, -0.3, 0.2, 0.7}};
  const InertiaScale scale(5, inertia_from_moments(5, moments));
  expect_near(scale.moments(), moments, 1e-14);
  expect_near(scale.normalized_from(moments), Mat3<double>::identity(), 1e-14);
  const Mat3<double> g{{1.2, 0.1, 0.3, 0.1, 0.8, -0.2, 0.3, -0.2, 1.1}};
  expect_near(scale.normalized_from(scale.moments_of(g)), g, 1e-14);
  // Z = L^T G L with L upper triangular: the first entry knows G_11 alone.
  EXPECT_NEAR(scale.moments_of(g)(0, 0), 2 * g(0, 0), 1e-14);
}

TEST(InertiaGeometry, RefusesWhatIsNoBody) {
  const auto message = [](double mass, const Mat3<double>& inertia) {
    return message_of([&] { InertiaScale(mass, inertia); });
  };
  EXPECT_THAT(message(0, diagonal(1, 1, 1)), HasSubstr("the mass = 0 kg must be positive"));
  EXPECT_THAT(message(1, diagonal(1, 1, NAN)), HasSubstr("expected finite numbers"));
  EXPECT_THAT(message(1, {{1, 0.1, 0, 0, 1, 0, 0, 0, 1}}),
              HasSubstr("the tensor of inertia is not symmetric: its entries (1,2) and (2,1) are "
                        "0.1 and 0"));
  EXPECT_THAT(message(1, diagonal(1, 3, 1)),
              HasSubstr("principal moments 1, 1 and 3 kg m^2: the largest must be below the sum of "
                        "the others, 2"));
  EXPECT_THAT(message(1, diagonal(0.1, 0.2, 0.3)), HasSubstr("must be below the sum"));
  EXPECT_THAT(message(1, diagonal(-1, 3, 3)), HasSubstr("must be below the sum"));
}

TEST(InertiaGeometry, RefusesABoundBelowTheNominalMoments) {
  const InertiaScale scale(3000, diagonal(1200, 5000, 6000));
  const auto message = [&](const Mat3<double>& bound) {
    return message_of([&] { scale.normalized_bound(bound); });
  };
  EXPECT_THAT(message(diagonal(9.61, 1, 0.03)),
              HasSubstr("the bound Zmax must exceed the nominal Z = (tr(J)/2 I - J)/m, diagonal "
                        "(1.63333, 0.366667, 0.0333333) m^2, because it is the mean of the random "
                        "Z: the smallest eigenvalue of Zmax - Z is -0.00333333 m^2"));
  // As printed in the paper.
  EXPECT_THAT(message({{9.61, 0, 0, 0, 1.0, 0.0625, 0, 0, 4.98}}),
              HasSubstr("the bound Zmax is not symmetric"));
}

TEST(MomentBound, OfABoxIsThePapers) {
  const BodyExtent extent = extent_of_box({0, 0, 0.5}, {5, 2, 0.5});
  const Vec3<double> center_of_mass{0.6, 0, 0.5};
  expect_near(moment_bound(extent, center_of_mass, MomentBound::paper), diagonal(9.61, 1, 0.0625),
              1e-14);
  expect_near(moment_bound(extent, center_of_mass, MomentBound::safe), diagonal(28.83, 3, 0.1875),
              1e-13);
}

TEST(MomentBound, KnowsTurnedShapes) {
  const double c = std::sqrt(0.5);
  const Mat3<double> turn{{c, -c, 0, c, c, 0, 0, 0, 1}};
  const BodyExtent box = extent_of_box({1, 2, 3}, {2, 2, 1}, turn);
  EXPECT_NEAR(box.upper.x, 1 + std::sqrt(2.0), 1e-14);
  EXPECT_NEAR(box.lower.y, 2 - std::sqrt(2.0), 1e-14);
  EXPECT_NEAR(box.upper.z, 3.5, 1e-14);
  // A cylinder by the farthest of many points of its rims.
  const Vec3<double> axis{1, 2, -0.5};
  const BodyExtent cylinder = extent_of_cylinder({0.1, 0.2, 0.3}, axis, 0.7, 1.6);
  const Vec3<double> along = (1 / norm(axis)) * axis;
  const Vec3<double> across = cross(along, {1, 0, 0});
  const Vec3<double> e = (1 / norm(across)) * across, f = cross(along, e);
  std::vector<Vec3<double>> rim;
  for (int k = 0; k < 20000; ++k) {
    const double angle = k * 2 * std::acos(-1.0) / 10000;
    rim.push_back(Vec3<double>{0.1, 0.2, 0.3} + (k < 10000 ? 0.8 : -0.8) * along +
                  (0.7 * std::cos(angle)) * e + (0.7 * std::sin(angle)) * f);
  }
  const BodyExtent points = extent_of_points(rim);
  for (int j = 0; j < 3; ++j) {
    EXPECT_NEAR(cylinder.lower[j], points.lower[j], 1e-6);
    EXPECT_NEAR(cylinder.upper[j], points.upper[j], 1e-6);
  }
}

// Masses at opposite corners of a cube have Z = ones: above the paper's diagonal, below three
// times.
TEST(MomentBound, IsSafeOnlyWhenTripled) {
  const std::vector<Vec3<double>> corners{{1, 1, 1}, {-1, -1, -1}};
  const Mat3<double> moments{{1, 1, 1, 1, 1, 1, 1, 1, 1}};
  const auto smallest = [&](MomentBound kind) {
    const Mat3<double> bound = moment_bound(extent_of_points(corners), {0, 0, 0}, kind);
    return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(to_eigen(bound - moments))
        .eigenvalues()[0];
  };
  EXPECT_NEAR(smallest(MomentBound::paper), -2, 1e-14);
  EXPECT_NEAR(smallest(MomentBound::safe), 0, 1e-14);
}

TEST(MomentBound, RefusesEmptyShapes) {
  EXPECT_THAT(message_of([] {
                extent_of_box({}, {1, 0, 1});
              }),
              HasSubstr("the edge of a box = 0 m must be positive"));
  EXPECT_THAT(message_of([] {
                extent_of_cylinder({}, {0, 0, 1}, -1, 1);
              }),
              HasSubstr("the radius of a cylinder = -1 m must be positive"));
  EXPECT_THAT(message_of([] {
                extent_of_cylinder({}, {0, 0, 1}, 1, NAN);
              }),
              HasSubstr("the length of a cylinder = nan m must be positive"));
  EXPECT_THAT(message_of([] {
                extent_of_cylinder({}, {0, 0, 0}, 1, 1);
              }),
              HasSubstr("the axis of a cylinder must not be zero"));
  EXPECT_THAT(message_of([] { extent_of_points({}); }), HasSubstr("needs at least one point"));
}

}  // namespace
}  // namespace tumble
