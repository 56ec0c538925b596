// Joints as the user describes them.
//
// All but the distance joint and the revolute-spherical link are one idea: a frame A on the first
// body and a frame B on the second, coincident at t = 0 unless markers say otherwise, and a subset
// of the six relative motions of B in A that is locked. A kind says which motions it locks
// (`locked`, or a field locked_motions), and by fields that all kinds call alike how its frame is
// laid (`orientation`, `axis`, or `axis_first` and `axis_second`), what can be imposed (`motion`)
// and where it starts (`start`). Checks, compilation and the page go by these. Imposing a motion
// locks it at a function of time; imposing a free motion makes the joint a motor.
#pragma once
#include <variant>

#include "tumble/model/entry.hpp"

namespace tumble {

/// What every joint has.
struct JointEnds {
  std::array<MarkerRef, 2> between;
  std::optional<Vec3d> point;
  static constexpr int drawn_axis = -1;  ///< of its frame, along which pictures lay it: none
};

template <class Self, class V>
void joint_end_fields(Self& s, V&& v) {
  v(Entry{"between", "",
          "the two bodies or markers it connects; the motion is that of the second "
          "relative to the first",
          Range::any, true},
    s.between);
  v(Entry{"point", "m", "where the joint is at t = 0, ground axes; not needed if a marker says so"},
    s.point);
}

// Where a joint starts. Values count from the described pose, or from where markers coincide;
// points, axes, rest lengths and zero angles belong to the described pose, from which the start
// moves the machine. Joints without a start keep their place as far as loops allow.

struct AngleStart {
  std::optional<double> angle;
  std::optional<double> rate;
  static constexpr bool starts_joint = true;
  static constexpr std::string_view doc = "Where a hinge starts.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"angle", "rad", "the angle at t = 0, through any number of turns"}, s.angle);
    v(Entry{"rate", "rad/s", "its rate at t = 0"}, s.rate);
  }
};

struct SlideStart {
  std::optional<double> displacement;
  std::optional<double> displacement_rate;
  static constexpr bool starts_joint = true;
  static constexpr std::string_view doc = "Where a slider starts.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"displacement", "m", "the displacement along the axis at t = 0"}, s.displacement);
    v(Entry{"displacement_rate", "m/s", "its rate at t = 0"}, s.displacement_rate);
  }
};

struct AngleSlideStart {
  std::optional<double> angle;
  std::optional<double> rate;
  std::optional<double> displacement;
  std::optional<double> displacement_rate;
  static constexpr bool starts_joint = true;
  static constexpr std::string_view doc = "Where a joint that turns and slides starts.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"angle", "rad", "the angle at t = 0, through any number of turns"}, s.angle);
    v(Entry{"rate", "rad/s", "its rate at t = 0"}, s.rate);
    v(Entry{"displacement", "m", "the displacement along the axis at t = 0"}, s.displacement);
    v(Entry{"displacement_rate", "m/s", "its rate at t = 0"}, s.displacement_rate);
  }
};

struct CardanStart {
  std::optional<double> angle_first;
  std::optional<double> rate_first;
  std::optional<double> angle_second;
  std::optional<double> rate_second;
  static constexpr bool starts_joint = true;
  static constexpr std::string_view doc =
      "Where a Cardan joint starts: the cross is turned in the first body, then the second body on "
      "the cross.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"angle_first", "rad",
            "angle of the cross in the first body, about `axis_first`, at t = 0, through any "
            "number of turns"},
      s.angle_first);
    v(Entry{"rate_first", "rad/s", "its rate at t = 0"}, s.rate_first);
    v(Entry{"angle_second", "rad",
            "angle of the second body on the cross, about the turned `axis_second`, at t = 0, "
            "through any number of turns"},
      s.angle_second);
    v(Entry{"rate_second", "rad/s", "its rate at t = 0"}, s.rate_second);
  }
};

struct BallStart {
  std::optional<Vec3d> rotation_vector;
  std::optional<Vec3d> angular_velocity;
  static constexpr bool starts_joint = true;
  static constexpr std::string_view doc =
      "Where a ball joint starts. Axes are those of its first frame: a marker's, otherwise the "
      "ground's as the first body would carry them along from the described pose.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"rotation_vector", "rad",
            "rotation of the second body against the first at t = 0, through any number of turns"},
      s.rotation_vector);
    v(Entry{"angular_velocity", "rad/s",
            "angular velocity of the second body relative to the first at t = 0"},
      s.angular_velocity);
  }
};

