// Domains: volumes, integrals of exponentials and their derivatives, distances and bounds, each
// against quadrature, closed forms or a search.
#include "tumble/random/domain/domain.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "domain_samples.hpp"

namespace tumble {
namespace {

using samples::Rule;
using samples::SampleDomain;

double size_of(const Domain& d) { return norm(d.bounds().upper - d.bounds().lower); }

/// The same moments from a quadrature rule.
TiltedMoments by_quadrature(const Rule& rule, const Vec3d& barycentre, const Vec3d& lambda) {
  double total = 0;
  Vec3d first;
  Mat3d second;
  for (const auto& p : rule) {
    const Vec3d x = p.x - barycentre;
    const double w = p.weight * std::exp(-dot(lambda, x));
    total += w;
    first += w * x;
    second += w * outer(x, x);
  }
  const Vec3d mean = (1 / total) * first;
  return {std::log(total), mean, (1 / total) * second - outer(mean, mean)};
}

double largest_difference(const Mat3d& a, const Mat3d& b) {
  double largest = 0;
  for (int i = 0; i < 9; ++i) largest = std::max(largest, std::abs(a.m[i] - b.m[i]));
  return largest;
}

class Domains : public testing::Test {
 protected:
  static void SetUpTestSuite() { samples_ = new std::vector(samples::sample_domains()); }
  static void TearDownTestSuite() {
    delete samples_;
    samples_ = nullptr;
  }
  static std::vector<SampleDomain>* samples_;
};
std::vector<SampleDomain>* Domains::samples_ = nullptr;

const std::array<Vec3d, 4> kDirections{Vec3d{1, 0, 0}, Vec3d{0, 0.6, -0.8}, Vec3d{-0.48, 0.6, 0.64},
                                       Vec3d{0.36, -0.48, 0.8}};

TEST_F(Domains, HaveVolumeAndBarycentre) {
  for (const auto& [name, domain, rule] : *samples_) {
    SCOPED_TRACE(name);
    double volume = 0;
    Vec3d moment;
    for (const auto& p : rule) volume += p.weight, moment += p.weight * p.x;
    EXPECT_NEAR(domain->volume() / volume, 1, 1e-12);
    EXPECT_LT(norm(domain->barycentre() - (1 / volume) * moment), 1e-12 * size_of(*domain));
    EXPECT_NEAR(domain->tilted_moments({}).log_integral, std::log(volume), 1e-12);
    EXPECT_LT(norm(domain->tilted_moments({}).mean), 1e-14 * size_of(*domain));
  }
}

// |lambda| times the size of the domain from 1e-6 to 30; the rules, of 30 points in each direction,
// are accurate to some 1e-13 there.
TEST_F(Domains, IntegrateExponentials) {
  for (const auto& [name, domain, rule] : *samples_)
    for (const double slope : {1e-6, 0.01, 1.0, 8.0, 30.0})
      for (const Vec3d& direction : kDirections) {
        SCOPED_TRACE(name + " " + std::to_string(slope));
        const double size = size_of(*domain);
        const Vec3d lambda = (slope / size) * direction;
        const TiltedMoments got = domain->tilted_moments(lambda);
        const TiltedMoments expected = by_quadrature(rule, domain->barycentre(), lambda);
        EXPECT_NEAR(got.log_integral, expected.log_integral, 1e-12);
        EXPECT_LT(norm(got.mean - expected.mean), 1e-12 * size);
        EXPECT_LT(largest_difference(got.covariance, expected.covariance), 1e-12 * size * size);
        EXPECT_LT(got.rounding, 1e-12);
      }
}

// Differences of fourth order: f' = (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12 h. h is a tenth of
// the scale on which f changes, 1 / deviation, where the error of the formula is some 1e-5.
TEST_F(Domains, HaveConsistentDerivatives) {
  for (const auto& [name, domain, rule] : *samples_)
    for (const double slope : {0.1, 5.0, 50.0, 1e3, 1e5})
      for (const Vec3d& direction : kDirections) {
        SCOPED_TRACE(name + " " + std::to_string(slope));
        const Domain& d = *domain;
        const Vec3d lambda = (slope / size_of(d)) * direction;
        const TiltedMoments here = d.tilted_moments(lambda);
        for (int i = 0; i < 3; ++i) {
          const double deviation = std::sqrt(here.covariance(i, i)), h = 0.02 / deviation;
          const auto at = [&](double steps) {
            Vec3d moved = lambda;
            moved[i] += steps * h;
            return d.tilted_moments(moved);
          };
          const auto p1 = at(1), m1 = at(-1), p2 = at(2), m2 = at(-2);
          const auto derivative = [h](double a1, double b1, double a2, double b2) {
            return (8 * (a1 - b1) - (a2 - b2)) / (12 * h);
          };
          // log I is of the order of the slope, and so is its rounding error.
          EXPECT_NEAR(
              derivative(p1.log_integral, m1.log_integral, p2.log_integral, m2.log_integral),
              -here.mean[i], (1e-6 + 1e-14 * slope) * deviation);
          for (int j = 0; j < 3; ++j)
            EXPECT_NEAR(derivative(p1.mean[j], m1.mean[j], p2.mean[j], m2.mean[j]),
                        -here.covariance(j, i),
                        (1e-5 + 1e-14 * slope) * deviation * std::sqrt(here.covariance(j, j)));
        }
      }
}

// M. Brion's formula: with a large lambda only the lowest corner counts. If three edges e_i meet
// there, x - corner is a sum of independent exponential variables along them with means 1/<lambda,
// e_i>.
void expect_corner_law(const Domain& domain, const Vec3d& corner, const std::array<Vec3d, 3>& edges,
                       const Vec3d& lambda) {
  double log_integral = std::log(std::abs(dot(edges[0], cross(edges[1], edges[2])))) -
                        dot(lambda, corner - domain.barycentre());
  Vec3d mean = corner - domain.barycentre();
  Mat3d covariance;
  for (const Vec3d& edge : edges) {
    const double slope = dot(lambda, edge);
    ASSERT_GT(slope, 0);
    log_integral -= std::log(slope);
    const Vec3d scaled = (1 / slope) * edge;
    mean += scaled;
    covariance += outer(scaled, scaled);
  }
  const TiltedMoments got = domain.tilted_moments(lambda);
  const double scale = std::sqrt(covariance(0, 0) + covariance(1, 1) + covariance(2, 2));
  EXPECT_NEAR(got.log_integral, log_integral, 1e-13 * std::abs(log_integral));
  EXPECT_LT(norm(got.mean - mean), 1e-11 * scale + 1e-15 * norm(mean));
  EXPECT_LT(largest_difference(got.covariance, covariance), 1e-12 * scale * scale);
}

TEST(DomainLimits, IsTheLawAtACorner) {
  for (const double slope : {1e3, 1e5, 1e7}) {
    const Vec3d lambda = slope * Vec3d{0.5, 0.7, 0.4};
    const std::array<Vec3d, 3> axes{Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}};
    expect_corner_law(BoxDomain({{0.5, 1, 1.5}, {1, 2, 3}}), {0, 0, 0}, axes, lambda);
    expect_corner_law(MeshDomain(samples::box_surface({0, 0, 0}, {1, 2, 3})), {0, 0, 0}, axes,
                      lambda);
    expect_corner_law(MeshDomain(samples::l_shape_surface()), {0, 0, 0}, axes, lambda);
    // At the top of the wall, which the barycentre does not see.
    expect_corner_law(MeshDomain(samples::l_shape_surface()), {0.5, 0, 2.5},
                      {Vec3d{-0.5, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, -2}},
                      slope * Vec3d{-0.5, 0.2, -0.7});
    const auto v = samples::bipyramid_vertices();
    expect_corner_law(PolytopeDomain(v), v[1], {v[2] - v[1], v[3] - v[1], v[4] - v[1]},
                      slope * Vec3d{0.1, 0, -1});
  }
}

// Slices across lambda: 4 pi (k cosh k - sinh k) / k^3 for the unit ball.
TEST(DomainLimits, OfTheBallAreClosedForms) {
  const EllipsoidDomain ball(BallShape{{1, 2, 3}, 1.0});
  for (const double k : {50.0, 1e3, 1e6}) {
    const TiltedMoments got = ball.tilted_moments({0, -k, 0});
    EXPECT_NEAR(got.log_integral, k + std::log(2 * std::numbers::pi * (k - 1) / (k * k * k)),
                1e-14 * k);
    EXPECT_NEAR(got.mean.y, 1 + 1 / (k - 1) - 3 / k, 1e-14);
    EXPECT_NEAR(got.covariance(1, 1) * k * k, 3 - 1 / std::pow(1 - 1 / k, 2), 1e-12);
  }
}

// The ball about x whose radius is the distance stays on one side of the surface; and going that
// far along the gradient of the distance leads to the other side.
TEST_F(Domains, MeasureDistancesToTheirHull) {
  for (const auto& [name, domain, rule] : *samples_) {
    SCOPED_TRACE(name);
    if (name == "l_shape" || name == "hollow") continue;  // not their own hull
    const Domain& d = *domain;
    const Bounds b = d.bounds();
    const double size = size_of(d), h = 1e-6 * size;
    Draws draws(Stream(4, 0, 0));
    const auto random_vector = [&draws] {
      return Vec3d{2 * draws.uniform() - 1, 2 * draws.uniform() - 1, 2 * draws.uniform() - 1};
    };
    for (int i = 0; i < 200; ++i) {
      const Vec3d along = random_vector(), extent = b.upper - b.lower;
      const Vec3d x = 0.5 * (b.lower + b.upper) +
                      0.8 * Vec3d{along.x * extent.x, along.y * extent.y, along.z * extent.z};
      const double distance = d.distance_to_hull(x);
      EXPECT_EQ(d.contains(x), distance <= 0);
      for (int k = 0; k < 50; ++k) {
        const Vec3d v = random_vector();
        EXPECT_EQ(d.contains(x + (0.9999 * std::abs(distance) / norm(v)) * v), distance <= 0);
      }
      Vec3d gradient;
      for (int k = 0; k < 3; ++k) {
        Vec3d step;
        step[k] = h;
        gradient[k] = (d.distance_to_hull(x + step) - d.distance_to_hull(x - step)) / (2 * h);
      }
      EXPECT_NEAR(norm(gradient), 1, 1e-3);
      const Vec3d foot = x - distance * gradient;
      for (const double stretch : {0.999, 1.001})
        EXPECT_EQ(d.contains(d.barycentre() + stretch * (foot - d.barycentre())), stretch < 1);
    }
  }
}

TEST(DomainDistances, OfTheSolidAreKnown) {
  const EllipsoidDomain ball(BallShape{{1, 2, 3}, 0.5});
  EXPECT_DOUBLE_EQ(ball.distance_to_hull({1, 2, 3}), -0.5);
  EXPECT_NEAR(ball.distance_to_hull({1.2, 2, 3}), -0.3, 1e-15);
  EXPECT_NEAR(ball.distance_to_hull({1, 5, 3}), 2.5, 1e-15);
  const EllipsoidDomain egg(EllipsoidShape{{0, 0, 0}, {3, 2, 1}});
  EXPECT_DOUBLE_EQ(egg.distance_to_hull({0, 0, 0}), -1);
  EXPECT_DOUBLE_EQ(egg.distance_to_hull({4, 0, 0}), 1);
  EXPECT_DOUBLE_EQ(egg.distance_to_hull({0, 0, -0.25}), -0.75);
  // Off the middle in the plane of the long axes: the foot of (x, 0, 0) is (9 x / 8, 0, z).
  EXPECT_NEAR(egg.distance_to_hull({0.8, 0, 0}), -std::hypot(0.1, std::sqrt(1 - 0.09)), 1e-14);
  const MeshDomain l_shape(samples::l_shape_surface());
  EXPECT_NEAR(l_shape.distance_to_hull({0.5, 0.5, 1}), -0.5, 1e-12);
  EXPECT_LT(l_shape.distance_to_hull({1, 0.5, 1}), 0);  // between the arms
  EXPECT_FALSE(l_shape.contains({1, 0.5, 1}));
  EXPECT_NEAR(l_shape.distance_to_hull({1, -2, 0.2}), 2, 1e-14);
}

// Bounds that cannot be tightened: the mean of a law with a large lambda along an axis touches
// them.
TEST_F(Domains, HaveTightBounds) {
  for (const auto& [name, domain, rule] : *samples_)
    for (int i = 0; i < 3; ++i) {
      SCOPED_TRACE(name);
      const Bounds b = domain->bounds();
      Vec3d lambda;
      lambda[i] = 1e9 / size_of(*domain);
      EXPECT_NEAR(b.lower[i], domain->barycentre()[i] + domain->tilted_moments(lambda).mean[i],
                  1e-8 * size_of(*domain));
      EXPECT_NEAR(b.upper[i], domain->barycentre()[i] + domain->tilted_moments(-lambda).mean[i],
                  1e-8 * size_of(*domain));
    }
}

// Which of the points of a rule they contain: theirs, all; and a fraction of random points of the
// bounds that is that of the volumes, to 5 deviations of the binomial law (6e-7).
TEST_F(Domains, ContainTheirPoints) {
  for (const auto& [name, domain, rule] : *samples_) {
    SCOPED_TRACE(name);
    for (const auto& p : rule) ASSERT_TRUE(domain->contains(p.x));
    const Bounds b = domain->bounds();
    const Vec3d extent = b.upper - b.lower;
    Draws draws(Stream(5, 0, 0));
    const int count = 20000;
    int inside = 0;
    for (int i = 0; i < count; ++i) {
      const double u = draws.uniform(), v = draws.uniform(), w = draws.uniform();
      inside += domain->contains(b.lower + Vec3d{u * extent.x, v * extent.y, w * extent.z});
    }
    const double fraction = domain->volume() / (extent.x * extent.y * extent.z);
    EXPECT_NEAR(inside, count * fraction, 5 * std::sqrt(count * fraction * (1 - fraction)));
  }
}

// Verticals through vertices and edges, where a test by crossings is in danger of counting twice.
TEST(MeshDomain, ContainsPointsBelowItsEdges) {
  const MeshDomain hollow(samples::hollow_surface()), l_shape(samples::l_shape_surface());
  for (const double x : {0.25, 0.5, 1.0, 1.5, 1.75})
    for (const double y : {-0.75, -0.5, 0.0, 0.25, 0.5, 0.75})
      for (const double z : {-0.75, -0.25, 0.0, 0.25, 0.75}) {
        const bool in_cavity = std::abs(x - 1) < 0.5 && std::abs(y) < 0.5 && std::abs(z) < 0.5;
        const bool on_cavity =
            !in_cavity && std::abs(x - 1) <= 0.5 && std::abs(y) <= 0.5 && std::abs(z) <= 0.5;
        if (on_cavity) continue;
        EXPECT_EQ(hollow.contains({x, y, z}), !in_cavity) << x << ' ' << y << ' ' << z;
      }
  EXPECT_TRUE(l_shape.contains({0.25, 0.5, 0.5}));
  EXPECT_TRUE(l_shape.contains({0.5, 0.5, 0.25}));
  EXPECT_FALSE(l_shape.contains({0.75, 0.5, 0.75}));
  EXPECT_FALSE(l_shape.contains({0.25, 1.5, 0.5}));
}

void expect_same_law(const Domain& a, const Domain& b) {
  EXPECT_NEAR(a.volume() / b.volume(), 1, 1e-12);
  EXPECT_LT(norm(a.barycentre() - b.barycentre()), 1e-12);
  for (const double slope : {0.0, 1e-3, 1.0, 20.0, 1e4})
    for (const Vec3d& direction : kDirections) {
      const TiltedMoments p = a.tilted_moments(slope * direction);
      const TiltedMoments q = b.tilted_moments(slope * direction);
      EXPECT_NEAR(p.log_integral, q.log_integral, 1e-12 * (1 + slope));
      EXPECT_LT(norm(p.mean - q.mean), 1e-12);
      EXPECT_LT(largest_difference(p.covariance, q.covariance), 1e-12);
    }
}

TEST(MeshDomain, OfABoxIsTheBox) {
  expect_same_law(MeshDomain(samples::box_surface({0.3, -0.1, 0.49}, {0.8, 0.1, 0.51})),
                  BoxDomain({{0.55, 0, 0.5}, {0.5, 0.2, 0.02}}));
}

TEST(PolytopeDomain, FromHalfSpacesIsTheOneFromVertices) {
  const auto v = samples::bipyramid_vertices();
  const PolytopeDomain from_vertices(v);
  std::vector<HalfSpace> half_spaces;
  const TriangleSurface& surface = from_vertices.surface();
  for (const auto& t : surface.triangles) {
    const Vec3d a = surface.vertices[t[0]];
    const Vec3d normal = cross(surface.vertices[t[1]] - a, surface.vertices[t[2]] - a);
    half_spaces.push_back({normal, dot(normal, a)});
  }
  half_spaces.push_back({{0, 0, 1}, 1.6});  // redundant
  half_spaces.push_back(half_spaces[0]);
  expect_same_law(PolytopeDomain(half_spaces), from_vertices);
}

TEST(PolytopeDomain, FromHalfSpacesOfABoxIsTheBox) {
  const BoxShape box{{0.55, 0.3, 0.5}, {0.5, 0.2, 1.4}, samples::oblique_axes()};
  std::vector<HalfSpace> half_spaces;
  for (int i = 0; i < 3; ++i)
    for (const double sign : {-1.0, 1.0}) {
      const Vec3d normal = sign * box.orientation.column(i);
      half_spaces.push_back({normal, dot(normal, box.centre) + 0.5 * box.edges[i]});
    }
  expect_same_law(PolytopeDomain(half_spaces), BoxDomain(box));
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Shapes, AreRefusedWithAReason) {
  using testing::HasSubstr;
  EXPECT_THAT(message_of([] {
                BoxDomain({{0, 0, 0}, {1, -2, 3}});
              }),
              HasSubstr("second edge of the box = -2 must be positive and finite: the domain must "
                        "have a volume"));
  EXPECT_THAT(message_of([] {
                BoxDomain({{0, NAN, 0}, {1, 2, 3}});
              }),
              HasSubstr("centre of the box = (0, nan, 0) must have finite coordinates"));
  EXPECT_THAT(message_of([] {
                BoxDomain({{0, 0, 0}, {1, 2, 3}, 1.1 * Mat3d::identity()});
              }),
              HasSubstr("orientation of the box is no rotation: its columns (1.1, 0, 0), "));
  EXPECT_THAT(message_of([] {
                EllipsoidDomain(BallShape{{0, 0, 0}, 0});
              }),
              HasSubstr("radius of the ball = 0 must be positive"));
  EXPECT_THAT(message_of([] {
                EllipsoidDomain(EllipsoidShape{{0, 0, 0}, {1, 1, INFINITY}});
              }),
              HasSubstr("third semi-axis of the ellipsoid = inf must be positive and finite"));
  EXPECT_THAT(message_of([] {
                CylinderDomain({{0, 0, 0}, -1, 2});
              }),
              HasSubstr("radius of the cylinder = -1 must be positive"));
  EXPECT_THAT(message_of([] {
                CylinderDomain({{0, 0, 0}, 1, 0});
              }),
              HasSubstr("length of the cylinder = 0 must be positive"));
  EXPECT_THAT(message_of([] {
                CylinderDomain({{0, 0, 0}, 1, 2, {0, 0, 0}});
              }),
              HasSubstr("axis of the cylinder = (0, 0, 0) has no direction"));
}

TEST(Meshes, AreRefusedWithTheTriangleAtFault) {
  using testing::HasSubstr;
  const TriangleSurface box = samples::box_surface({0, 0, 0}, {1, 1, 1});
  const auto message = [](const TriangleSurface& s) {
    return message_of([&] { MeshDomain mesh(s); });
  };
  EXPECT_EQ(message(box), "accepted");

  TriangleSurface open = box;
  open.triangles.erase(open.triangles.begin() + 4);  // (0, 1, 5) at the front
  EXPECT_THAT(message(open), HasSubstr("the mesh is open: the edge from (0, 0, 0) to (1, 0, 0) of "
                                       "triangle 2 belongs to no other triangle"));
  TriangleSurface turned = box;
  std::swap(turned.triangles[6][0], turned.triangles[6][1]);
  EXPECT_THAT(message(turned),
              HasSubstr("of the mesh disagree on which side is outside: they run along the edge"));
  EXPECT_THAT(message(turned), HasSubstr("7"));
  TriangleSurface inwards = box;
  for (auto& t : inwards.triangles) std::swap(t[0], t[1]);
  EXPECT_THAT(message(inwards),
              HasSubstr("the mesh encloses the volume -1: its triangles face inwards"));
  TriangleSurface branched = box;
  branched.vertices.push_back({3, 3, 3});
  branched.triangles.push_back({0, 1, 8});
  EXPECT_THAT(message(branched), HasSubstr("belongs to 3 triangles of the mesh, triangle"));
  TriangleSurface flat = box;
  for (Vec3d& v : flat.vertices) v.z = 0;
  EXPECT_THAT(message(flat), HasSubstr("the mesh encloses no volume"));
  TriangleSurface wrong = box;
  wrong.triangles[3][1] = 8;
  EXPECT_THAT(message(wrong), HasSubstr("triangle 4 of the mesh names vertex 9, but there are 8"));
  TriangleSurface infinite = box;
  infinite.vertices[2].y = INFINITY;
  EXPECT_THAT(message(infinite), HasSubstr("vertex 3 of the mesh = (0, inf, 0) must have finite"));
  EXPECT_THAT(message({box.vertices, {{0, 1, 2}}}), HasSubstr("the mesh has 1 triangles"));

  TriangleSurface degenerate = box;  // as some STL files have them
  degenerate.triangles.push_back({0, 0, 1});
  EXPECT_EQ(message(degenerate), "accepted");
}

}  // namespace
}  // namespace tumble
