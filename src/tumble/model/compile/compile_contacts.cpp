// Contacts, tyres and cables: points of the second body, surfaces of the first, numbers of the
// laws.
#include <numbers>

#include "tumble/math/power.hpp"
#include "tumble/model/compile/compiling.hpp"
#include "tumble/model/contact_damping.hpp"

namespace tumble::compiling {

namespace {

/// The two frames at t = 0 in ground axes: the points as given or of markers; axes of markers, or
/// of the bodies themselves.
FramePair contact_frames(const Model& model, const std::array<MarkerRef, 2>& between,
                         const std::optional<std::array<Vec3d, 2>>& points) {
  FramePair pair = point_pair(model, between, points);
  for (std::size_t i = 0; i < 2; ++i) {
    const End end = resolve(model, between[i]);
    if (end.marker)
      pair.frame[i].R = end.marker->R;
    else if (end.body > 0)
      pair.frame[i].R =
          rotation_matrix(model.bodies[static_cast<std::size_t>(end.body) - 1].orientation);
  }
  return pair;
}

/// A direction given in ground axes at t = 0, or z of a marker, in the axes of a body.
Vec3d local_direction(const PrepareContext& context, const FramePair& pair, std::size_t end,
                      const std::optional<Vec3d>& given) {
  const Mat3d R = given ? axes_along(*given) : pair.frame[end].R;
  return context.local(pair.body[end], {pair.frame[end].p, R}).R.column(2);
}

std::vector<Vec3d> box_corners(const Frame& centre, const Vec3d& edges) {
  std::vector<Vec3d> corners;
  for (int i = 0; i < 8; ++i) {
    Vec3d own;
    for (int k = 0; k < 3; ++k) own[k] = (i >> k & 1 ? 0.5 : -0.5) * edges[k];
    corners.push_back(centre.p + centre.R * own);
  }
  return corners;
}

/// Vertices of the mesh that is the body's shape. They are where the nominal body is: another
/// centre of mass does not move its surface.
std::vector<Vec3d> mesh_points(const Body& nominal) {
  const Mat3d R = rotation_matrix(nominal.orientation);
  const ShapeMesh& mesh = *nominal.shape.mesh;
  const Vec3d origin =
      nominal.shape.origin ? *nominal.shape.origin : nominal.position - R * mesh.centre;
  std::vector<Vec3d> points;
  for (const Vec3d& vertex : mesh.vertices) points.push_back(origin + R * vertex);
  return points;
}

/// Centres of rims, or points of them.
std::vector<Vec3d> rim_points(const Frame& second, const PlaneContact& contact) {
  const Mat3d axes = contact.rim_axis ? axes_along(*contact.rim_axis) : second.R;
  std::vector<Vec3d> centres{second.p};
  if (contact.rim_distance) {
    const Vec3d half = 0.5 * *contact.rim_distance * axes.column(2);
    centres = {second.p - half, second.p + half};
  }
  if (contact.rim_points == 0) return centres;
  std::vector<Vec3d> points;
  for (const Vec3d& centre : centres)
    for (int i = 0; i < contact.rim_points; ++i) {
      const auto turn = sincos(2 * std::numbers::pi * i / contact.rim_points);
      points.push_back(centre + *contact.rim_radius *
                                    (turn.cos * axes.column(0) + turn.sin * axes.column(1)));
    }
  return points;
}

/// All points that may touch, ground axes at t = 0.
template <class Kind>
std::vector<Vec3d> touching_points(const Model& nominal, const FramePair& pair,
                                   const Kind& contact) {
  const Frame& second = pair.frame[1];
  if (contact.box) return box_corners(second, *contact.box);
  if (contact.mesh) return mesh_points(nominal.bodies[static_cast<std::size_t>(pair.body[1]) - 1]);
  if constexpr (requires { contact.rim_radius; })
    if (contact.rim_radius) return rim_points(second, contact);
  return {second.p};
}

ContactNumbers<double> numbers_of(const ContactLaw& law) {
  const double sliding = law.friction;
  return {law.stiffness,
          law.exponent,
          law.restitution ? damping_of_restitution(*law.restitution, *law.impact_velocity)
                          : law.damping,
          sliding,
          law.static_friction ? *law.static_friction - sliding : 0.0,
          law.transition_velocity,
          law.stribeck_velocity ? *law.stribeck_velocity : 10 * law.transition_velocity,
          law.rolling_resistance,
          law.spin_friction};
}

/// Coefficients of the cubic B-spline through f with zero second derivatives at its ends: two more
/// than there are values. (c_{i-1} + 4 c_i + c_{i+1})/6 = f_i, and c_0 = f_0 at an end.
std::vector<double> spline_coefficients(const std::vector<double>& f) {
  const std::size_t n = f.size();
  std::vector<double> c(n + 2), factor(n);
  c[1] = f[0], c[n] = f[n - 1];
  for (std::size_t i = 1; i + 1 < n; ++i) {  // forward elimination; c[i + 1] belongs to f[i]
    factor[i] = 1 / (4 - factor[i - 1]);
    c[i + 1] = (6 * f[i] - c[i]) * factor[i];
  }
  for (std::size_t i = n - 1; i-- > 1;) c[i + 1] -= factor[i] * c[i + 2];
  c[0] = 2 * c[1] - c[2];
  c[n + 1] = 2 * c[n] - c[n - 1];
  return c;
}

void write_heights(const std::vector<std::vector<double>>& heights, double* out) {
  const std::size_t columns = heights[0].size() + 2, rows = heights.size();
  std::vector<std::vector<double>> along;
  for (const auto& row : heights) along.push_back(spline_coefficients(row));
  for (std::size_t j = 0; j < columns; ++j) {
    std::vector<double> column(rows);
    for (std::size_t i = 0; i < rows; ++i) column[i] = along[i][j];
    const auto c = spline_coefficients(column);
    for (std::size_t i = 0; i < c.size(); ++i) out[i * columns + j] = c[i];
  }
}

// Surfaces: their structure, and their numbers.

PlaneSurface surface_of(System&, const PlaneContact&) { return {}; }
SphereSurface surface_of(System&, const SphereContact& contact) { return {contact.inside}; }
CylinderSurface surface_of(System&, const CylinderContact& contact) {
  return {contact.inside, contact.length.has_value()};
}
HeightFieldSurface surface_of(System& system, const HeightFieldContact& contact) {
  HeightFieldSurface surface;
  surface.rows = static_cast<int>(contact.heights.size());
  surface.columns = static_cast<int>(contact.heights[0].size());
  surface.heights = reserve(system, (surface.rows + 2) * (surface.columns + 2));
  return surface;
}

using PlaneNumbers = PlaneSurface::Numbers<double>;
PlaneNumbers plane_numbers(const PrepareContext& context, const FramePair& pair,
                           const std::optional<Vec3d>& normal) {
  return {context.local(pair.body[0], pair.frame[0]).p, local_direction(context, pair, 0, normal)};
}

void write(const PlaneSurface&, const PlaneContact& contact, const PrepareContext& context,
           const FramePair& pair, double*, PlaneNumbers& k) {
  k = plane_numbers(context, pair, contact.normal);
}
void write(const SphereSurface&, const SphereContact& contact, const PrepareContext& context,
           const FramePair& pair, double*, SphereSurface::Numbers<double>& k) {
  k = {context.local(pair.body[0], pair.frame[0]).p, contact.surface_radius};
}
void write(const CylinderSurface&, const CylinderContact& contact, const PrepareContext& context,
           const FramePair& pair, double*, CylinderSurface::Numbers<double>& k) {
  k = {context.local(pair.body[0], pair.frame[0]).p,
       local_direction(context, pair, 0, contact.axis), contact.surface_radius,
       contact.length ? 0.5 * *contact.length : 0.0};
}
void write(const HeightFieldSurface& surface, const HeightFieldContact& contact,
           const PrepareContext& context, const FramePair& pair, double* c,
           HeightFieldSurface::Numbers<double>& k) {
  Frame grid = pair.frame[0];
  if (contact.orientation)
    grid.R = rotation_matrix(*contact.orientation);
  else if (!resolve(context.model(), contact.between[0]).marker)
    grid.R = Mat3d::identity();
  const Frame local = context.local(pair.body[0], grid);
  k = {local.p, local.R, {contact.spacing[0], contact.spacing[1]}};
  write_heights(contact.heights, c + surface.heights);
}

template <class Kind>
const Kind& kind_at(const Model& model, std::size_t index) {
  return std::get<Kind>(model.forces[index].kind);
}

template <class Surface, class Kind>
void add(System& system, std::size_t index, const Kind& nominal) {
  using Index = ContactIndex<Surface>;
  const auto frames = [index](const Model& model) {
    const auto& contact = kind_at<Kind>(model, index);
    return contact_frames(model, contact.between, contact.points);
  };
  Index entry;
  entry.name = system.nominal.forces[index].name;
  const FramePair pair = frames(system.nominal);
  entry.pair.body = pair.body;
  entry.surface = surface_of(system, nominal);
  entry.count = static_cast<int>(touching_points(system.nominal, pair, nominal).size());
  entry.constants = reserve<Index>(system);
  entry.points = reserve(system, 3 * entry.count);
  if constexpr (requires { nominal.rim_radius; })
    entry.rims = nominal.rim_radius && nominal.rim_points == 0;
  system.writers.push_back(
      [&system, frames, index, entry](const PrepareContext& context, double* c) {
        const Model& model = context.model();
        const auto& contact = kind_at<Kind>(model, index);
        const FramePair at = frames(model);
        auto& k = constants_at<Index>(c + entry.constants);
        write(entry.surface, contact, context, at, c, k.surface);
        k.law = numbers_of(contact);
        k.r_B = context.local(at.body[1], at.frame[1]).p;
        k.radius = contact.radius;
        k.axis_B = {};
        k.rim = 0;
        if constexpr (requires { contact.rim_radius; }) {
          if (contact.rim_radius) {
            k.axis_B = local_direction(context, at, 1, contact.rim_axis);
            k.rim = *contact.rim_radius;
          }
        }
        const auto points = touching_points(system.nominal, at, contact);
        for (std::size_t i = 0; i < points.size(); ++i)
          store3(c + entry.points + 3 * static_cast<int>(i),
                 context.local(at.body[1], {points[i], Mat3d::identity()}).p);
      });
  system.all<Index>().push_back(entry);
}

void add_tyre(System& system, std::size_t index) {
  const auto frames = [index](const Model& model) {
    const auto& tyre = kind_at<Tyre>(model, index);
    return contact_frames(model, tyre.between, tyre.points);
  };
  TyreIndex entry;
  entry.name = system.nominal.forces[index].name;
  entry.pair.body = frames(system.nominal).body;
  entry.constants = reserve<TyreIndex>(system);
  system.writers.push_back(
      [frames, index, at = entry.constants](const PrepareContext& context, double* c) {
        const auto& tyre = kind_at<Tyre>(context.model(), index);
        const FramePair pair = frames(context.model());
        constants_at<TyreIndex>(c + at) = {plane_numbers(context, pair, tyre.normal),
                                           context.local(pair.body[1], pair.frame[1]).p,
                                           local_direction(context, pair, 1, tyre.axis),
                                           tyre.radius,
                                           tyre.stiffness,
                                           tyre.exponent,
                                           tyre.damping,
                                           tyre.friction,
                                           tyre.longitudinal_stiffness,
                                           tyre.cornering_stiffness,
                                           0.5 * tyre.contact_length,
                                           tyre.low_speed};
      });
  system.all<TyreIndex>().push_back(entry);
}

void add_cable(System& system, std::size_t index) {
  const auto ends = [index](const Model& model) {
    const auto& cable = kind_at<Cable>(model, index);
    return point_pair(model, cable.between, cable.points);
  };
  CableIndex entry;
  entry.name = system.nominal.forces[index].name;
  entry.pair.body = ends(system.nominal).body;
  entry.constants = reserve<CableIndex>(system);
  system.writers.push_back(
      [ends, index, at = entry.constants](const PrepareContext& context, double* c) {
        const FramePair pair = ends(context.model());
        const auto& cable = kind_at<Cable>(context.model(), index);
        constants_at<CableIndex>(c + at) = {
            local_points(context, pair),
            cable.length ? *cable.length : norm(pair.frame[1].p - pair.frame[0].p), cable.stiffness,
            cable.damping, cable.onset};
      });
  system.all<CableIndex>().push_back(entry);
}

}  // namespace

void add_contact(System& system, std::size_t index) {
  std::visit(
      [&]<class Kind>(const Kind& kind) {
        if constexpr (std::is_same_v<Kind, PlaneContact>)
          add<PlaneSurface>(system, index, kind);
        else if constexpr (std::is_same_v<Kind, SphereContact>)
          add<SphereSurface>(system, index, kind);
        else if constexpr (std::is_same_v<Kind, CylinderContact>)
          add<CylinderSurface>(system, index, kind);
        else if constexpr (std::is_same_v<Kind, HeightFieldContact>)
          add<HeightFieldSurface>(system, index, kind);
        else if constexpr (std::is_same_v<Kind, Tyre>)
          add_tyre(system, index);
        else if constexpr (std::is_same_v<Kind, Cable>)
          add_cable(system, index);
      },
      system.nominal.forces[index].kind);
}

}  // namespace tumble::compiling