struct MotionStart {
  std::array<std::optional<double>, 6> value, rate;  ///< by Motion
  static constexpr bool starts_joint = true;
  static constexpr std::string_view doc =
      "Where free motions of a general joint start, in the axes of its first frame. Two free "
      "rotations are angles one after the other, as of a Cardan joint: about the axis that "
      "follows the locked one (x, y, z, x, ...) in the first frame, then about the next one, "
      "turned. Three are a rotation vector, of which what is left out stays as described, and "
      "their rates an angular velocity.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"x", "m", "displacement along x at t = 0"}, s.value[0]);
    v(Entry{"y", "m", "displacement along y at t = 0"}, s.value[1]);
    v(Entry{"z", "m", "displacement along z at t = 0"}, s.value[2]);
    v(Entry{"rx", "rad", "rotation about x at t = 0"}, s.value[3]);
    v(Entry{"ry", "rad", "rotation about y at t = 0"}, s.value[4]);
    v(Entry{"rz", "rad", "rotation about z at t = 0"}, s.value[5]);
    v(Entry{"x_rate", "m/s", "rate of x at t = 0"}, s.rate[0]);
    v(Entry{"y_rate", "m/s", "rate of y at t = 0"}, s.rate[1]);
    v(Entry{"z_rate", "m/s", "rate of z at t = 0"}, s.rate[2]);
    v(Entry{"rx_rate", "rad/s", "rate of rx at t = 0"}, s.rate[3]);
    v(Entry{"ry_rate", "rad/s", "rate of ry at t = 0"}, s.rate[4]);
    v(Entry{"rz_rate", "rad/s", "rate of rz at t = 0"}, s.rate[5]);
  }
};

struct PlanarStart {
  std::optional<double> x, x_rate;
  std::optional<double> y, y_rate;
  std::optional<double> angle, rate;
  static constexpr bool starts_joint = true;
  static constexpr std::string_view doc =
      "Where a joint that moves in a plane starts, in the axes of its first frame.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"x", "m", "displacement along x at t = 0"}, s.x);
    v(Entry{"x_rate", "m/s", "its rate at t = 0"}, s.x_rate);
    v(Entry{"y", "m", "displacement along y at t = 0"}, s.y);
    v(Entry{"y_rate", "m/s", "its rate at t = 0"}, s.y_rate);
    v(Entry{"angle", "rad", "the angle about z at t = 0, through any number of turns"}, s.angle);
    v(Entry{"rate", "rad/s", "its rate at t = 0"}, s.rate);
  }
};

struct LengthStart {
  std::optional<double> length;
  std::optional<double> length_rate;
  static constexpr bool starts_joint = true;
  static constexpr std::string_view doc = "Where a massless rod starts.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"length", "m",
            "its length at t = 0, which it keeps but for its motion: the machine is moved there",
            Range::positive},
      s.length);
    v(Entry{"length_rate", "m/s",
            "its rate at t = 0; a rod gets longer by its `motion` alone, so anything but that "
            "drive's rate is a contradiction"},
      s.length_rate);
  }
};

/// Starts are followed turn by turn, so that what counts turns counts them.
inline constexpr double most_start_turns = 1000;

/// The start of a joint that has one, in one form for all kinds.
struct JointStart {
  std::array<std::optional<double>, 6> value, rate;  ///< by Motion
  std::optional<double> length, length_rate;
  bool any() const;
  bool any_rate() const;
};

struct FixedJoint : JointEnds {
  std::optional<Orientation> orientation;
  Motions motion;
  static constexpr std::string_view type = "fixed";
  static constexpr std::string_view doc = "Locks all six relative motions.";
  static constexpr MotionSet locked{{true, true, true, true, true, true}};
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    joint_end_fields(s, v);
    v(Entry{"orientation", "", "axes of the joint frame at t = 0"}, s.orientation);
    v(Entry{"motion", "",
            "drives that impose locked motions: of the second frame in the axes of the first"},
      s.motion);
  }
};

/// Joints laid along one axis: the joint frame's z axis is `axis`.
struct AxisJoint : JointEnds {
  std::optional<Vec3d> axis;
  Motions motion;
  static constexpr int drawn_axis = 2;
};

