#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <map>

#include "tumble/model/composite.hpp"
#include "tumble/report/scene/scene_parts.hpp"

namespace tumble::report {
namespace {

Json numbers(const Vec3d& v) { return {v.x, v.y, v.z}; }

/// A surface with at most so many triangles: corners in one cell of a grid become one, and cells
/// grow until that suffices. A page is mailed; what it shows is a few centimetres wide.
constexpr std::size_t most_triangles = 4000;

ShapeMesh thinned(const ShapeMesh& mesh) {
  if (mesh.triangles.size() <= most_triangles) return mesh;
  Vec3d low = mesh.vertices[0], high = low;
  for (const Vec3d& x : mesh.vertices)
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], x[k]), high[k] = std::max(high[k], x[k]);
  const double extent = std::max(largest_entry(high - low), 1e-300);
  for (int cells = 256;; cells /= 2) {
    ShapeMesh thin;
    std::map<std::array<int, 3>, std::size_t> known;
    std::vector<std::size_t> of;
    for (const Vec3d& x : mesh.vertices) {
      std::array<int, 3> cell{};
      for (int k = 0; k < 3; ++k)
        cell[static_cast<std::size_t>(k)] = static_cast<int>((x[k] - low[k]) / extent * cells);
      const auto [entry, is_new] = known.try_emplace(cell, thin.vertices.size());
      if (is_new) thin.vertices.push_back(x);
      of.push_back(entry->second);
    }
    for (const auto& t : mesh.triangles) {
      const std::array<std::size_t, 3> corners{of[t[0]], of[t[1]], of[t[2]]};
      if (corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0])
        thin.triangles.push_back(corners);
    }
    if (thin.triangles.size() <= most_triangles || cells <= 2) return thin;
  }
}

Json mesh_json(const ShapeMesh& mesh, const Vec3d& at, const Mat3d& axes, Blob& blob) {
  const ShapeMesh thin = thinned(mesh);
  std::vector<double> vertices;
  std::vector<std::int64_t> triangles;
  for (const Vec3d& own : thin.vertices) {
    const Vec3d x = at + axes * own;
    vertices.insert(vertices.end(), {x.x, x.y, x.z});
  }
  for (const auto& t : thin.triangles)
    for (const std::size_t corner : t) triangles.push_back(static_cast<std::int64_t>(corner));
  return {{"type", "mesh"},
          {"vertices", blob.f32(vertices, {thin.vertices.size(), 3})},
          {"triangles", blob.i32(triangles, {thin.triangles.size(), 3})}};
}

Json turned_box(const Vec3d& size, const Vec3d& at, const Mat3d& axes, Blob& blob);

/// A solid whose centre, or a mesh whose origin, is at `at`, in body axes about the centre of mass.
Json placed_shape(const tumble::Shape& shape, const Vec3d& at, const Mat3d& axes, Blob& blob) {
  switch (shape.kind) {
    case tumble::Shape::Kind::box: {
      const Mat3d off = axes - Mat3d::identity();
      for (const double x : off.m)
        if (std::abs(x) > 1e-12) return turned_box(shape.size, at, axes, blob);
      return {{"type", "box"}, {"size", numbers(shape.size)}, {"center", numbers(at)}};
    }
    case tumble::Shape::Kind::sphere:
      return {{"type", "sphere"}, {"radius", shape.radius}, {"center", numbers(at)}};
    case tumble::Shape::Kind::mesh:
      if (shape.mesh) return mesh_json(*shape.mesh, at, axes, blob);
      return {{"type", "point"}};
    default:
      return {{"type", "cylinder"},
              {"radius", shape.radius},
              {"length", shape.length},
              {"axis", numbers(axes.column(shape.axis))},
              {"center", numbers(at)}};
  }
}

/// The shape that also stands for the mass.
Json given_shape(const Body& body, Blob& blob) {
  const tumble::Shape& shape = body.shape;
  Vec3d at;
  if (shape.mesh)
    at = shape.origin
             ? transpose_times(rotation_matrix(body.orientation), *shape.origin - body.position)
             : -shape.mesh->centre;
  return placed_shape(shape, at, Mat3d::identity(), blob);
}

Json drawn_shapes(const Body& body, Blob& blob) {
  const Mat3d R = rotation_matrix(body.orientation);
  Json all = Json::array();
  for (const DrawnShape& drawn : body.drawing) {
    const Vec3d at = drawn.position ? transpose_times(R, *drawn.position - body.position) : Vec3d{};
    const Mat3d axes = drawn.orientation ? transpose_times(R, rotation_matrix(*drawn.orientation))
                                         : Mat3d::identity();
    all.push_back(placed_shape(drawn.shape, at, axes, blob));
  }
  return all;
}

