#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "tumble/report/scene/scene_parts.hpp"

namespace tumble::report {
namespace {

Json numbers(const Vec3d& v) { return {v.x, v.y, v.z}; }

Json given_shape(const tumble::Shape& shape) {
  const Json centre = {0, 0, 0};
  switch (shape.kind) {
    case tumble::Shape::Kind::box:
      return {{"type", "box"}, {"size", numbers(shape.size)}, {"center", centre}};
    case tumble::Shape::Kind::sphere:
      return {{"type", "sphere"}, {"radius", shape.radius}, {"center", centre}};
    default: {
      Vec3d axis;
      axis[shape.axis] = 1;
      return {{"type", "cylinder"},
              {"radius", shape.radius},
              {"length", shape.length},
              {"axis", numbers(axis)},
              {"center", centre}};
    }
  }
}

/// A box whose edges are along the columns of `axes`.
Json turned_box(const Vec3d& size, const Eigen::Matrix3d& axes, Blob& blob) {
  std::vector<double> vertices;
  for (int corner = 0; corner < 8; ++corner) {
    Eigen::Vector3d at;
    for (int k = 0; k < 3; ++k) at(k) = (corner >> k & 1 ? 0.5 : -0.5) * size[k];
    at = axes * at;
    vertices.insert(vertices.end(), {at(0), at(1), at(2)});
  }
  // Two triangles a face, counterclockwise seen from outside.
  const std::vector<std::int64_t> triangles = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5,
                                               0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3,
                                               0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
  return {{"type", "mesh"},
          {"vertices", blob.f32(vertices, {8, 3})},
          {"triangles", blob.i32(triangles, {12, 3})}};
}

}  // namespace

Vec3d equivalent_box(double mass, const Vec3d& inertia) {
  const double sum = inertia.x + inertia.y + inertia.z;
  Vec3d edges;
  double longest = 0;
  for (int k = 0; k < 3; ++k) {
    edges[k] = std::sqrt(std::max(0.0, 6 * (sum - 2 * inertia[k]) / mass));
    longest = std::max(longest, edges[k]);
  }
  for (int k = 0; k < 3; ++k) edges[k] = std::max(edges[k], longest / 50);
  return edges;
}

Json body_shapes(const Body& body, Blob& blob) {
  if (body.shape.kind != tumble::Shape::Kind::none) return Json::array({given_shape(body.shape)});
  const auto& J = body.inertia;
  const double size = J[0] + J[1] + J[2], across = std::abs(J[3]) + std::abs(J[4]) + std::abs(J[5]);
  if (!(size > 0)) return Json::array({Json{{"type", "point"}}});
  if (across <= 1e-6 * size)
    return Json::array({Json{{"type", "box"},
                             {"size", numbers(equivalent_box(body.mass, {J[0], J[1], J[2]}))},
                             {"center", {0, 0, 0}}}});
  Eigen::Matrix3d matrix;
  matrix << J[0], J[3], J[4], J[3], J[1], J[5], J[4], J[5], J[2];
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(matrix);
  Eigen::Matrix3d axes = solver.eigenvectors();
  if (axes.determinant() < 0) axes.col(0) = -axes.col(0);
  const auto& moments = solver.eigenvalues();
  return Json::array(
      {turned_box(equivalent_box(body.mass, {moments(0), moments(1), moments(2)}), axes, blob)});
}

}  // namespace tumble::report
