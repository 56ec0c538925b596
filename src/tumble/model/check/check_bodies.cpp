// Bodies: inertia a solid can have, rotations that are rotations, shapes with a volume.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "tumble/model/check/check_context.hpp"
#include "tumble/model/composite.hpp"

namespace tumble {
namespace {

std::string rounded(double x) { return fmt::format("{:.6g}", x); }

/// A principal axis with its sign fixed by its largest component and rounding noise removed.
std::string format_axis(const Eigen::Vector3d& axis) {
  Eigen::Index largest = 0;
  axis.cwiseAbs().maxCoeff(&largest);
  const double sign = axis[largest] < 0 ? -1 : 1;
  std::string text = "[";
  for (Eigen::Index i = 0; i < 3; ++i) {
    const double x = std::round(sign * axis[i] * 1e4) / 1e4;
    text += (i > 0 ? ", " : "") + format_number(x == 0 ? 0 : x);
  }
  return text + "]";
}

/// J must be the inertia of some mass distribution: the second moments G = tr(J)/2 I - J must not
/// be negative. With principal values this is the triangle inequality J_i <= J_j + J_k, with
/// equality for a lamina, whose mass lies in a plane. J itself must be positive definite: a rod
/// without thickness could turn about itself at any rate.
void check_inertia(CheckContext& context, const Body& body) {
  const auto& v = body.inertia;
  for (const double x : v)
    if (!std::isfinite(x)) return;  // reported as such
  Eigen::Matrix3d J;
  J << v[0], v[3], v[4], v[3], v[1], v[5], v[4], v[5], v[2];
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(J);
  if (solver.info() != Eigen::Success) return;
  const Eigen::Vector3d& values = solver.eigenvalues();  // increasing
  const double tolerance = 1e-12 * values.cwiseAbs().maxCoeff();
  const bool diagonal = v[3] == 0 && v[4] == 0 && v[5] == 0;
  const std::string shown = format_list(v.data(), diagonal ? 3 : 6);
  const bool composite = follows_parts(body);
  const char* const field = composite ? "parts" : "inertia";
  const std::string whose = composite ? "the inertia of all parts together " : "";
  const double smallest_moment = values.sum() / 2 - values[2];
  if (std::abs(values[0]) <= tolerance)
    context.report(
        name_of(body), field, shown, "kg m^2",
        values[2] > 0
            ? fmt::format("{}is zero about {}: nothing would resist a rotation about this axis. "
                          "Give {}",
                          whose, format_axis(solver.eigenvectors().col(0)),
                          composite ? "one of the points a size, as a sphere has"
                                    : "it a small positive value, as a rod with a thickness has")
        : composite ? whose +
                          "is zero: a body of one point is a point mass, with `mass`, "
                          "`position` and `inertia: none` in place of parts"
                    : "is zero: write `inertia: none` for a point mass");
  else if (!(values[0] > 0))
    context.report(
        name_of(body), field, shown, "kg m^2",
        fmt::format("{}must be positive definite, but the eigenvalue about {} is {} kg m^2", whose,
                    format_axis(solver.eigenvectors().col(0)), rounded(values[0])));
  else if (!(smallest_moment >= -tolerance))
    context.report(
        name_of(body), field, shown, "kg m^2",
        fmt::format(
            "{}must satisfy the triangle inequality: the eigenvalue {} kg m^2 about {} must "
            "not exceed the sum of the others, {} kg m^2",
            whose, rounded(values[2]), format_axis(solver.eigenvectors().col(2)),
            rounded(values[0] + values[1])));
}

/// One kind, and a mass that belongs to it.
void check_part(CheckContext& context, const Body& body, const Part& part) {
  const ElementName name = name_of(body, part);
  const int kinds = part.box.has_value() + part.cylinder.has_value() + part.sphere.has_value() +
                    part.mesh.has_value() + part.inertia.has_value();
  if (kinds > 1)
    context.report(name, "", "", "",
                   "must be one of box, cylinder, sphere, mesh and inertia, or a point with a mass "
                   "alone");
  if (part.mesh && !part.mesh->mesh)
    context.report(name, "mesh.file", part.mesh->file.name, "", "has not been read");
  if (part.mass && part.density)
    context.report(name, "density", format_number(*part.density), "kg/m^3",
                   "must be left out with mass: the one follows from the other");
  else if (part.density && !part.is_solid())
    context.report(name, "density", format_number(*part.density), "kg/m^3",
                   "must be left out: the part has no volume; give its mass");
  else if (!part.mass && !part.density)
    context.report(
        name, "mass", "", "kg",
        part.is_solid() ? "required but missing: a mass or a density" : "required but missing");
  if (part.inertia && part.hole)
    context.report(name, "hole", "true", "",
                   "must be left out with an inertia; a hole is a solid or a point");
  check_orientation(context, name, part.orientation);
}

void check_parts(CheckContext& context, const Body& body) {
  if (!follows_parts(body)) return;
  if (!body.rotates)
    context.report(name_of(body), "inertia", "none", "",
                   "must be left out: it follows from the parts");
  if (body.shape.density != 0)
    context.report(name_of(body), "shape", "", "",
                   "must have no density: mass and inertia follow from the parts");
  const std::size_t before = context.found.size();
  for (const Part& part : body.parts) check_part(context, body, part);
  if (context.found.size() > before) return;
  const CompositeProperties sum = composite_properties(body);
  if (std::isnan(sum.mass) || std::isinf(sum.mass)) return;  // a number is reported as such
  if (const auto fault = range_fault(Range::positive, sum.mass, "kg"); !fault.empty()) {
    context.report(name_of(body), "parts", format_number(sum.mass), "kg",
                   fmt::format("the mass of all parts together {}", fault));
    return;
  }
  const double size =
      std::sqrt(std::abs(sum.inertia[0] + sum.inertia[1] + sum.inertia[2]) / (2 * sum.mass));
  double off = std::abs(body.mass - sum.mass) / sum.mass;
  off = std::max(off, norm(body.position - sum.centre) / (size + norm(sum.centre)));
  for (std::size_t k = 0; k < 6; ++k)
    off = std::max(off, std::abs(body.inertia[k] - sum.inertia[k]) / (sum.mass * size * size));
  if (off > 1e-9)
    context.report(name_of(body), "parts", "", "",
                   "mass, position and inertia are not those of the parts: call settle_parts()");
}

void check_shape(CheckContext& context, const Body& body) {
  const Shape& s = body.shape;
  const auto number = [&](const char* field, double value, const char* unit, bool zero_allowed) {
    const auto fault =
        range_fault(zero_allowed ? Range::non_negative : Range::positive, value, unit);
    if (!fault.empty())
      context.report(name_of(body), std::string("shape.") + field, format_number(value), unit,
                     std::string(fault));
  };
  switch (s.kind) {
    case Shape::Kind::none:
      return;
    case Shape::Kind::box:
      number("box.size[0]", s.size.x, "m", false);
      number("box.size[1]", s.size.y, "m", false);
      number("box.size[2]", s.size.z, "m", false);
      number("box.density", s.density, "kg/m^3", true);
      return;
    case Shape::Kind::cylinder:
      number("cylinder.radius", s.radius, "m", false);
      number("cylinder.length", s.length, "m", false);
      number("cylinder.density", s.density, "kg/m^3", true);
      return;
    case Shape::Kind::sphere:
      number("sphere.radius", s.radius, "m", false);
      number("sphere.density", s.density, "kg/m^3", true);
      return;
    case Shape::Kind::mesh:
      number("mesh.scale", s.scale, "1", false);
      number("mesh.density", s.density, "kg/m^3", true);
      return;
  }
}

/// What attach_frames() makes: a model made in code may have made it itself.
void check_frame(CheckContext& context, const Body& body) {
  const auto holds = [&](const Joint& joint) {
    return joint.name == body.name && std::holds_alternative<FixedJoint>(joint.kind);
  };
  const bool weightless =
      body.mass == 0 && std::ranges::all_of(body.inertia, [](double J) { return J == 0; });
  if (!weightless || !body.rotates || body.markers.size() != 1 ||
      !node_of(context.model, {body.name}) || std::ranges::none_of(context.model.joints, holds))
    context.report(
        name_of(body), "", "", "",
        "a frame on a node is made by attach_frames(), without mass and held by a joint");
}

}  // namespace

void check_orientation(CheckContext& context, const ElementName& element,
                       const std::optional<Orientation>& given) {
  if (!given) return;
  if (const auto fault = orientation_fault(*given))
    context.report(element, "orientation", fault->value, "", fault->expectation);
}

void check_bodies(CheckContext& context) {
  if (context.model.bodies.empty() && context.model.beams.empty())
    context.report({}, "bodies", "", "", "a model needs a body or a beam");
  for (const auto& body : context.model.bodies) {
    const std::size_t before = context.found.size();
    if (body.at_node) {
      check_frame(context, body);
      continue;
    }
    check_parts(context, body);
    if (body.rotates && !body.node && context.found.size() == before) check_inertia(context, body);
    check_orientation(context, name_of(body), body.orientation);
    check_shape(context, body);
  }
}

}  // namespace tumble
