// Contacts, tyres and cables as the user describes them: forces that push, or pull, only.
//
// A contact has a surface on its first body and points, or spheres about points, on its second.
// What all contacts have in common, the points and the law of the force, is ContactLaw; a kind adds
// its surface. Equations and sources: docs/theory/contact.md.
#pragma once
#include "tumble/model/probe.hpp"

namespace tumble {

struct ContactLaw {
  std::array<MarkerRef, 2> between;
  std::optional<std::array<Vec3d, 2>> points;
  double radius = 0;
  std::optional<Vec3d> box;
  bool mesh = false;
  double stiffness = 0;
  double exponent = 1.5;
  double damping = 0;
  std::optional<double> restitution;
  std::optional<double> impact_velocity;
  double friction = 0;
  std::optional<double> static_friction;
  double transition_velocity = 1e-3;
  std::optional<double> stribeck_velocity;
  double rolling_resistance = 0;
  double spin_friction = 0;

  static constexpr std::array quantities{
      Quantity::force,           Quantity::torque,         Quantity::gap,
      Quantity::normal_force,    Quantity::friction_force, Quantity::sliding_velocity,
      Quantity::dissipated_power};
  bool conserves_energy() const {
    return damping == 0 && (!restitution || *restitution == 1) && friction == 0 &&
           (!static_friction || *static_friction == 0) && rolling_resistance == 0 &&
           spin_friction == 0;
  }

  template <class Self, class V>
  static void where(Self& s, V&& v) {
    v(Entry{"between", "", "the body or marker with the surface, and the one that touches it",
            Range::any, true},
      s.between);
    v(Entry{"points", "m",
            "at t = 0, ground axes: a point of the surface (see there), and the point, or centre, "
            "of what touches it; not needed for markers"},
      s.points);
  }
  template <class Self, class V>
  static void law(Self& s, V&& v) {
    v(Entry{"radius", "m", "of the sphere about each point of the second body; 0: bare points",
            Range::non_negative},
      s.radius);
    v(Entry{"box", "m",
            "edges of a box about the second point, along the axes of the second body (or of its "
            "marker): its eight corners are the points"},
      s.box);
    v(Entry{"mesh", "",
            "true: the vertices of the mesh that is the second body's shape are the points"},
      s.mesh);
    v(Entry{"stiffness", "N/m^e", "normal force for a penetration of 1 m", Range::positive, true},
      s.stiffness);
    v(Entry{"exponent", "", "e of the normal force, at least 1; 1.5 is Hertz's", Range::positive},
      s.exponent);
    v(Entry{"damping", "s/m", "a: the normal force is k d^e (1 + a d'), never below 0",
            Range::non_negative},
      s.damping);
    v(Entry{"restitution", "",
            "in place of `damping`: rebound speed over impact speed, above 0, at `impact_velocity`",
            Range::fraction},
      s.restitution);
    v(Entry{"impact_velocity", "m/s", "the speed of approach that `restitution` is meant for",
            Range::positive},
      s.impact_velocity);
    v(Entry{"friction", "", "coefficient of sliding friction", Range::non_negative}, s.friction);
    v(Entry{"static_friction", "", "coefficient near rest; that of sliding if left out",
            Range::non_negative},
      s.static_friction);
    v(Entry{"transition_velocity", "m/s",
            "friction grows with the sliding speed as tanh(v/this): what seems to stick creeps "
            "below this speed",
            Range::positive},
      s.transition_velocity);
    v(Entry{"stribeck_velocity", "m/s",
            "speed over which static friction falls to that of sliding, as exp(-(v/this)^2); ten "
            "times the transition velocity if left out",
            Range::positive},
      s.stribeck_velocity);
    v(Entry{"rolling_resistance", "m", "moment against rolling over normal force; needs a radius",
            Range::non_negative},
      s.rolling_resistance);
    v(Entry{"spin_friction", "m",
            "moment against spinning about the normal over normal force; needs a radius",
            Range::non_negative},
      s.spin_friction);
  }
};

struct PlaneContact : ContactLaw {
  std::optional<Vec3d> normal;
  std::optional<double> rim_radius;
  std::optional<Vec3d> rim_axis;
  std::optional<double> rim_distance;
  int rim_points = 0;
  static constexpr std::string_view type = "plane_contact";
  static constexpr std::string_view doc =
      "Spheres, points, corners or rims of the second body against a plane of the first, behind "
      "which all is solid.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    where(s, v);
    v(Entry{"normal", "",
            "of the plane, out of the solid, ground axes at t = 0; fixed in the first body; z of "
            "the first marker if left out"},
      s.normal);
    law(s, v);
    v(Entry{"rim_radius", "m",
            "of a circle about the second point whose deepest point touches: a wheel, a coin, the "
            "end of a cylinder",
            Range::positive},
      s.rim_radius);
    v(Entry{"rim_axis", "", "normal of the circle, ground axes at t = 0; fixed in the second body"},
      s.rim_axis);
    v(Entry{"rim_distance", "m",
            "two circles so far apart, the second point midway: both ends of a cylinder",
            Range::positive},
      s.rim_distance);
    v(Entry{"rim_points", "",
            "this many points of each circle, at least 3, in place of its deepest one: for what "
            "comes to lie flat"},
      s.rim_points);
  }
};

