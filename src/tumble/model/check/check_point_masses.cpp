// Point masses (`inertia: none`): they have a place and no rotation, so joints and forces take hold
// of their centre, and whatever would need their rotation is refused by name.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tumble/model/check/check_context.hpp"

namespace tumble {
namespace {

bool near(const Vec3d& a, const Vec3d& b) {
  return !(norm(a - b) > 1e-9 * std::max({1.0, norm(a), norm(b)}));  // not finite: reported as such
}

bool is_zero(const Vec3d& v) { return v.x == 0 && v.y == 0 && v.z == 0; }

std::string body_of(const MarkerRef& end) { return end.name.substr(0, end.name.find('.')); }

class PointMassCheck {
 public:
  explicit PointMassCheck(CheckContext& context) : context_(context) {}

  void run() {
    const Model& model = context_.model;
    for (const Body& body : model.bodies)
      if (!body.rotates) points_.push_back(&body);
    if (points_.empty()) return;
    for (const Body* body : points_) itself(*body);
    for (const Joint& joint : model.joints)
      std::visit([&](const auto& kind) { of_joint(name_of(joint), kind); }, joint.kind);
    for (const Force& force : model.forces)
      std::visit([&](const auto& kind) { of_force(name_of(force), kind); }, force.kind);
    for (const Probe& probe : model.probes) of_probe(probe);
    user_elements("user force", model.user_forces);
    user_elements("user constraint", model.user_constraints);
  }

 private:
  const Body* find(const std::string& name) const {
    const auto found = std::ranges::find(points_, name, &Body::name);
    return found == points_.end() ? nullptr : *found;
  }

  void itself(const Body& body) {
    const Orientation none;
    if (body.orientation.form != none.form || body.orientation.numbers != none.numbers)
      context_.report(name_of(body), "orientation", "", "", "a point mass has no axes");
    if (!is_zero(body.angular_velocity))
      context_.report(name_of(body), "angular_velocity", format_vector(body.angular_velocity),
                      "rad/s", "a point mass has no rotation");
    for (const Marker& marker : body.markers)
      at_centre({"bodies." + body.name + ".markers." + marker.name,
                 fmt::format("marker '{}.{}'", body.name, marker.name)},
                "position", marker.position, body);
  }

  void at_centre(const ElementName& element, const std::string& field, const Vec3d& place,
                 const Body& body) {
    if (near(place, body.position)) return;
    context_.report(element, field, format_vector(place), "m",
                    fmt::format("must be the centre of body '{}', {} m: a point mass has no other "
                                "points",
                                body.name, format_vector(body.position)));
  }

  /// Where an element with one point takes hold of its end `i`.
  void holds_centre(const ElementName& element, const std::array<MarkerRef, 2>& between,
                    std::size_t i, const std::optional<Vec3d>& point, const Body& body) {
    if (between[i].name.find('.') != std::string::npos) return;  // its marker has been checked
    if (point) {
      at_centre(element, "point", *point, body);
      return;
    }
    const MarkerRef& other = between[1 - i];
    if (const auto node = node_of(context_.model, other)) {
      const Beam& beam = context_.model.beams[node->beam];
      if (beam_is_sound(beam))
        at_centre(element, fmt::format("between[{}]", 1 - i),
                  beam_shape(beam).nodes[static_cast<std::size_t>(node->node)].p, body);
      return;
    }
    if (other.frame) {
      at_centre(element, fmt::format("between[{}]", 1 - i),
                body_frame(context_.model, body_index(context_.model, other.name)).p, body);
      return;
    }
    const auto dot = other.name.find('.');
    if (dot == std::string::npos) return;  // a missing point has been reported
    const std::string marker = other.name.substr(dot + 1);
    const auto look = [&](const std::vector<Marker>& markers) {
      const auto found = std::ranges::find(markers, marker, &Marker::name);
      if (found != markers.end())
        at_centre(element, fmt::format("between[{}]", 1 - i), found->position, body);
    };
    const auto owner = context_.bodies.find(body_of(other));
    if (body_of(other) == "ground")
      look(context_.model.ground_markers);
    else if (owner != context_.bodies.end())
      look(owner->second->markers);
  }

  void end_points(const ElementName& element, const std::array<MarkerRef, 2>& between,
                  const std::optional<std::array<Vec3d, 2>>& points) {
    for (std::size_t i = 0; i < 2; ++i)
      if (const Body* body = find(body_of(between[i])); body != nullptr && points)
        at_centre(element, fmt::format("points[{}]", i), (*points)[i], *body);
  }

