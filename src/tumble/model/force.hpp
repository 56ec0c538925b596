// Force elements as the user describes them. Gravity is a field of the Model.
//
// A kind says beside its fields
//   quantities         what probes may ask of it
//   conserves_energy() whether it takes no energy out of the motion and puts none in
//   scale_load()       if it is a load that statics raises by steps
// and where it acts by fields that all kinds call alike: `between` with `point` or `points`, `body`
// with `point`, `beam` with `at`, or `joint`, of which a coordinate is meant. Checks, probes and
// the page go by these.
#pragma once
#include <algorithm>
#include <variant>

#include "tumble/model/contact.hpp"
#include "tumble/model/expression.hpp"
#include "tumble/model/probe.hpp"

namespace tumble {

struct Bushing {
  std::array<MarkerRef, 2> between;
  std::optional<Vec3d> point;
  std::optional<Orientation> orientation;
  std::vector<double> stiffness;  ///< 6 (diagonal) or 36 (by rows)
  std::vector<double> damping;
  std::array<double, 6> prestress{};
  static constexpr std::string_view type = "bushing";
  static constexpr std::string_view doc =
      "A 6-D linear spring-damper between two frames. The strain is the displacement and rotation "
      "of "
      "the second frame in the axes of the first; positive stiffness pulls the second body back.";
  static constexpr std::array quantities{Quantity::force, Quantity::torque, Quantity::displacement,
                                         Quantity::displacement_rate};
  bool conserves_energy() const {
    return std::all_of(damping.begin(), damping.end(), [](double c) { return c == 0; });
  }
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"between", "", "the two bodies or markers it connects", Range::any, true}, s.between);
    v(Entry{"point", "m", "where it is at t = 0, ground axes; not needed for markers"}, s.point);
    v(Entry{"orientation", "", "axes of its frame at t = 0"}, s.orientation);
    v(Entry{"stiffness", "N/m, N m/rad", "6 diagonal values or a 6 x 6 matrix (x y z rx ry rz)",
            Range::any, true},
      s.stiffness);
    v(Entry{"damping", "N s/m, N m s/rad", "6 diagonal values or a 6 x 6 matrix"}, s.damping);
    v(Entry{"prestress", "N, N m",
            "force and moment on the first body at zero strain, axes of the first frame; the "
            "second "
            "body feels the opposite"},
      s.prestress);
  }
};

struct Spring {
  std::array<MarkerRef, 2> between;
  std::optional<std::array<Vec3d, 2>> points;
  std::optional<double> length;
  Characteristic stiffness;
  Characteristic damping;
  double preload = 0;
  std::optional<DriveRef> actuator;
  static constexpr std::string_view type = "spring";
  static constexpr std::string_view doc =
      "A spring-damper-actuator along the line between two points. Its force is a tension: "
      "positive "
      "pulls the two ends together.";
  static constexpr std::array quantities{Quantity::force, Quantity::torque, Quantity::tension,
                                         Quantity::length, Quantity::length_rate};
  bool conserves_energy() const { return damping.is_zero() && !actuator; }
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"between", "", "the two bodies or markers it connects", Range::any, true}, s.between);
    v(Entry{"points", "m", "its two ends at t = 0, ground axes; not needed for markers"}, s.points);
    v(Entry{"length", "m", "free length; the length at t = 0 if left out", Range::positive},
      s.length);
    v(Entry{"stiffness", "N/m", "tension for an elongation", Range::non_negative}, s.stiffness);
    v(Entry{"damping", "N s/m", "tension for a rate of elongation", Range::non_negative},
      s.damping);
    v(Entry{"preload", "N", "constant tension added; positive shortens the spring"}, s.preload);
    v(Entry{"actuator", "",
            "drive whose value [N] is added to the tension; positive shortens the spring"},
      s.actuator);
  }
};