struct SphereContact : ContactLaw {
  double surface_radius = 0;
  bool inside = false;
  static constexpr std::string_view type = "sphere_contact";
  static constexpr std::string_view doc =
      "Spheres, points or corners of the second body against a sphere of the first, from outside "
      "or in its hollow.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    where(s, v);
    v(Entry{"surface_radius", "m", "of the sphere about the first point", Range::positive, true},
      s.surface_radius);
    v(Entry{"inside", "", "true: the sphere is hollow and the second body is in it"}, s.inside);
    law(s, v);
  }
};

struct CylinderContact : ContactLaw {
  double surface_radius = 0;
  std::optional<Vec3d> axis;
  std::optional<double> length;
  bool inside = false;
  static constexpr std::string_view type = "cylinder_contact";
  static constexpr std::string_view doc =
      "Spheres, points or corners of the second body against a cylinder of the first, from outside "
      "or in its bore.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    where(s, v);
    v(Entry{"surface_radius", "m", "of the cylinder", Range::positive, true}, s.surface_radius);
    v(Entry{"axis", "",
            "of the cylinder, through the first point, ground axes at t = 0; fixed in the first "
            "body; z of the first marker if left out"},
      s.axis);
    v(Entry{"length", "m",
            "between its flat ends, the first point midway; without end if left out. Only from "
            "outside",
            Range::positive},
      s.length);
    v(Entry{"inside", "", "true: a bore, with the second body in it"}, s.inside);
    law(s, v);
  }
};

struct HeightFieldContact : ContactLaw {
  std::vector<std::vector<double>> heights;
  std::array<double, 2> spacing{};
  std::optional<Orientation> orientation;
  static constexpr std::string_view type = "height_field_contact";
  static constexpr std::string_view doc =
      "Spheres, points or corners of the second body against a ground of the first that is given "
      "by heights over a grid: smooth between them, level beyond its edges.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    where(s, v);
    v(Entry{"heights", "m",
            "rows of heights along z: row i at y = i times the second spacing, value j at x = j "
            "times the first, from the first point on; at least 2 rows of 2",
            Range::any, true},
      s.heights);
    v(Entry{"spacing", "m", "of the grid along x and y", Range::positive, true}, s.spacing);
    v(Entry{"orientation", "",
            "x, y and z of the grid at t = 0; those of the first marker, or of the ground, if left "
            "out"},
      s.orientation);
    law(s, v);
  }
};

