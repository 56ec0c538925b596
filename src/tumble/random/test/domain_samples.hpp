// One domain of each kind, oblique where it can be, with a quadrature rule that shares nothing with
// the engine's integrals.
#pragma once
#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "tumble/random/domain/box_domain.hpp"
#include "tumble/random/domain/cylinder_domain.hpp"
#include "tumble/random/domain/ellipsoid_domain.hpp"
#include "tumble/random/domain/mesh_domain.hpp"
#include "tumble/random/domain/polytope_domain.hpp"

namespace tumble::samples {

struct WeightedPoint {
  Vec3d x;
  double weight;
};
using Rule = std::vector<WeightedPoint>;

struct SampleDomain {
  std::string name;
  std::shared_ptr<const Domain> domain;
  Rule rule;
};

/// Gauss's points and weights on (0, 1).
inline std::vector<std::array<double, 2>> gauss_points() {
  using Gauss = boost::math::quadrature::gauss<double, 30>;
  std::vector<std::array<double, 2>> points;
  for (std::size_t i = 0; i < Gauss::abscissa().size(); ++i)
    for (const double sign : {-1.0, 1.0})
      points.push_back({0.5 + 0.5 * sign * Gauss::abscissa()[i], 0.5 * Gauss::weights()[i]});
  return points;
}

/// Equal steps on (0, 1), for functions of period 1.
inline std::vector<std::array<double, 2>> periodic_points() {
  std::vector<std::array<double, 2>> points;
  for (int i = 0; i < 64; ++i) points.push_back({(i + 0.3) / 64, 1.0 / 64});
  return points;
}

/// `map` takes (a, b, c) in the unit cube to a point and its Jacobian.
template <class Map>
Rule rule_of(const Map& map, const std::vector<std::array<double, 2>>& third = gauss_points()) {
  Rule rule;
  for (const auto& [a, wa] : gauss_points())
    for (const auto& [b, wb] : gauss_points())
      for (const auto& [c, wc] : third) {
        const WeightedPoint p = map(a, b, c);
        rule.push_back({p.x, p.weight * wa * wb * wc});
      }
  return rule;
}

inline Rule box_rule(const BoxShape& s) {
  return rule_of([&](double a, double b, double c) {
    const Vec3d local{(a - 0.5) * s.edges.x, (b - 0.5) * s.edges.y, (c - 0.5) * s.edges.z};
    return WeightedPoint{s.centre + s.orientation * local, s.edges.x * s.edges.y * s.edges.z};
  });
}

inline Rule ellipsoid_rule(const EllipsoidShape& s) {
  return rule_of(
      [&](double a, double b, double c) {
        const double z = 2 * b - 1, ring = std::sqrt(1 - z * z), angle = 2 * std::numbers::pi * c;
        const Vec3d y = a * Vec3d{ring * std::cos(angle), ring * std::sin(angle), z};
        const Vec3d local{y.x * s.semi_axes.x, y.y * s.semi_axes.y, y.z * s.semi_axes.z};
        return WeightedPoint{
            s.centre + s.orientation * local,
            4 * std::numbers::pi * a * a * s.semi_axes.x * s.semi_axes.y * s.semi_axes.z};
      },
      periodic_points());
}

/// `across` and `third` complete the unit vector of the axis to a frame.
inline Rule cylinder_rule(const CylinderShape& s, const Vec3d& across, const Vec3d& third) {
  const Vec3d axis = (1 / norm(s.axis)) * s.axis;
  return rule_of(
      [&](double a, double b, double c) {
        const double angle = 2 * std::numbers::pi * c;
        return WeightedPoint{s.centre + (s.length * (b - 0.5)) * axis +
                                 (s.radius * a * std::cos(angle)) * across +
                                 (s.radius * a * std::sin(angle)) * third,
                             2 * std::numbers::pi * s.radius * s.radius * s.length * a};
      },
      periodic_points());
}

/// A tetrahedron as a collapsed cube.
inline Rule tetrahedron_rule(const std::array<Vec3d, 4>& v) {
  const double sixfold = dot(v[1] - v[0], cross(v[2] - v[0], v[3] - v[0]));
  return rule_of([&](double a, double b, double c) {
    const Vec3d x = v[0] + a * ((v[1] - v[0]) + b * ((v[2] - v[1]) + c * (v[3] - v[2])));
    return WeightedPoint{x, std::abs(sixfold) * a * a * b};
  });
}

inline Rule operator+(Rule a, const Rule& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// A rotation about (1, 2, 3) by 0.9 rad: Rodrigues' formula.
inline Mat3d oblique_axes() {
  const Mat3d k = (1 / std::sqrt(14.0)) * skew(Vec3d{1, 2, 3});
  return Mat3d::identity() + std::sin(0.9) * k + (1 - std::cos(0.9)) * (k * k);
}

/// Two triangles for each side of the box between `low` and `high`.
inline TriangleSurface box_surface(const Vec3d& low, const Vec3d& high) {
  TriangleSurface s;
  for (int i = 0; i < 8; ++i)
    s.vertices.push_back({i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z});
  s.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                 {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return s;
}

/// The two boxes that make up the L-shaped mesh: a floor and a wall on its left end.
inline std::array<BoxShape, 2> l_shape_boxes() {
  return {BoxShape{{1.5, 0.5, 0.25}, {3, 1, 0.5}}, BoxShape{{0.25, 0.5, 1.5}, {0.5, 1, 2}}};
}

/// An extruded L, not convex and with its barycentre outside: one surface, no inner walls.
inline TriangleSurface l_shape_surface() {
  // The outline in x and z, counter-clockwise seen from -y, and three quadrilaterals that fill it.
  const std::array<std::array<double, 2>, 8> outline{
      {{0, 0}, {0.5, 0}, {3, 0}, {3, 0.5}, {0.5, 0.5}, {0.5, 2.5}, {0, 2.5}, {0, 0.5}}};
  const std::array<std::array<std::size_t, 4>, 3> quads{{{0, 1, 4, 7}, {1, 2, 3, 4}, {7, 4, 5, 6}}};
  TriangleSurface s;
  for (const double y : {0.0, 1.0})
    for (const auto& p : outline) s.vertices.push_back({p[0], y, p[1]});
  for (const auto& q : quads) {
    s.triangles.push_back({q[0], q[1], q[2]});
    s.triangles.push_back({q[0], q[2], q[3]});
    s.triangles.push_back({q[0] + 8, q[2] + 8, q[1] + 8});
    s.triangles.push_back({q[0] + 8, q[3] + 8, q[2] + 8});
  }
  for (std::size_t i = 0; i < 8; ++i) {
    const std::size_t j = (i + 1) % 8;
    s.triangles.push_back({i, i + 8, j + 8});
    s.triangles.push_back({i, j + 8, j});
  }
  return s;
}

/// A cube of edge 2 about (1, 0, 0) with a cubic cavity of edge 1 in its middle.
inline TriangleSurface hollow_surface() {
  TriangleSurface s = box_surface({0, -1, -1}, {2, 1, 1});
  TriangleSurface cavity = box_surface({0.5, -0.5, -0.5}, {1.5, 0.5, 0.5});
  s.vertices.insert(s.vertices.end(), cavity.vertices.begin(), cavity.vertices.end());
  for (const auto& t : cavity.triangles) s.triangles.push_back({t[0] + 8, t[2] + 8, t[1] + 8});
  return s;
}

/// A triangular bipyramid: corners at the two ends of an axis and three around it.
inline std::vector<Vec3d> bipyramid_vertices() {
  return {{0.1, 0.0, -0.7}, {0.0, 0.2, 1.5}, {1.0, 0.0, 0.1}, {-0.6, 0.9, 0.0}, {-0.4, -1.1, 0.2}};
}

inline std::vector<SampleDomain> sample_domains() {
  const BoxShape box{{0.55, 0.3, 0.5}, {0.5, 0.2, 1.4}, oblique_axes()};
  const BallShape ball{{1, -2, 0.5}, 0.8};
  const EllipsoidShape ellipsoid{{0.2, 0.1, 3}, {0.5, 1.2, 0.3}, oblique_axes()};
  const Mat3d axes = oblique_axes();
  const CylinderShape cylinder{{-1, 0.5, 0}, 0.4, 1.8, 2.5 * axes.column(2)};
  const auto v = bipyramid_vertices();
  const auto l_boxes = l_shape_boxes();

  std::vector<SampleDomain> samples;
  samples.push_back({"box", std::make_shared<BoxDomain>(box), box_rule(box)});
  samples.push_back({"ball", std::make_shared<EllipsoidDomain>(ball),
                     ellipsoid_rule({ball.centre, {ball.radius, ball.radius, ball.radius}})});
  samples.push_back(
      {"ellipsoid", std::make_shared<EllipsoidDomain>(ellipsoid), ellipsoid_rule(ellipsoid)});
  samples.push_back({"cylinder", std::make_shared<CylinderDomain>(cylinder),
                     cylinder_rule(cylinder, axes.column(0), axes.column(1))});
  samples.push_back({"polytope", std::make_shared<PolytopeDomain>(v),
                     tetrahedron_rule({v[0], v[1], v[2], v[3]}) +
                         tetrahedron_rule({v[0], v[1], v[3], v[4]}) +
                         tetrahedron_rule({v[0], v[1], v[4], v[2]})});
  samples.push_back({"l_shape", std::make_shared<MeshDomain>(l_shape_surface()),
                     box_rule(l_boxes[0]) + box_rule(l_boxes[1])});
  // The shell as six boxes: two slabs, and a ring of four between them.
  Rule shell;
  for (const double side : {-1.0, 1.0})
    shell = shell + box_rule({{1, 0, 0.75 * side}, {2, 2, 0.5}}) +
            box_rule({{1, 0.75 * side, 0}, {2, 0.5, 1}}) +
            box_rule({{1 + 0.75 * side, 0, 0}, {0.5, 1, 1}});
  samples.push_back({"hollow", std::make_shared<MeshDomain>(hollow_surface()), shell});
  return samples;
}

}  // namespace tumble::samples