struct TorsionSpring {
  std::array<MarkerRef, 2> between;
  std::optional<Vec3d> point;
  std::optional<Vec3d> axis;
  double angle = 0;
  Characteristic stiffness;
  Characteristic damping;
  double preload = 0;
  std::optional<DriveRef> actuator;
  static constexpr std::string_view type = "torsion_spring";
  static constexpr std::string_view doc =
      "A torsional spring-damper-actuator about the axis of a hinge between two bodies. The angle "
      "is "
      "that of the second body relative to the first, right-handed about the axis, counted through "
      "full turns; stiffness, damping and preload act against it, the actuator along it.";
  static constexpr std::array quantities{Quantity::force, Quantity::torque, Quantity::moment,
                                         Quantity::angle, Quantity::angle_rate};
  bool conserves_energy() const { return damping.is_zero() && !actuator; }
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"between", "", "the two bodies or markers it connects", Range::any, true}, s.between);
    v(Entry{"point", "m", "a point of the axis at t = 0, ground axes (for drawing only)"}, s.point);
    v(Entry{"axis", "", "direction of the axis at t = 0, ground axes; fixed in the first body"},
      s.axis);
    v(Entry{"angle", "rad", "free angle; the angle at t = 0 counts as zero"}, s.angle);
    v(Entry{"stiffness", "N m/rad", "torque for an angle, turning the second body back",
            Range::non_negative},
      s.stiffness);
    v(Entry{"damping", "N m s/rad", "torque for an angular rate, against it", Range::non_negative},
      s.damping);
    v(Entry{"preload", "N m",
            "constant torque added to that of the stiffness; positive decreases the angle"},
      s.preload);
    v(Entry{"actuator", "",
            "drive whose value [N m] is a torque on the second body about the axis, its opposite "
            "on the "
            "first; positive increases the angle"},
      s.actuator);
  }
};

enum class Axes { ground, body };
inline constexpr std::array<std::string_view, 2> axes_names{"ground", "body"};

struct AppliedForce {
  BodyRef body;
  std::optional<Vec3d> point;
  Vec3d force;
  Vec3d torque;
  Axes axes = Axes::ground;
  std::optional<DriveRef> drive;
  static constexpr std::string_view type = "applied";
  static constexpr std::string_view doc =
      "A force at a material point and a torque, constant in ground or body axes, times a drive.";
  static constexpr std::array quantities{Quantity::force, Quantity::torque};
  bool conserves_energy() const { return false; }
  void scale_load(double factor) {
    force = factor * force;
    torque = factor * torque;
  }
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"body", "", "the body it acts on", Range::any, true}, s.body);
    v(Entry{"point", "m",
            "where the force acts, ground axes at t = 0; the body's nominal centre "
            "of mass if left out"},
      s.point);
    v(Entry{"force", "N", "on the body, components in `axes`"}, s.force);
    v(Entry{"torque", "N m", "on the body, components in `axes`"}, s.torque);
    v(Entry{"axes", "", "ground or body"}, s.axes);
    v(Entry{"drive", "", "drive that multiplies force and torque, sign included"}, s.drive);
  }
};

struct PointLoad {
  BeamRef beam;
  double at = 1;
  Vec3d force;
  std::optional<DriveRef> drive;
  static constexpr std::string_view type = "point_load";
  static constexpr std::string_view doc =
      "A force on the axis of a beam, constant in ground axes, times a drive.";
  static constexpr std::array quantities{Quantity::force};
  bool conserves_energy() const { return false; }
  void scale_load(double factor) { force = factor * force; }
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"beam", "", "the beam it acts on", Range::any, true}, s.beam);
    v(Entry{"at", "", "where: 0 at the beam's start, 1 at its end", Range::fraction}, s.at);
    v(Entry{"force", "N", "on the beam, ground axes", Range::any, true}, s.force);
    v(Entry{"drive", "", "drive that multiplies the force"}, s.drive);
  }
};

