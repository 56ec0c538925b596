#include "tumble/inputs/make_domain.hpp"

#include <cmath>

#include "tumble/random/domain/box_domain.hpp"
#include "tumble/random/domain/cylinder_domain.hpp"
#include "tumble/random/domain/ellipsoid_domain.hpp"
#include "tumble/random/domain/half_spaces.hpp"
#include "tumble/random/domain/mesh_domain.hpp"
#include "tumble/random/domain/obj_file.hpp"
#include "tumble/random/domain/polytope_domain.hpp"

namespace tumble {
namespace {

using DomainPointer = std::shared_ptr<const Domain>;

Mat3d axes_of(const std::optional<Orientation>& orientation) {
  return orientation ? rotation_matrix(*orientation) : Mat3d::identity();
}

std::vector<HalfSpace> half_spaces_of(const PolytopeRegion& r) {
  std::vector<HalfSpace> half_spaces;
  for (const auto& h : r.half_spaces) half_spaces.push_back({{h[0], h[1], h[2]}, h[3]});
  return half_spaces;
}

TriangleSurface surface_of(const MeshRegion& r) {
  TriangleSurface surface;
  try {
    surface = parse_mesh(r.bytes, r.file.name);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument("'" + r.file.name + "': " + error.what());
  }
  for (Vec3d& x : surface.vertices) x = r.scale * x;
  return surface;
}

DomainPointer domain_of(const BoxRegion& r) {
  return std::make_shared<BoxDomain>(BoxShape{r.center, r.size, axes_of(r.orientation)});
}
DomainPointer domain_of(const BallRegion& r) {
  return std::make_shared<EllipsoidDomain>(BallShape{r.center, r.radius});
}
DomainPointer domain_of(const EllipsoidRegion& r) {
  return std::make_shared<EllipsoidDomain>(
      EllipsoidShape{r.center, r.semi_axes, axes_of(r.orientation)});
}
DomainPointer domain_of(const CylinderRegion& r) {
  return std::make_shared<CylinderDomain>(CylinderShape{r.center, r.radius, r.length, r.axis});
}
DomainPointer domain_of(const PolytopeRegion& r) {
  return r.vertices.empty() ? std::make_shared<PolytopeDomain>(half_spaces_of(r))
                            : std::make_shared<PolytopeDomain>(r.vertices);
}
DomainPointer domain_of(const MeshRegion& r) { return std::make_shared<MeshDomain>(surface_of(r)); }

Vec3d in_body(const Frame& body, const Vec3d& p) { return transpose_times(body.R, p - body.p); }

BodyExtent extent_of_points_in(const Frame& body, std::vector<Vec3d> points) {
  for (Vec3d& p : points) p = in_body(body, p);
  return extent_of_points(points);
}

BodyExtent extent(const BoxRegion& r, const Frame& body) {
  return extent_of_box(in_body(body, r.center), r.size,
                       transpose_times(body.R, axes_of(r.orientation)));
}
/// The ellipsoid reaches sqrt(sum_k (e . a_k)^2) in the direction e, with a_k its semi-axes.
BodyExtent extent(const EllipsoidRegion& r, const Frame& body) {
  const Mat3d axes = transpose_times(body.R, axes_of(r.orientation));
  Vec3d reach;
  for (int j = 0; j < 3; ++j)
    reach[j] = std::hypot(axes(j, 0) * r.semi_axes.x, axes(j, 1) * r.semi_axes.y,
                          axes(j, 2) * r.semi_axes.z);
  const Vec3d center = in_body(body, r.center);
  return {center - reach, center + reach};
}
BodyExtent extent(const BallRegion& r, const Frame& body) {
  return extent(EllipsoidRegion{r.center, {r.radius, r.radius, r.radius}, {}}, body);
}
BodyExtent extent(const CylinderRegion& r, const Frame& body) {
  return extent_of_cylinder(in_body(body, r.center), transpose_times(body.R, r.axis), r.radius,
                            r.length);
}
BodyExtent extent(const PolytopeRegion& r, const Frame& body) {
  return extent_of_points_in(body, r.vertices.empty() ? corners_of(half_spaces_of(r)) : r.vertices);
}
BodyExtent extent(const MeshRegion& r, const Frame& body) {
  return extent_of_points_in(body, surface_of(r).vertices);
}

}  // namespace

std::shared_ptr<const Domain> make_domain(const Region& region) {
  return std::visit([](const auto& r) { return domain_of(r); }, region);
}

BodyExtent extent_of(const Region& region, const Frame& body) {
  return std::visit([&](const auto& r) { return extent(r, body); }, region);
}

}  // namespace tumble
