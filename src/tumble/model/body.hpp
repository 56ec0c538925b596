// A rigid body as the user describes it: mass properties, start, shape, named markers.
#pragma once
#include <map>
#include <memory>

#include "tumble/model/entry.hpp"
#include "tumble/model/modal.hpp"
#include "tumble/model/part.hpp"

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

/// A surface of triangles in metres and in the coordinates of its file. Of a closed one also what
/// it encloses: volume, centre and, for a density of 1, the inertia about the centre.
struct ShapeMesh {
  std::vector<Vec3d> vertices;
  std::vector<std::array<std::size_t, 3>> triangles;
  double volume = 0;
  Vec3d centre;
  std::array<double, 6> inertia{};
};

/// Reads the bytes of an STL or OBJ file, by the ending of its name. A mesh with a mass has to be
/// closed. @throws std::invalid_argument with the reason.
std::shared_ptr<const ShapeMesh> make_shape_mesh(std::string_view bytes, const std::string& name,
                                                 double scale, bool has_mass);

/// A homogeneous solid; with a density it stands for mass and inertia. Axes are body axes, the
/// centre is the body's centre of mass.
struct Shape {
  enum class Kind { none, box, cylinder, sphere, mesh };
  Kind kind = Kind::none;
  Vec3d size;                        ///< box: edges [m]
  double radius = 0;                 ///< cylinder, sphere [m]
  double length = 0;                 ///< cylinder, along its axis [m]
  int axis = 2;                      ///< cylinder: 0, 1, 2 for body x, y, z
  double density = 0;                ///< [kg/m^3]; 0: the shape is for drawing only
  FileName file = {};                ///< mesh: STL or OBJ
  double scale = 1;                  ///< mesh: metres per unit of the file
  std::optional<Vec3d> origin = {};  ///< mesh: of the file's coordinates, ground axes at t = 0
  std::shared_ptr<const ShapeMesh> mesh = {};
};

/// A solid that is only seen, anywhere on the body.
struct DrawnShape {
  Shape shape;
  std::optional<Vec3d>
      position;  ///< of its centre, or of the origin of a mesh, ground axes at t = 0
  std::optional<Orientation> orientation;  ///< of its axes at t = 0; those of the body if left out
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
  std::vector<DrawnShape> drawing;
  std::vector<Marker> markers;
  /// A composite body: mass, position and inertia are those of its parts, see composite.hpp.
  std::vector<Part> parts;
  /// The body has a law of its own in `uncertainty`: its parts say what is nominal, and the numbers
  /// that vary are mass, position and inertia.
  bool parts_fixed = false;
  /// A frame without mass on a node of a beam, which is its name; see node_frames.hpp.
  bool at_node = false;
  std::optional<ModalPart> modal = {};  ///< a flexible body; the rest is its undeformed state
  std::optional<ModalNode> node = {};   ///< a massless body that follows a node of a flexible one

  static constexpr std::string_view doc =
      "A rigid body, or with `inertia: none` a point mass, which has no rotation: joints and "
      "forces take hold of its centre. With `modal` a flexible body, and with `node` a place "
      "where one is taken hold of.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    if (s.at_node) return;  // all follows from the beam
    // What follows from parts holds no numbers: the slots are theirs.
    const bool has_own = (s.parts.empty() || s.parts_fixed) && !s.node;
    if (has_own) {
      v(Entry{"mass", "kg", "mass; may be left out if the shape has a density, or with `parts`",
              Range::positive},
        s.mass);
      v(Entry{"position", "m",
              "centre of mass at t = 0, ground axes; required unless a mesh with `origin` and "
              "`density` has it, or `parts`"},
        s.position);
    }
    // Nor does what a point mass does not have: no slots, nothing to check.
    if (s.rotates && !s.node) {
      if (has_own)
        v(Entry{"inertia", "kg m^2",
                "about the centre of mass, body axes: 3 principal values, 6 (xx, yy, zz, xy, xz, "
                "yz), 3 x 3, or `none` for a point mass"},
          s.inertia);
      v(Entry{"orientation", "", "of the body axes at t = 0 relative to the ground's"},
        s.orientation);
    }
    if (!s.node)
      v(Entry{"velocity", "m/s",
              "of the centre of mass at t = 0, ground axes; if left out, what joints and other "
              "velocities ask for with the least kinetic energy"},
        s.velocity);
    if (s.rotates && !s.node)
      v(Entry{"angular_velocity", "rad/s", "at t = 0, ground axes; likewise"}, s.angular_velocity);
    v(Entry{"shape", "",
            "box, cylinder, sphere or mesh; with a density it replaces mass and inertia"},
      s.shape);
    v(Entry{"drawing", "",
            "what the body looks like, if that is not its shape: solids without density, each with "
            "`position` (of its centre, or of the origin of a mesh's file, ground axes at t = 0; "
            "the centre of mass if left out) and `orientation` (that of the body if left out)"},
      s.drawing);
    v(Entry{"markers", "", "named frames on the body"}, s.markers);
    if (!s.parts_fixed)
      v(Entry{"parts", "",
              "points, solids and masses with an inertia, by name: what they are together takes "
              "the "
              "place of mass, position and inertia"},
        s.parts);
    v(Entry{"modal", "",
            "what makes the body flexible: modes from a file, which has mass, position and inertia "
            "too"},
      s.modal);
    v(Entry{"node", "", "the node of a flexible body that this one, which has no mass, follows"},
      s.node);
  }
};

}  // namespace tumble