struct LineLoad {
  BeamRef beam;
  Vec3d force;
  std::optional<Vec3d> force_end;
  std::optional<DriveRef> drive;
  static constexpr std::string_view type = "line_load";
  static constexpr std::string_view doc =
      "A force along the whole axis of a beam, per length of the undeformed beam, constant in "
      "ground axes, times a drive.";
  static constexpr std::array quantities{Quantity::force};
  bool conserves_energy() const { return false; }
  void scale_load(double factor) {
    force = factor * force;
    if (force_end) force_end = factor * *force_end;
  }
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"beam", "", "the beam it acts on", Range::any, true}, s.beam);
    v(Entry{"force", "N/m", "on the beam, ground axes", Range::any, true}, s.force);
    v(Entry{"force_end", "N/m",
            "at the beam's end; the load then changes linearly from `force` at its start"},
      s.force_end);
    v(Entry{"drive", "", "drive that multiplies the load"}, s.drive);
  }
};

struct SectionLoad {
  BeamRef beam;
  double at = 1;
  Vec3d force, moment;
  bool follower = false;
  std::optional<DriveRef> drive;
  static constexpr std::string_view type = "section_load";
  static constexpr std::string_view doc =
      "A force and a moment on the section of a beam, times a drive; their components are constant "
      "in ground axes, or in those of the section that they follow. Neither a moment nor a "
      "follower force has a potential: what they do is work from outside.";
  static constexpr std::array quantities{Quantity::force, Quantity::torque};
  bool conserves_energy() const { return false; }
  void scale_load(double factor) {
    force = factor * force;
    moment = factor * moment;
  }
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"beam", "", "the beam it acts on", Range::any, true}, s.beam);
    v(Entry{"at", "", "where: 0 at the beam's start, 1 at its end", Range::fraction}, s.at);
    v(Entry{"force", "N", "on the axis of the beam"}, s.force);
    v(Entry{"moment", "N m", "on the section; of a planar beam its z component alone counts"},
      s.moment);
    v(Entry{"follower", "",
            "true: components are along the axes of the section, x across it, y and z in it, and "
            "turn with it; false: along the ground's"},
      s.follower);
    v(Entry{"drive", "", "drive that multiplies both"}, s.drive);
  }
};

struct JointLimit {
  CoordinateRef joint;
  std::optional<double> lower, upper;
  double stiffness = 0;
  double damping = 0;
  double width = 0;
  static constexpr std::string_view type = "joint_limit";
  static constexpr std::string_view doc =
      "Stops at the ends of a joint's angle or displacement: springs and dampers that act beyond "
      "`lower` and `upper` alone and never pull.";
  static constexpr std::array quantities{Quantity::moment, Quantity::axial_force};
  bool conserves_energy() const { return damping == 0; }
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"joint", "", "the joint, or `joint.rz` where it has several coordinates", Range::any,
            true},
      s.joint);
    v(Entry{"lower", "m, rad", "where the lower stop begins; none if left out"}, s.lower);
    v(Entry{"upper", "m, rad", "where the upper stop begins; none if left out"}, s.upper);
    v(Entry{"stiffness", "N/m, N m/rad", "of each stop", Range::positive, true}, s.stiffness);
    v(Entry{"damping", "N s/m, N m s/rad", "of each stop, while it is pressed",
            Range::non_negative},
      s.damping);
    v(Entry{"width", "m, rad",
            "depth over which stiffness and damping of a stop grow to their full values",
            Range::non_negative},
      s.width);
  }
};