  void refuse_rotation(const ElementName& element, const std::string& field,
                       const std::string& value, const Body& body, std::string_view what,
                       std::string_view unit = {}) {
    context_.report(element, field, value, unit,
                    fmt::format("{} body '{}', which is a point mass (inertia: none) and has none",
                                what, body.name));
  }
  void must_be_second(const ElementName& element, const Body& body) {
    context_.report(element, "between[0]", "'" + body.name + "'", "",
                    "displacements are measured in the axes of the first body, and a point mass "
                    "has none; name it second");
  }

  void of_joint(const ElementName& element, const DistanceJoint& joint) {
    end_points(element, joint.between, joint.points);
  }
  void of_joint(const ElementName& element, const RevoluteSphericalJoint& joint) {
    end_points(element, joint.between, joint.points);
    if (const Body* body = find(body_of(joint.between[0]))) must_be_second(element, *body);
  }
  template <class Kind>
  void of_joint(const ElementName& element, const Kind& joint) {
    MotionSet locked;
    Motions motion;
    if constexpr (std::is_same_v<Kind, GeneralJoint>)
      locked = joint.locked_motions;
    else
      locked = Kind::locked;
    if constexpr (requires { joint.motion; }) motion = joint.motion;
    const auto locks = [&](std::size_t k) { return locked.has[k] || !motion.drive[k].empty(); };
    const bool turns = locks(3) || locks(4) || locks(5) || requires { Kind::locks_twist; };
    const bool whole_point = locks(0) && locks(1) && locks(2) && motion.drive[0].empty() &&
                             motion.drive[1].empty() && motion.drive[2].empty();
    for (std::size_t i = 0; i < 2; ++i) {
      const Body* body = find(body_of(joint.between[i]));
      if (body == nullptr) continue;
      if (turns)
        refuse_rotation(element, fmt::format("between[{}]", i), "'" + body->name + "'", *body,
                        "spherical and distance joints, and general ones that lock no rotation, "
                        "can hold a point mass; this joint locks rotations of");
      else if (i == 0 && !whole_point)
        must_be_second(element, *body);
      holds_centre(element, joint.between, i, joint.point, *body);
    }
  }

  /// A force along a line needs points alone, any other is taken to act on rotations.
  template <class Kind>
  void of_force(const ElementName& element, const Kind& force) {
    if constexpr (requires { force.points; }) {
      end_points(element, force.between, force.points);
    } else if constexpr (requires { force.between; }) {
      for (std::size_t i = 0; i < 2; ++i)
        if (const Body* body = find(body_of(force.between[i])))
          refuse_rotation(element, fmt::format("between[{}]", i), "'" + body->name + "'", *body,
                          "acts on the rotation of");
    } else if constexpr (!requires { force.joint; }) {  // what its joint may hold was asked of that
      static_assert(
          requires { force.beam; }, "can it act on a body without rotation?");
    }
  }
  void of_force(const ElementName& element, const Bushing& bushing) {
    for (std::size_t i = 0; i < 2; ++i) {
      const Body* body = find(body_of(bushing.between[i]));
      if (body == nullptr) continue;
      if (i == 0) must_be_second(element, *body);
      const auto no_rotation = [&](const char* field, const std::vector<double>& values,
                                   const char* unit) {
        for (std::size_t k = 0; k < values.size(); ++k) {
          const bool rotational = values.size() == 36 ? k / 6 > 2 || k % 6 > 2 : k > 2;
          if (!rotational || values[k] == 0) continue;
          refuse_rotation(element, fmt::format("{}[{}]", field, k), format_number(values[k]), *body,
                          "must be 0: it acts on the rotation of", unit);
          return;
        }
      };
      no_rotation("stiffness", bushing.stiffness, "N m/rad");
      no_rotation("damping", bushing.damping, "N m s/rad");
      no_rotation("prestress", {bushing.prestress.begin(), bushing.prestress.end()}, "N m");
      holds_centre(element, bushing.between, i, bushing.point, *body);
    }
  }
  /// A bare point can be a point mass: friction then turns nothing.
  void of_contact(const ElementName& element, const ContactLaw& contact, bool has_rim) {
    if (const Body* body = find(body_of(contact.between[0])))
      refuse_rotation(element, "between[0]", "'" + body->name + "'", *body,
                      "the surface turns with");
    if (const Body* body = find(body_of(contact.between[1]))) {
      if (contact.radius != 0 || contact.box || contact.mesh || has_rim)
        refuse_rotation(element, "between[1]", "'" + body->name + "'", *body,
                        "must touch as a bare point, without radius, box, mesh or rim: all else "
                        "acts on the rotation of");
      else if (contact.points)
        at_centre(element, "points[1]", (*contact.points)[1], *body);
    }
  }
  void of_force(const ElementName& element, const PlaneContact& contact) {
    of_contact(element, contact, contact.rim_radius.has_value());
  }
  void of_force(const ElementName& element, const SphereContact& contact) {
    of_contact(element, contact, false);
  }
  void of_force(const ElementName& element, const CylinderContact& contact) {
    of_contact(element, contact, false);
  }
  void of_force(const ElementName& element, const HeightFieldContact& contact) {
    of_contact(element, contact, false);
  }
  void of_force(const ElementName& element, const Tyre& tyre) {
    for (std::size_t i = 0; i < 2; ++i)
      if (const Body* body = find(body_of(tyre.between[i])))
        refuse_rotation(element, fmt::format("between[{}]", i), "'" + body->name + "'", *body,
                        "acts on the rotation of");
  }
  void of_force(const ElementName& element, const AppliedForce& force) {
    const Body* body = find(force.body.name);
    if (body == nullptr) return;
    if (!is_zero(force.torque))
      refuse_rotation(element, "torque", format_vector(force.torque), *body,
                      "must be left out: it acts on the rotation of", "N m");
    if (force.axes == Axes::body)
      refuse_rotation(element, "axes", "body", *body, "must be ground: it needs the axes of");
    if (force.point) at_centre(element, "point", *force.point, *body);
  }

