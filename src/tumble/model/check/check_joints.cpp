// Joints: ends, points, directions, imposed motions.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tumble/math/special_functions.hpp"
#include "tumble/model/check/check_context.hpp"

namespace tumble {
namespace {

bool finite(const Vec3d& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

bool near(const Vec3d& a, const Vec3d& b) {
  return norm(a - b) <= 1e-9 * std::max({1.0, norm(a), norm(b)});
}

bool has_marker(const Ends& ends) { return ends[0].marker != nullptr || ends[1].marker != nullptr; }

void check_motions(CheckContext& context, const ElementName& element, const Motions& motion) {
  for (std::size_t i = 0; i < 6; ++i)
    if (!motion.drive[i].empty())
      check_imposed(context, element, fmt::format("motion.{}", motion_names[i]), motion.drive[i]);
}

bool is_planar(const CheckContext& context, const CheckContext::End& end) {
  return end.node && context.beams.at(end.body)->dimension == BeamDimension::planar;
}

/// A start gives motions that are free: where the joint locks one, or a drive gives it, both would.
/// Where drives turn some of a joint's axes, there is no one way to count angles about the others.
void check_start(CheckContext& context, const ElementName& element, const JointKind& kind,
                 const MotionSet& locked, const Motions& motion) {
  const JointStart start = start_of(kind);
  for (std::size_t k = 0; k < 6; ++k)
    for (const bool rate : {false, true}) {
      const std::optional<double>& value = rate ? start.rate[k] : start.value[k];
      const auto m = static_cast<Motion>(k);
      if (!value) continue;
      const bool turned =
          k >= 3 && std::any_of(motion.drive.begin() + 3, motion.drive.end(),
                                [](const std::string& drive) { return !drive.empty(); });
      std::string why;
      if (!motion.drive[k].empty())
        why = fmt::format("contradicts drive '{}', which gives this motion; leave one out",
                          motion.drive[k]);
      else if (locked.has[k])
        why = fmt::format("the joint locks {}, so it cannot start elsewhere; leave one out",
                          motion_names[k]);
      else if (turned)
        why = "drives turn the axes of this joint; describe its bodies where they start instead";
      else if (k >= 3 && !rate && std::fabs(*value) > most_start_turns * 6.283185307179586)
        why = fmt::format("must be at most {} turns", most_start_turns);
      if (!why.empty())
        context.report(element, start_field(kind, m, rate), format_number(*value),
                       unit_of_start(m, rate), why);
    }
}

/// Where a joint of beams is: at the node, and whatever else says where it is must agree.
void check_node_places(CheckContext& context, const ElementName& element, const Ends& ends,
                       const std::optional<Vec3d>& point) {
  std::optional<Vec3d> place;
  for (const auto& end : ends) {
    if (!end.node || !beam_is_sound(*context.beams.at(end.body))) continue;
    const Vec3d p =
        beam_shape(*context.beams.at(end.body)).nodes[static_cast<std::size_t>(end.node->node)].p;
    if (place && !near(*place, p))
      context.report(element, "between", format_vector(p), "m",
                     fmt::format("the two nodes must coincide at t = 0, but the other is at {} m",
                                 format_vector(*place)));
    if (!place) place = p;
  }
  if (point && place && finite(*point) && !near(*point, *place))
    context.report(
        element, "point", format_vector(*point), "m",
        fmt::format("contradicts the node at {} m; leave it out", format_vector(*place)));
}

template <class Kind>
void check_node_joint(CheckContext& context, const ElementName& element, const Ends& ends,
                      const Kind& joint) {
  if (!ends[0].good || !ends[1].good) return;
  check_node_places(context, element, ends, joint.point);
  const bool planar = is_planar(context, ends[0]) || is_planar(context, ends[1]);
  if constexpr (std::is_same_v<Kind, RevoluteJoint>) {
    if (joint.axis) {
      check_direction(context, element, "axis", *joint.axis);
      const Vec3d& a = *joint.axis;
      if (planar && finite(a) && hypotenuse(a.x, a.y) > 1e-9 * norm(a))
        context.report(element, "axis", format_vector(a), "",
                       "must be along z, the only axis a planar beam turns about; or leave it out");
    } else if (!planar && !has_marker(ends)) {
      context.report(element, "axis", "", "", "required unless an end is a marker");
    }
  }
  if (start_of(joint).any())
    context.report(element, "start", "", "",
                   "the start of a joint at a node needs a frame on it: call attach_frames()");
  if constexpr (!std::is_same_v<Kind, SphericalJoint>) {
    if (joint.motion.any())
      context.report(element, "motion", "", "",
                     "a motion of a joint at a node needs a frame on it: call attach_frames()");
  }
}

class JointCheck {
 public:
  JointCheck(CheckContext& context, ElementName element)
      : context_(context), element_(std::move(element)) {}

  template <class Kind>
  void operator()(const Kind& joint) {
    constexpr bool beams = std::is_same_v<Kind, FixedJoint> ||
                           std::is_same_v<Kind, RevoluteJoint> ||
                           std::is_same_v<Kind, SphericalJoint>;
    const Ends ends = context_.ends(element_, joint.between, beams);
    if constexpr (beams) {
      if (ends[0].node || ends[1].node) {
        check_node_joint(context_, element_, ends, joint);
        return;
      }
    }
    check_point(context_, element_, ends, joint.point, true);
    frame(joint, ends);
  }
  void operator()(const DistanceJoint& joint) {
    check_line(context_, element_, joint.between, joint.points);
    if (joint.motion) check_imposed(context_, element_, "motion", joint.motion->name);
    if (joint.length && joint.start && joint.start->length && *joint.length != *joint.start->length)
      context_.report(element_, "start.length", format_number(*joint.start->length), "m",
                      fmt::format("contradicts the length {} m, which the joint keeps; leave one "
                                  "out",
                                  format_number(*joint.length)));
  }

  void operator()(const RevoluteSphericalJoint& joint) {
    const std::size_t before = context_.found.size();
    check_line(context_, element_, joint.between, joint.points);
    check_direction(context_, element_, "axis", joint.axis);
    if (context_.found.size() > before || !finite(joint.axis)) return;
    const FramePair ends = point_pair(context_.model, joint.between, joint.points);
    const Vec3d d = ends.frame[1].p - ends.frame[0].p;
    if (finite(d) && !(norm(cross(joint.axis, d)) > 1e-9 * norm(joint.axis) * norm(d)))
      context_.report(element_, joint.points ? "points" : "between", format_vector(ends.frame[1].p),
                      "m", "the ball must not be on the axis at t = 0");
  }

 private:
  /// What fields say by their names, then what a kind asks for beyond that.
  template <class Kind>
  void frame(const Kind& joint, const Ends& ends) {
    MotionSet locked;
    Motions motion;
    if constexpr (requires { joint.orientation; })
      check_orientation(context_, element_, joint.orientation);
    if constexpr (requires { joint.axis; })
      optional_direction(context_, element_, ends, "axis", joint.axis);
    if constexpr (requires { joint.locked_motions; }) locked = joint.locked_motions;
    if constexpr (requires { joint.motion; }) motion = joint.motion;
    check_motions(context_, element_, motion);
    beyond(joint, ends);
    check_start(context_, element_, joint, locked, motion);
  }

  template <class Kind>
  void beyond(const Kind&, const Ends&) {}
  void beyond(const UniversalJoint& joint, const Ends& ends) {
    optional_direction(context_, element_, ends, "axis_first", joint.axis_first);
    optional_direction(context_, element_, ends, "axis_second", joint.axis_second);
    if (!joint.axis_first || !joint.axis_second) {
      if (joint.axis_first.has_value() != joint.axis_second.has_value() && has_marker(ends))
        context_.report(element_, joint.axis_first ? "axis_second" : "axis_first", "", "",
                        "required where the other axis is given");
      return;
    }
    const Vec3d &a = *joint.axis_first, &b = *joint.axis_second;
    const double lengths = norm(a) * norm(b);
    if (!finite(a) || !finite(b) || !(lengths > 0)) return;
    const double cosine = dot(a, b) / lengths;
    if (std::abs(cosine) > 1e-6) {
      const double degrees = std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / 3.14159265358979324;
      context_.report(element_, "axis_second", format_vector(b), "",
                      fmt::format("must be perpendicular to axis_first, found an angle of {:.6g} "
                                  "degrees",
                                  degrees));
    }
  }
  void beyond(const ConstantVelocityJoint& joint, const Ends& ends) {
    optional_direction(context_, element_, ends, "axis_first", joint.axis_first);
    if (!joint.axis_second) return;
    check_direction(context_, element_, "axis_second", *joint.axis_second);
    if (!joint.axis_first) {
      if (has_marker(ends))
        context_.report(element_, "axis_first", "", "", "required where the other axis is given");
      return;
    }
    const Vec3d &a = *joint.axis_first, &b = *joint.axis_second;
    const double lengths = norm(a) * norm(b);
    if (!finite(a) || !finite(b) || !(lengths > 0)) return;
    if (dot(a, b) < 1e-6 * lengths)
      context_.report(element_, "axis_second", format_vector(b), "",
                      "must be less than a right angle from axis_first");
  }
  void beyond(const GeneralJoint& joint, const Ends&) {
    const auto& has = joint.locked_motions.has;
    if (std::none_of(has.begin(), has.end(), [](bool b) { return b; }) && !joint.motion.any())
      context_.report(element_, "locked", "", "", "must name at least one of x, y, z, rx, ry, rz");
  }

  CheckContext& context_;
  ElementName element_;
};

}  // namespace

void check_direction(CheckContext& context, const ElementName& element, const std::string& field,
                     const Vec3d& direction) {
  if (finite(direction) && !(norm(direction) > 1e-12))
    context.report(element, field, format_vector(direction), "", "a direction must not be zero");
}

namespace {

bool on_node(const CheckContext& context, const CheckContext::End& end) {
  return end.marker != nullptr && end.body != "ground" && context.bodies.at(end.body)->at_node;
}

/// Sections have axes too, but only a planar beam has one that a joint is likely to mean: z.
bool has_direction(const CheckContext& context, const Ends& ends) {
  return std::ranges::any_of(ends, [&](const CheckContext::End& end) {
    if (!on_node(context, end)) return end.marker != nullptr;
    return context.beams.at(end.body.substr(0, end.body.find('.')))->dimension ==
           BeamDimension::planar;
  });
}

}  // namespace

void optional_direction(CheckContext& context, const ElementName& element, const Ends& ends,
                        const std::string& field, const std::optional<Vec3d>& direction) {
  if (direction)
    check_direction(context, element, field, *direction);
  else if (ends[0].good && ends[1].good && !has_direction(context, ends))
    context.report(element, field, "", "", "required unless an end is a marker");
}

void check_point(CheckContext& context, const ElementName& element, const Ends& ends,
                 const std::optional<Vec3d>& point, bool needed) {
  if (!ends[0].good || !ends[1].good) return;
  if (needed && on_node(context, ends[0]) && on_node(context, ends[1]) &&
      !near(ends[0].marker->position, ends[1].marker->position))
    context.report(element, "between", format_vector(ends[1].marker->position), "m",
                   fmt::format("the two nodes must coincide at t = 0, but the other is at {} m",
                               format_vector(ends[0].marker->position)));
  if (!point) {
    if (needed && !has_marker(ends))
      context.report(element, "point", "", "m", "required unless an end is a marker");
    return;
  }
  if (!finite(*point)) return;
  for (const auto& end : ends) {
    if (end.marker == nullptr || near(*point, end.marker->position)) continue;
    context.report(element, "point", format_vector(*point), "m",
                   on_node(context, end)
                       ? fmt::format("contradicts the node '{}' at {} m; leave it out", end.body,
                                     format_vector(end.marker->position))
                       : fmt::format("contradicts marker '{}.{}' at {} m; leave it out", end.body,
                                     end.marker->name, format_vector(end.marker->position)));
    return;
  }
}

void check_line(CheckContext& context, const ElementName& element,
                const std::array<MarkerRef, 2>& between,
                const std::optional<std::array<Vec3d, 2>>& points, bool may_coincide) {
  const Ends ends = context.ends(element, between);
  if (!ends[0].good || !ends[1].good) return;
  std::array<Vec3d, 2> p;
  for (std::size_t i = 0; i < 2; ++i) {
    if (!points && ends[i].marker == nullptr) {
      context.report(element, "points", "", "m", "required unless both ends are markers");
      return;
    }
    p[i] = points ? (*points)[i] : ends[i].marker->position;
    if (!finite(p[i])) return;
    if (points && ends[i].marker != nullptr && !near(p[i], ends[i].marker->position))
      context.report(
          element, fmt::format("points[{}]", i), format_vector(p[i]), "m",
          on_node(context, ends[i])
              ? fmt::format("contradicts the node '{}' at {} m", ends[i].body,
                            format_vector(ends[i].marker->position))
              : fmt::format("contradicts marker '{}.{}' at {} m", ends[i].body,
                            ends[i].marker->name, format_vector(ends[i].marker->position)));
  }
  if (!may_coincide && !(norm(p[1] - p[0]) > 1e-12))
    context.report(element, points ? "points" : "between", format_vector(p[0]), "m",
                   "the two ends must not coincide at t = 0");
}

void check_joints(CheckContext& context) {
  for (const auto& joint : context.model.joints)
    std::visit(JointCheck(context, name_of(joint)), joint.kind);
}

}  // namespace tumble