template <class Self, class V>
void axis_joint_fields(Self& s, V&& v) {
  joint_end_fields(s, v);
  v(Entry{"axis", "",
          "direction of the joint's z axis, ground axes at t = 0; not needed if a "
          "marker says so"},
    s.axis);
  v(Entry{"motion", "",
          "drives that impose motions, e.g. {rz: motor}: of the second frame in the axes of the "
          "first; "
          "a positive rz turns the second body right-handedly about the axis"},
    s.motion);
}

struct RevoluteJoint : AxisJoint {
  std::optional<AngleStart> start = {};
  static constexpr std::string_view type = "revolute";
  static constexpr std::string_view doc = "A hinge: leaves the rotation about its axis free.";
  static constexpr MotionSet locked{{true, true, true, true, true, false}};
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    axis_joint_fields(s, v);
    v(Entry{"start", "", "where it starts; as described if left out"}, s.start);
  }
};

struct PrismaticJoint : AxisJoint {
  std::optional<SlideStart> start = {};
  static constexpr std::string_view type = "prismatic";
  static constexpr std::string_view doc = "A slider: leaves the translation along its axis free.";
  static constexpr MotionSet locked{{true, true, false, true, true, true}};
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    axis_joint_fields(s, v);
    v(Entry{"start", "", "where it starts; as described if left out"}, s.start);
  }
};

struct CylindricalJoint : AxisJoint {
  std::optional<AngleSlideStart> start = {};
  static constexpr std::string_view type = "cylindrical";
  static constexpr std::string_view doc =
      "Leaves the translation along and the rotation about its axis free.";
  static constexpr MotionSet locked{{true, true, false, true, true, false}};
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    axis_joint_fields(s, v);
    v(Entry{"start", "", "where it starts; as described if left out"}, s.start);
  }
};

struct SphericalJoint : JointEnds {
  std::optional<BallStart> start = {};
  static constexpr std::string_view type = "spherical";
  static constexpr std::string_view doc = "A ball joint: leaves all rotations free.";
  static constexpr MotionSet locked{{true, true, true, false, false, false}};
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    joint_end_fields(s, v);
    v(Entry{"start", "", "where it starts; as described if left out"}, s.start);
  }
};

struct UniversalJoint : JointEnds {
  std::optional<Vec3d> axis_first;
  std::optional<Vec3d> axis_second;
  std::optional<CardanStart> start = {};
  static constexpr int drawn_axis = 0;
  static constexpr std::string_view type = "universal";
  static constexpr std::string_view doc =
      "A Cardan joint: a cross with one arm fixed in each body, the arms perpendicular.";
  static constexpr MotionSet locked{{true, true, true, false, false, true}};
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    joint_end_fields(s, v);
    v(Entry{"axis_first", "",
            "arm of the cross fixed in the first body (joint x axis), ground "
            "axes at t = 0"},
      s.axis_first);
    v(Entry{"axis_second", "",
            "arm fixed in the second body (joint y axis), perpendicular to the "
            "first"},
      s.axis_second);
    v(Entry{"start", "", "where it starts; as described if left out"}, s.start);
  }
};

struct GeneralJoint : JointEnds {
  std::optional<Orientation> orientation;
  MotionSet locked_motions;
  Motions motion;
  std::optional<MotionStart> start = {};
  static constexpr std::string_view type = "general";
  static constexpr std::string_view doc = "Locks a chosen subset of the six relative motions.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    joint_end_fields(s, v);
    v(Entry{"locked", "", "the locked motions, out of x, y, z, rx, ry, rz", Range::any, true},
      s.locked_motions);
    v(Entry{"orientation", "", "axes of the joint frame at t = 0"}, s.orientation);
    v(Entry{"motion", "",
            "drives that impose motions: of the second frame in the axes of the first"},
      s.motion);
    v(Entry{"start", "", "where free motions start; as described if left out"}, s.start);
  }
};

struct DistanceJoint {
  std::array<MarkerRef, 2> between;
  std::optional<std::array<Vec3d, 2>> points;
  std::optional<double> length;
  std::optional<DriveRef> motion;
  std::optional<LengthStart> start = {};
  static constexpr std::string_view type = "distance";
  static constexpr std::string_view doc = "A massless rod: keeps two points at a distance.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"between", "", "the two bodies or markers it connects", Range::any, true}, s.between);
    v(Entry{"points", "m", "its two ends at t = 0, ground axes; not needed for markers"}, s.points);
    v(Entry{"length", "m", "the distance; as at t = 0 if left out", Range::positive}, s.length);
    v(Entry{"motion", "", "drive that is added to the length; positive moves the points apart"},
      s.motion);
    v(Entry{"start", "", "where it starts; as described if left out"}, s.start);
  }
};

