#include "tumble/model/composite.hpp"

namespace tumble {
namespace {

Mat3d as_matrix(const std::array<double, 6>& J) {
  return {{J[0], J[3], J[4], J[3], J[1], J[5], J[4], J[5], J[2]}};
}

/// R J R^T
Mat3d turned(const Mat3d& R, const Mat3d& J) { return R * J * transpose(R); }

}  // namespace

Frame place_of(const Part& part, const Body& body) {
  return {part.position, rotation_matrix(part.orientation ? *part.orientation : body.orientation)};
}

Shape solid_of(const Part& part) {
  Shape shape;
  if (part.box) {
    shape.kind = Shape::Kind::box;
    shape.size = part.box->size;
  } else if (part.cylinder) {
    shape.kind = Shape::Kind::cylinder;
    shape.radius = part.cylinder->radius;
    shape.length = part.cylinder->length;
    shape.axis = static_cast<int>(part.cylinder->axis);
  } else if (part.sphere) {
    shape.kind = Shape::Kind::sphere;
    shape.radius = part.sphere->radius;
  } else if (part.mesh) {
    shape.kind = Shape::Kind::mesh;
    shape.file = part.mesh->file;
    shape.mesh = part.mesh->mesh;
  }
  return shape;
}

PartProperties part_properties(const Part& part, const Body& body) {
  const Frame place = place_of(part, body);
  const double sign = part.hole ? -1 : 1;
  PartProperties result{sign * part.mass.value_or(0), place.p, {}};
  if (part.inertia) {
    result.inertia = turned(place.R, as_matrix(*part.inertia));
  } else if (part.is_solid()) {
    Shape unit = solid_of(part);
    unit.density = 1;
    // Lengths of a mesh are in the units of its file: its volume goes with the third power of
    // their size, its inertia with the fifth.
    const double scale = part.mesh ? part.mesh->scale : 1;
    const double volume_scale = scale * scale * scale;
    const MassProperties solid = mass_properties(unit);
    const double density =
        part.density ? sign * *part.density : result.mass / (volume_scale * solid.mass);
    if (part.density) result.mass = density * (volume_scale * solid.mass);
    if (part.mesh && part.mesh->mesh) result.centre += place.R * (scale * part.mesh->mesh->centre);
    result.inertia =
        turned(place.R, (density * volume_scale * (scale * scale)) * as_matrix(solid.inertia));
  }
  return result;
}

// Batou & Soize (2012), Eqs. (1) and (2), for a body that is a sum of parts i:
//   m = int rho dx = sum m_i
//   r = 1/m int x rho dx = 1/m sum m_i r_i
//   J u = -int x' x (x' x u) rho dx',  x' = x - r
// which about the common centre is, with d_i = r_i - r (parallel axes),
//   J = sum [ J_i + m_i (d_i.d_i I - d_i d_i^T) ].
// A hole counts with a negative mass: the integrals are sums over the solid less those over it.
CompositeProperties composite_properties(const Body& body) {
  std::vector<PartProperties> parts;
  parts.reserve(body.parts.size());
  CompositeProperties sum;
  Vec3d moment;
  for (const Part& part : body.parts) {
    parts.push_back(part_properties(part, body));
    sum.mass += parts.back().mass;
  }
  // About the first part, so that bodies far from the origin lose nothing.
  const Vec3d origin = parts.empty() ? Vec3d{} : parts.front().centre;
  for (const PartProperties& part : parts) moment += part.mass * (part.centre - origin);
  const Vec3d centre = (1 / sum.mass) * moment;
  sum.centre = origin + centre;
  Mat3d J;
  for (const PartProperties& part : parts) {
    const Vec3d d = (part.centre - origin) - centre;
    J += part.inertia + part.mass * (dot(d, d) * Mat3d::identity() - outer(d, d));
  }
  const Mat3d own = turned(transpose(rotation_matrix(body.orientation)), J);
  // Rounding makes no matrix symmetric.
  sum.inertia = {own(0, 0),
                 own(1, 1),
                 own(2, 2),
                 0.5 * (own(0, 1) + own(1, 0)),
                 0.5 * (own(0, 2) + own(2, 0)),
                 0.5 * (own(1, 2) + own(2, 1))};
  return sum;
}

void settle_parts(Body& body) {
  const CompositeProperties sum = composite_properties(body);
  body.mass = sum.mass;
  body.position = sum.centre;
  body.inertia = sum.inertia;
}

}  // namespace tumble