struct Tyre {
  std::array<MarkerRef, 2> between;
  std::optional<std::array<Vec3d, 2>> points;
  std::optional<Vec3d> normal;
  Vec3d axis{0, 1, 0};
  double radius = 0;
  double stiffness = 0;
  double exponent = 1;
  double damping = 0;
  double friction = 0;
  double longitudinal_stiffness = 0;
  double cornering_stiffness = 0;
  double contact_length = 0;
  double low_speed = 0.5;
  static constexpr std::string_view type = "tyre";
  static constexpr std::string_view doc =
      "A wheel on a flat road: vertical spring and damper that never pull, and the brush model "
      "(Fiala's) for forces along and across and the aligning moment.";
  static constexpr std::array quantities{Quantity::force,
                                         Quantity::torque,
                                         Quantity::gap,
                                         Quantity::normal_force,
                                         Quantity::friction_force,
                                         Quantity::sliding_velocity,
                                         Quantity::dissipated_power,
                                         Quantity::slip_ratio,
                                         Quantity::slip_angle,
                                         Quantity::aligning_moment};
  bool conserves_energy() const { return false; }
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"between", "", "the body or marker with the road, and the wheel", Range::any, true},
      s.between);
    v(Entry{"points", "m",
            "at t = 0, ground axes: a point of the road and the centre of the wheel; not needed "
            "for markers"},
      s.points);
    v(Entry{"normal", "",
            "of the road, upwards, ground axes at t = 0; z of the first marker if left out"},
      s.normal);
    v(Entry{"axis", "", "about which the wheel spins, ground axes at t = 0", Range::any, true},
      s.axis);
    v(Entry{"radius", "m", "of the unloaded tyre", Range::positive, true}, s.radius);
    v(Entry{"stiffness", "N/m^e", "vertical force for a deflection of 1 m", Range::positive, true},
      s.stiffness);
    v(Entry{"exponent", "", "e of the vertical force, at least 1", Range::positive}, s.exponent);
    v(Entry{"damping", "s/m", "a: the vertical force is k d^e (1 + a d'), never below 0",
            Range::non_negative},
      s.damping);
    v(Entry{"friction", "", "coefficient between tyre and road", Range::positive, true},
      s.friction);
    v(Entry{"longitudinal_stiffness", "N", "force along for a slip of 1, from its slope at 0",
            Range::positive, true},
      s.longitudinal_stiffness);
    v(Entry{"cornering_stiffness", "N/rad", "force across for a slip angle, from its slope at 0",
            Range::positive, true},
      s.cornering_stiffness);
    v(Entry{"contact_length", "m", "of the contact patch; for the aligning moment alone",
            Range::non_negative},
      s.contact_length);
    v(Entry{"low_speed", "m/s",
            "slips are taken over sqrt(rolling speed^2 + this^2): near standstill the tyre is a "
            "damper",
            Range::positive},
      s.low_speed);
  }
};

struct Cable {
  std::array<MarkerRef, 2> between;
  std::optional<std::array<Vec3d, 2>> points;
  std::optional<double> length;
  double stiffness = 0;
  double damping = 0;
  double onset = 0;
  static constexpr std::string_view type = "cable";
  static constexpr std::string_view doc =
      "A rope between two points: it pulls where it is longer than its free length and is slack "
      "otherwise.";
  static constexpr std::array quantities{Quantity::force, Quantity::torque, Quantity::tension,
                                         Quantity::length, Quantity::length_rate};
  bool conserves_energy() const { return damping == 0; }
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"between", "", "the two bodies or markers it connects", Range::any, true}, s.between);
    v(Entry{"points", "m", "its two ends at t = 0, ground axes; not needed for markers"}, s.points);
    v(Entry{"length", "m", "free length; the distance at t = 0 if left out", Range::positive},
      s.length);
    v(Entry{"stiffness", "N/m", "tension for an elongation", Range::positive, true}, s.stiffness);
    v(Entry{"damping", "N s/m",
            "tension for a rate of elongation, while it is taut; the tension is never below 0",
            Range::non_negative},
      s.damping);
    v(Entry{"onset", "m",
            "elongation over which stiffness and damping grow from 0 to their values; 0: at once",
            Range::non_negative},
      s.onset);
  }
};

}  // namespace tumble