struct PlanarJoint : AxisJoint {
  std::optional<PlanarStart> start = {};
  static constexpr std::string_view type = "planar";
  static constexpr std::string_view doc =
      "Keeps a plane of the second body on a plane of the first: leaves the translations in it and "
      "the rotation about its normal, which is the axis, free.";
  static constexpr MotionSet locked{{false, false, true, true, true, false}};
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    axis_joint_fields(s, v);
    v(Entry{"start", "", "where it starts; as described if left out"}, s.start);
  }
};

struct PointOnLineJoint : AxisJoint {
  std::optional<SlideStart> start = {};
  static constexpr std::string_view type = "point_on_line";
  static constexpr std::string_view doc =
      "Keeps a point of the second body on a line of the first, along the axis: leaves the "
      "translation along it and all rotations free.";
  static constexpr MotionSet locked{{true, true, false, false, false, false}};
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    axis_joint_fields(s, v);
    v(Entry{"start", "", "where it starts; as described if left out"}, s.start);
  }
};

struct PointOnPlaneJoint : AxisJoint {
  static constexpr std::string_view type = "point_on_plane";
  static constexpr std::string_view doc =
      "Keeps a point of the second body on a plane of the first, whose normal is the axis.";
  static constexpr MotionSet locked{{false, false, true, false, false, false}};
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    axis_joint_fields(s, v);
  }
};

struct ConstantVelocityJoint : JointEnds {
  std::optional<Vec3d> axis_first;
  std::optional<Vec3d> axis_second;
  static constexpr int drawn_axis = 2;
  static constexpr bool locks_twist = true;  ///< a row of its own, beside the locked motions
  static constexpr std::string_view type = "constant_velocity";
  static constexpr std::string_view doc =
      "Joins two shafts that turn at the same speed at any angle between them, as a Rzeppa joint "
      "does: leaves the bend in all directions free and locks the twist.";
  static constexpr MotionSet locked{{true, true, true, false, false, false}};
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    joint_end_fields(s, v);
    v(Entry{"axis_first", "",
            "direction of the first body's shaft (joint z axis), ground axes at t = 0; not needed "
            "if a marker says so"},
      s.axis_first);
    v(Entry{"axis_second", "",
            "direction of the second body's shaft, ground axes at t = 0; that of the first if left "
            "out"},
      s.axis_second);
  }
};

struct RevoluteSphericalJoint {
  std::array<MarkerRef, 2> between;
  std::optional<std::array<Vec3d, 2>> points;
  Vec3d axis;
  std::optional<double> length;
  static constexpr std::string_view type = "revolute_spherical";
  static constexpr std::string_view doc =
      "A massless link that turns about an axis of the first body and holds a point of the second "
      "by a ball joint: the point stays on a circle about the axis.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"between", "", "the two bodies or markers it connects", Range::any, true}, s.between);
    v(Entry{"points", "m",
            "a point of the axis and the centre of the ball at t = 0, ground axes; not needed for "
            "markers"},
      s.points);
    v(Entry{"axis", "", "direction of the axis at t = 0, ground axes; fixed in the first body",
            Range::any, true},
      s.axis);
    v(Entry{"length", "m",
            "of the link: the ball's distance from the axis; as at t = 0 if left out",
            Range::positive},
      s.length);
  }
};

using JointKind =
    std::variant<FixedJoint, RevoluteJoint, PrismaticJoint, CylindricalJoint, SphericalJoint,
                 UniversalJoint, GeneralJoint, DistanceJoint, PlanarJoint, PointOnLineJoint,
                 PointOnPlaneJoint, ConstantVelocityJoint, RevoluteSphericalJoint>;

struct Joint {
  std::string name;
  JointKind kind;
};

/// What a joint says of its start; empty for kinds that have none.
JointStart start_of(const JointKind& kind);
/// What a joint calls the start of a motion, or its rate: "start.angle".
std::string start_field(const JointKind& kind, Motion motion, bool rate);
inline const char* unit_of_start(Motion motion, bool rate) {
  return motion < Motion::rx ? (rate ? "m/s" : "m") : (rate ? "rad/s" : "rad");
}

}  // namespace tumble