/// A box whose edges are along the columns of `axes`.
Json turned_box(const Vec3d& size, const Vec3d& at, const Mat3d& axes, Blob& blob) {
  std::vector<double> vertices;
  for (int corner = 0; corner < 8; ++corner) {
    Vec3d own;
    for (int k = 0; k < 3; ++k) own[k] = (corner >> k & 1 ? 0.5 : -0.5) * size[k];
    const Vec3d x = at + axes * own;
    vertices.insert(vertices.end(), {x.x, x.y, x.z});
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

namespace {

/// The homogeneous box with this mass and inertia, about `at`, in the axes of the body.
Json box_of_inertia(double mass, const std::array<double, 6>& J, const Vec3d& at, Blob& blob) {
  const double size = J[0] + J[1] + J[2], across = std::abs(J[3]) + std::abs(J[4]) + std::abs(J[5]);
  if (across <= 1e-6 * size)
    return {{"type", "box"},
            {"size", numbers(equivalent_box(mass, {J[0], J[1], J[2]}))},
            {"center", numbers(at)}};
  Eigen::Matrix3d matrix;
  matrix << J[0], J[3], J[4], J[3], J[1], J[5], J[4], J[5], J[2];
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(matrix);
  Eigen::Matrix3d axes = solver.eigenvectors();
  if (axes.determinant() < 0) axes.col(0) = -axes.col(0);
  const auto& moments = solver.eigenvalues();
  Mat3d principal;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) principal(i, j) = axes(i, j);
  return turned_box(equivalent_box(mass, {moments(0), moments(1), moments(2)}), at, principal,
                    blob);
}

/// A point is a ball of a twentieth of the body's radius of gyration; holes are not seen.
Json parts_drawn(const Body& body, Blob& blob) {
  const Mat3d R = rotation_matrix(body.orientation);
  const auto& J = body.inertia;
  Json all = Json::array();
  for (const Part& part : body.parts) {
    if (part.hole) continue;
    const PartProperties own = part_properties(part, body);
    const Frame place = place_of(part, body);
    const Vec3d at = transpose_times(R, place.p - body.position);
    const Mat3d axes = transpose_times(R, place.R);
    tumble::Shape shape = solid_of(part);
    if (part.inertia) {
      const Mat3d I = transpose_times(R, own.inertia) * R;
      all.push_back(box_of_inertia(own.mass, {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)},
                                   at, blob));
    } else if (part.is_point()) {
      shape.kind = tumble::Shape::Kind::sphere;
      shape.radius = 0.05 * std::sqrt((J[0] + J[1] + J[2]) / (2 * body.mass));
      all.push_back(placed_shape(shape, at, axes, blob));
    } else {
      all.push_back(placed_shape(shape, at, part.mesh ? part.mesh->scale * axes : axes, blob));
    }
  }
  return all;
}

/// The lines of a flexible body's file, undeformed, as thin rods; its nodes show how it bends.
Json lines_drawn(const ModalData& data, Blob& blob) {
  double size = 0;
  for (const Vec3d& x : data.position) size = std::max(size, norm(x - data.centre));
  Json all = Json::array();
  for (const auto& [first, second] : data.lines) {
    const Vec3d a = data.position[static_cast<std::size_t>(first)] - data.centre,
                b = data.position[static_cast<std::size_t>(second)] - data.centre;
    tumble::Shape rod;
    rod.kind = tumble::Shape::Kind::cylinder;
    rod.length = norm(b - a);
    rod.radius = 0.01 * size;
    if (rod.length > 0) all.push_back(placed_shape(rod, 0.5 * (a + b), axes_along(b - a), blob));
  }
  return all;
}

}  // namespace

Json body_shapes(const Body& body, Blob& blob) {
  if (!body.drawing.empty()) return drawn_shapes(body, blob);
  if (body.shape.kind != tumble::Shape::Kind::none) return Json::array({given_shape(body, blob)});
  if (!body.parts.empty()) return parts_drawn(body, blob);
  if (body.modal && body.modal->data && !body.modal->data->lines.empty())
    return lines_drawn(*body.modal->data, blob);
  const auto& J = body.inertia;
  if (!(J[0] + J[1] + J[2] > 0)) return Json::array({Json{{"type", "point"}}});
  return Json::array({box_of_inertia(body.mass, J, Vec3d{}, blob)});
}

}  // namespace tumble::report
