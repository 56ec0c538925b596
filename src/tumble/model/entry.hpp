// What fields of descriptions are made of, beside numbers and vectors.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tumble/base/entry.hpp"
#include "tumble/math/vec3.hpp"

namespace tumble {

/// The name of a body or "ground".
struct BodyRef {
  std::string name;
  bool operator==(const BodyRef&) const = default;
};
/// "body", "ground", "body.marker" or "ground.marker", or a node of a beam: "beam.start",
/// "beam.end" or "beam.node3".
struct MarkerRef {
  std::string name;
  bool frame = false;  ///< of a node: the frame on it is meant, see node_frames.hpp
  bool operator==(const MarkerRef&) const = default;
};
/// The name of a drive.
struct DriveRef {
  std::string name;
  bool operator==(const DriveRef&) const = default;
};
/// The name of a joint.
struct JointRef {
  std::string name;
  bool operator==(const JointRef&) const = default;
};
/// The name of a coupler.
struct CouplerRef {
  std::string name;
  bool operator==(const CouplerRef&) const = default;
};
/// A coordinate of a joint, an angle or a displacement: the joint's name, or `joint.rz` where it
/// has several.
struct CoordinateRef {
  std::string name;
  bool operator==(const CoordinateRef&) const = default;
};
/// The name of a force element.
struct ForceRef {
  std::string name;
  bool operator==(const ForceRef&) const = default;
};

/// A rotation as the user gave it; its numbers are parameter slots in that form.
struct Orientation {
  enum class Form { quaternion, rotation_vector, euler, axes };
  Form form = Form::quaternion;
  std::string sequence;  ///< of Euler angles, e.g. "123" or "xyz"; moving axes
  std::vector<double> numbers = {1, 0, 0, 0};  ///< 4, 3, 3 or 6 (x axis, then y axis) values
};

/// A velocity at t = 0, which may be left out: joints are then free to choose it. A slot that a
/// study sets to anything but zero is given too.
struct StartVelocity : Vec3d {
  StartVelocity() = default;
  StartVelocity(const Vec3d& v) : Vec3d(v), written(true) {}
  StartVelocity(double x_, double y_, double z_) : Vec3d{x_, y_, z_}, written(true) {}
  bool given() const { return written || x != 0 || y != 0 || z != 0; }

  bool written = false;
};

/// Two columns of a CSV file, or given in place.
struct Table {
  std::string file;  ///< where the columns came from; empty if given in place
  std::vector<double> x;
  std::vector<double> y;
};

/// One scalar characteristic y(x): k x, Σ c_i x^i, Σ c_i |x|^i x (i from 0) or a table.
struct Characteristic {
  enum class Form { linear, polynomial, odd_polynomial, table };
  Form form = Form::linear;
  double slope = 0;                  ///< linear
  std::vector<double> coefficients;  ///< polynomial, odd_polynomial
  Table table;
  bool smooth = true;  ///< table: cubic spline, otherwise piecewise linear

  bool is_zero() const {
    for (const double y : coefficients)
      if (y != 0) return false;
    for (const double y : table.y)
      if (y != 0) return false;
    return slope == 0;
  }
};

/// The six relative motions of a joint frame: translations along and rotations about x, y, z.
enum class Motion { x, y, z, rx, ry, rz };
inline constexpr std::array<std::string_view, 6> motion_names{"x", "y", "z", "rx", "ry", "rz"};

/// Imposed motions of a joint: which drive imposes which of the six, empty name if none.
struct Motions {
  std::array<std::string, 6> drive;
  bool any() const {
    for (const auto& d : drive)
      if (!d.empty()) return true;
    return false;
  }
};

/// A subset of the six relative motions.
struct MotionSet {
  std::array<bool, 6> has{};
  bool operator==(const MotionSet&) const = default;
};

}  // namespace tumble
