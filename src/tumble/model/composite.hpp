// What the parts of a composite body are together: mass, centre of mass and inertia.
#pragma once
#include "tumble/model/compile/frames.hpp"
#include "tumble/model/settle_parts.hpp"

namespace tumble {

/// Where a part is at t = 0: the point that its `position` means, and its axes, in ground axes.
Frame place_of(const Part& part, const Body& body);

/// The solid of a part about its own centre and axes; `none` for points and inertias. That of a
/// mesh is in the units of its file.
Shape solid_of(const Part& part);

/// Of one part: its mass, its centre of mass, and the inertia about that, all in ground axes.
struct PartProperties {
  double mass = 0;
  Vec3d centre;
  Mat3d inertia;
};
PartProperties part_properties(const Part& part, const Body& body);

/// Of all parts: the inertia is about their centre of mass, in the axes of the body.
struct CompositeProperties {
  double mass = 0;
  Vec3d centre;
  std::array<double, 6> inertia{};  ///< xx, yy, zz, xy, xz, yz
};
CompositeProperties composite_properties(const Body& body);

/// Whether a body's mass, centre and inertia follow from its parts.
inline bool follows_parts(const Body& body) { return !body.parts.empty() && !body.parts_fixed; }

}  // namespace tumble
