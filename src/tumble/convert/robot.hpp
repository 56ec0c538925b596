// A robot as both formats describe it: links in a tree, each held by joints of its own, and loops.
//
// Everything is in ground axes in the pose that the file describes, in which all joints are at zero
// (MJCF: at `ref`). Link frames keep the axes of the file, so that inertias can be written back.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "tumble/convert/xml_tree.hpp"
#include "tumble/model/compile/frames.hpp"

namespace tumble::convert {

/// Mass, centre and inertia of a link in the axes of its frame.
struct Inertial {
  double mass = 0;                  ///< [kg]
  Vec3d centre;                     ///< from the origin of the link frame [m]
  std::array<double, 6> inertia{};  ///< about the centre: xx, yy, zz, xy, xz, yz [kg m^2]
  int line = 0;
};

/// One degree of freedom: a hinge or a slider.
struct Freedom {
  std::string name;
  int line = 0;
  bool slides = false;
  Vec3d point;  ///< of the axis, ground axes
  Vec3d axis;   ///< unit vector, ground axes
  double damping = 0, stiffness = 0;
  double rest = 0;  ///< where the spring is at rest, from the described pose [rad or m]
};

enum class Hold { joints, ball, planar, free };

/// What a link looks like, in the axes of its frame.
struct Visual {
  enum class Kind { box, cylinder, sphere, mesh };
  Kind kind = Kind::box;
  Vec3d size;                     ///< box: its edges
  double radius = 0, length = 0;  ///< cylinder along z, sphere
  std::string file;               ///< mesh, as named in the file
  Vec3d scale{1, 1, 1};           ///< mesh: metres per unit
  Frame place;
  int line = 0;
};

struct Link {
  std::string name;  ///< as in the file; given by us where the file has none
  int line = 0;
  int parent = -1;  ///< in Robot::links, which come after their parents; -1: the ground
  Frame frame;
  std::optional<Inertial> inertial;
  Hold hold = Hold::joints;
  std::vector<Freedom> freedoms;  ///< Hold::joints: from the parent to the link; none: fixed
  std::string joint;              ///< name of the joint, where there is one
  Freedom ball;                   ///< Hold::ball and planar: point, axis, damping and stiffness
  std::vector<Visual> visuals;
  std::size_t place_in_file = 0;  ///< counted among the links, or bodies, of the file
};

/// A named frame on a link that has no mass of its own.
struct NamedFrame {
  std::string name;
  int link = -1;
  Frame frame;
};

/// A condition between two links that closes a loop.
struct Loop {
  std::string name;
  int line = 0;
  bool welds = false;  ///< all six motions; otherwise two points are kept together
  std::array<int, 2> link{-1, -1};
  std::array<Vec3d, 2>
      point;  ///< of the first and second link; equal unless the file says otherwise
};

/// One joint follows another, q = offset + multiplier q_other, from the described pose.
struct Coupling {
  std::string name;
  int line = 0;
  std::string joint, other;  ///< names of freedoms
  double multiplier = 1, offset = 0;
};

/// What keeps a joint from moving freely, from the described pose: stops, and friction of a
/// constant size.
struct Restraint {
  std::string joint;  ///< name of a freedom
  int line = 0;
  std::optional<std::array<double, 2>> range;  ///< [rad or m]
  double friction = 0;                         ///< [N m or N]
};

struct Robot {
  std::string name, source, format;
  Vec3d gravity{0, 0, -9.81};
  std::optional<double> time_step;
  std::vector<Link> links;
  std::vector<NamedFrame> frames;
  std::vector<Loop> loops;
  std::vector<Coupling> couplings;
  std::vector<Restraint> restraints;
};

/// Where files that a description names are looked for, and whether a root link floats.
struct ImportOptions {
  std::string directory = {};  ///< of the description
  bool fixed_base = false;  ///< hold the root link of a URDF, or free bodies of MJCF, to the ground
  /// Of the stops that limits of joints become [N/m or N m/rad], and the rate below which their
  /// friction is smooth [m/s or rad/s]; the files have neither. Without: they are noted.
  std::optional<double> limit_stiffness = {}, friction_rate = {};
};

/// A robot and what of its description was not carried over.
struct Import {
  Robot robot;
  std::vector<Note> notes;
};

/// @throws InputError with all mistakes of the file.
Import read_urdf(std::string_view text, const std::string& file, const ImportOptions& options);
Import read_mjcf(std::string_view text, const std::string& file, const ImportOptions& options);
/// URDF or MJCF, by the name of the root element.
Import read_robot(std::string_view text, const std::string& file, const ImportOptions& options);

// Helpers of both readers.

Frame operator*(const Frame& a, const Frame& b);
/// Turns an inertia into other axes: R J R^T.
std::array<double, 6> turned(const Mat3d& R, const std::array<double, 6>& J);
Mat3d as_matrix(const std::array<double, 6>& J);
std::array<double, 6> as_six(const Mat3d& J);
/// Why no solid has this mass and inertia; empty if one has.
std::string wrong_with_inertia(const std::array<double, 6>& J);

}  // namespace tumble::convert
