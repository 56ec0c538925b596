// Bodies: inertia a solid can have, rotations that are rotations, shapes with a volume.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "tumble/model/check/check_context.hpp"

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
  const double smallest_moment = values.sum() / 2 - values[2];
  if (std::abs(values[0]) <= tolerance)
    context.report(
        name_of(body), "inertia", shown, "kg m^2",
        values[2] > 0
            ? fmt::format("is zero about {}: nothing would resist a rotation about this axis. Give "
                          "it a small positive value, as a rod with a thickness has",
                          format_axis(solver.eigenvectors().col(0)))
            : "is zero: write `inertia: none` for a point mass");
  else if (!(values[0] > 0))
    context.report(
        name_of(body), "inertia", shown, "kg m^2",
        fmt::format("must be positive definite, but the eigenvalue about {} is {} kg m^2",
                    format_axis(solver.eigenvectors().col(0)), rounded(values[0])));
  else if (!(smallest_moment >= -tolerance))
    context.report(
        name_of(body), "inertia", shown, "kg m^2",
        fmt::format("must satisfy the triangle inequality: the eigenvalue {} kg m^2 about {} must "
                    "not exceed the sum of the others, {} kg m^2",
                    rounded(values[2]), format_axis(solver.eigenvectors().col(2)),
                    rounded(values[0] + values[1])));
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
    if (body.rotates) check_inertia(context, body);
    check_orientation(context, name_of(body), body.orientation);
    check_shape(context, body);
  }
}

}  // namespace tumble