  void of_force(const ElementName& element, const ExpressionForce& force) {
    using Form = ExpressionForce::Form;
    if (force.form() == Form::line && force.ends) {
      end_points(element, *force.ends, force.line);
    } else if (force.form() == Form::frames && force.ends) {
      for (std::size_t i = 0; i < 2; ++i)
        if (const Body* body = find(body_of((*force.ends)[i])))
          refuse_rotation(element, fmt::format("between[{}]", i), "'" + body->name + "'", *body,
                          "acts between frames, and needs the rotation of");
    } else if (force.form() == Form::body) {
      const Body* body = find(force.on_body->name);
      if (body == nullptr) return;
      if (!force.torque.empty())
        refuse_rotation(element, "torque", "", *body,
                        "must be left out: it acts on the rotation of", "N m");
      if (force.axes == Axes::body)
        refuse_rotation(element, "axes", "body", *body, "must be ground: it needs the axes of");
      if (force.place) at_centre(element, "point", *force.place, *body);
    }
  }

  void of_probe(const Probe& probe) {
    const ElementName element = name_of(probe);
    const auto refuse = [&](const Body& body, auto needs) {
      for (std::size_t i = 0; i < probe.quantities.size(); ++i)
        if (needs(probe.quantities[i]))
          refuse_rotation(element, fmt::format("quantities[{}]", i),
                          std::string(info(probe.quantities[i]).name), body,
                          "needs the rotation of");
    };
    if (probe.body) {
      const Body* body = find(probe.body->name);
      if (body == nullptr) return;
      if (probe.point) at_centre(element, "point", *probe.point, *body);
      refuse(*body, [](Quantity q) {
        return q >= Quantity::orientation && q <= Quantity::angular_acceleration_body;
      });
    } else if (probe.joint && context_.joints.contains(probe.joint->name)) {
      const auto& kind = context_.joints.at(probe.joint->name)->kind;
      const auto& between = std::visit(
          [](const auto& joint) -> const std::array<MarkerRef, 2>& { return joint.between; }, kind);
      for (std::size_t i = 0; i < 2; ++i)
        if (const Body* body = find(body_of(between[i])))
          refuse(*body, [i](Quantity q) {
            return q == Quantity::rotation_vector || q == Quantity::angle ||
                   q == Quantity::angle_rate ||
                   (i == 0 && (q == Quantity::displacement || q == Quantity::displacement_rate));
          });
    }
  }

  template <class Entries>
  void user_elements(const char* kind, const Entries& entries) {
    for (const auto& entry : entries)
      for (const BodyRef& reference : entry.bodies)
        if (const Body* body = find(reference.name))
          refuse_rotation({"user." + entry.name, fmt::format("{} '{}'", kind, entry.name)},
                          "bodies", "'" + body->name + "'", *body,
                          "elements of one's own act on place and rotation of");
  }

  CheckContext& context_;
  std::vector<const Body*> points_;
};

}  // namespace

void check_point_masses(CheckContext& context) { PointMassCheck(context).run(); }

}  // namespace tumble