struct JointFriction {
  CoordinateRef joint;
  double coefficient = 0;
  std::optional<double> static_coefficient;
  double stribeck_rate = 0;
  double transition_rate = 0;
  double radius = 1;
  double preload = 0;
  double constant = 0;
  static constexpr std::string_view type = "joint_friction";
  static constexpr std::string_view doc =
      "Dry friction in a joint, against the rate of its angle or displacement: Coulomb's law, made "
      "smooth about zero, of the force that the joint itself transmits.";
  static constexpr std::array quantities{Quantity::moment, Quantity::axial_force};
  bool conserves_energy() const { return false; }
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"joint", "", "the joint, or `joint.rz` where it has several coordinates", Range::any,
            true},
      s.joint);
    v(Entry{"coefficient", "", "of sliding friction", Range::non_negative}, s.coefficient);
    v(Entry{"static_coefficient", "",
            "of friction as motion begins (Stribeck); the sliding one if left out",
            Range::non_negative},
      s.static_coefficient);
    v(Entry{"stribeck_rate", "m/s, rad/s",
            "rate over which friction falls from static to sliding; needed for a static "
            "coefficient",
            Range::non_negative},
      s.stribeck_rate);
    v(Entry{"transition_rate", "m/s, rad/s",
            "rate at which friction has 76 % of its size (tanh 1); below, it is viscous: nothing "
            "sticks for good",
            Range::positive, true},
      s.transition_rate);
    v(Entry{"radius", "m",
            "of the bearing: lever of the friction about an angle; without effect on a "
            "displacement",
            Range::positive},
      s.radius);
    v(Entry{"preload", "N", "normal force beside the one the joint transmits", Range::non_negative},
      s.preload);
    v(Entry{"constant", "N, N m", "friction that depends on no force, as of a seal",
            Range::non_negative},
      s.constant);
  }
};

/// Where it acts is said by other members than those of other kinds: any of four ways.
struct ExpressionForce {
  std::optional<std::array<MarkerRef, 2>> ends;
  std::optional<std::array<Vec3d, 2>> line;
  std::optional<Vec3d> place;
  std::optional<Orientation> orientation;
  std::optional<BodyRef> on_body;
  std::optional<JointRef> on_joint;
  Axes axes = Axes::ground;
  ExpressionList force, torque, moment;
  Expression tension;
  ExpressionParameters parameters;
  static constexpr std::string_view type = "expression";
  static constexpr std::string_view doc =
      "A force written as formulas of time, motions, drives, state variables and parameters: "
      "between two frames (`between`, `force`, `torque`, `moment`), along the line between two "
      "points (`between`, `points`, `tension`), on a body (`body`), or along or about the axis of "
      "a joint (`joint`).";
  static constexpr std::array quantities{Quantity::force, Quantity::torque, Quantity::value};
  bool conserves_energy() const { return false; }

  enum class Form { frames, line, body, joint };
  Form form() const {
    return on_joint          ? Form::joint
           : on_body         ? Form::body
           : tension.empty() ? Form::frames
                             : Form::line;
  }
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"between", "", "the two bodies or markers it connects"}, s.ends);
    v(Entry{"points", "m",
            "with `tension`: its two ends at t = 0, ground axes; not needed for "
            "markers"},
      s.line);
    v(Entry{"point", "m",
            "where it is at t = 0, ground axes; not needed for markers; of a body the nominal "
            "centre of mass if left out"},
      s.place);
    v(Entry{"orientation", "", "axes of its frame at t = 0"}, s.orientation);
    v(Entry{"body", "", "the body it acts on, in place of `between`"}, s.on_body);
    v(Entry{"joint", "", "the joint along or about whose z axis it acts, in place of `between`"},
      s.on_joint);
    v(Entry{"axes", "", "of a force on a body: ground or body"}, s.axes);
    v(Entry{"force", "N",
            "on the second body, three components in the axes of the first frame; on a body, in "
            "`axes`; on a joint one number, positive increases the displacement"},
      s.force);
    v(Entry{"torque", "N m",
            "on the second body, three components in the same axes; on a joint one number, "
            "positive increases the angle"},
      s.torque);
    v(Entry{"moment", "N m",
            "between frames: three generalized forces of the rotation vector rx, ry, rz, whose "
            "work is moment times its change; springs of large rotations"},
      s.moment);
    v(Entry{"tension", "N", "along the line between two points: positive pulls them together"},
      s.tension);
    v(Entry{"parameters", "", "numbers that the formulas call by name"}, s.parameters);
  }
};

using ForceKind =
    std::variant<Bushing, Spring, TorsionSpring, AppliedForce, PointLoad, LineLoad, JointLimit,
                 JointFriction, PlaneContact, SphereContact, CylinderContact, HeightFieldContact,
                 Tyre, Cable, ExpressionForce, SectionLoad>;

struct Force {
  std::string name;
  ForceKind kind;
};

}  // namespace tumble
