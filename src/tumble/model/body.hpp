// A rigid body as the user describes it: mass properties, start, shape, named markers.
#pragma once
#include <map>

#include "tumble/model/entry.hpp"

namespace tumble {

/// A named frame on a body or on the ground, given in ground axes at t = 0.
struct Marker {
  std::string name;
  Vec3d position;
  Orientation orientation;

  static constexpr std::string_view doc = "A named frame: a material point with axes.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"position", "m", "the point, ground axes at t = 0", Range::any, true}, s.position);
    v(Entry{"orientation", "", "the frame's axes relative to the ground's, at t = 0"},
      s.orientation);
  }
};

/// A homogeneous solid; with a density it stands for mass and inertia. Axes are body axes, the
/// centre is the body's centre of mass.
struct Shape {
  enum class Kind { none, box, cylinder, sphere };
  Kind kind = Kind::none;
  Vec3d size;          ///< box: edges [m]
  double radius = 0;   ///< cylinder, sphere [m]
  double length = 0;   ///< cylinder, along its axis [m]
  int axis = 2;        ///< cylinder: 0, 1, 2 for body x, y, z
  double density = 0;  ///< [kg/m^3]; 0: the shape is for drawing only
};

/// Mass [kg] and inertia about the centre (xx, yy, zz, xy, xz, yz) [kg m^2] of a shape.
struct MassProperties {
  double mass = 0;
  std::array<double, 6> inertia{};
};
MassProperties mass_properties(const Shape& shape);

struct Body {
  std::string name;
  double mass = 0;
  Vec3d position;
  bool rotates = true;              ///< false: a point mass, `inertia: none`
  std::array<double, 6> inertia{};  ///< xx, yy, zz, xy, xz, yz
  Orientation orientation;
  StartVelocity velocity;
  StartVelocity angular_velocity;
  Shape shape;
  std::vector<Marker> markers;

  static constexpr std::string_view doc =
      "A rigid body, or with `inertia: none` a point mass, which has no rotation: joints and "
      "forces "
      "take hold of its centre.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"mass", "kg", "mass; may be left out if the shape has a density", Range::positive},
      s.mass);
    v(Entry{"position", "m", "centre of mass at t = 0, ground axes", Range::any, true}, s.position);
    // What a point mass does not have holds no numbers: no slots, nothing to check.
    if (s.rotates) {
      v(Entry{"inertia", "kg m^2",
              "about the centre of mass, body axes: 3 principal values, 6 (xx, yy, zz, xy, xz, "
              "yz), 3 x 3, or `none` for a point mass"},
        s.inertia);
      v(Entry{"orientation", "", "of the body axes at t = 0 relative to the ground's"},
        s.orientation);
    }
    v(Entry{"velocity", "m/s",
            "of the centre of mass at t = 0, ground axes; if left out, what joints and other "
            "velocities ask for with the least kinetic energy"},
      s.velocity);
    if (s.rotates)
      v(Entry{"angular_velocity", "rad/s", "at t = 0, ground axes; likewise"}, s.angular_velocity);
    v(Entry{"shape", "", "box, cylinder or sphere; with a density it replaces mass and inertia"},
      s.shape);
    v(Entry{"markers", "", "named frames on the body"}, s.markers);
  }
};

}  // namespace tumble
