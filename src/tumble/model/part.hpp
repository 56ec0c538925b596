// A part of a composite body as the user describes it: a point mass, a solid, or a mass with an
// inertia. What they are together: composite.hpp.
#pragma once
#include <memory>

#include "tumble/model/entry.hpp"

namespace tumble {

struct ShapeMesh;

struct BoxPart {
  Vec3d size;
  static constexpr bool is_part_of_body = true;
  static constexpr std::string_view doc = "A homogeneous box.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"size", "m", "its edges, along the axes of the part", Range::positive, true}, s.size);
  }
};

enum class PartAxis { x, y, z };
inline constexpr std::array<std::string_view, 3> part_axis_names{"x", "y", "z"};

struct CylinderPart {
  double radius = 0;
  double length = 0;
  PartAxis axis = PartAxis::z;
  static constexpr bool is_part_of_body = true;
  static constexpr std::string_view doc = "A homogeneous cylinder.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"radius", "m", "of its round faces", Range::positive, true}, s.radius);
    v(Entry{"length", "m", "from one round face to the other", Range::positive, true}, s.length);
    v(Entry{"axis", "", "the axis of the part that it lies along"}, s.axis);
  }
};

struct SpherePart {
  double radius = 0;
  static constexpr bool is_part_of_body = true;
  static constexpr std::string_view doc = "A homogeneous ball.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"radius", "m", "of the ball", Range::positive, true}, s.radius);
  }
};

struct MeshPart {
  FileName file;
  double scale = 1;
  std::shared_ptr<const ShapeMesh> mesh = {};  ///< in the units of the file
  static constexpr bool is_part_of_body = true;
  static constexpr std::string_view doc = "What a closed surface of triangles encloses.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"file", "", "STL or OBJ, relative to the model file", Range::any, true}, s.file);
    v(Entry{"scale", "", "metres per unit of the file", Range::positive}, s.scale);
  }
};

struct Part {
  std::string name;
  std::optional<BoxPart> box = {};
  std::optional<CylinderPart> cylinder = {};
  std::optional<SpherePart> sphere = {};
  std::optional<MeshPart> mesh = {};
  std::optional<std::array<double, 6>> inertia = {};  ///< xx, yy, zz, xy, xz, yz
  std::optional<double> mass = {};
  std::optional<double> density = {};
  bool hole = false;
  Vec3d position;
  std::optional<Orientation> orientation = {};

  bool is_solid() const { return box || cylinder || sphere || mesh; }
  /// Neither a solid nor an inertia.
  bool is_point() const { return !is_solid() && !inertia; }

  static constexpr std::string_view doc =
      "A part of a body under `parts`: a homogeneous solid (`box`, `cylinder`, `sphere` or `mesh`) "
      "with a mass or a density, a mass with an `inertia`, or with a mass alone a point.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"box", "", "a homogeneous box"}, s.box);
    v(Entry{"cylinder", "", "a homogeneous cylinder"}, s.cylinder);
    v(Entry{"sphere", "", "a homogeneous ball"}, s.sphere);
    v(Entry{"mesh", "", "the inside of a closed surface"}, s.mesh);
    v(Entry{"inertia", "kg m^2",
            "of a part that is no homogeneous solid, about its own centre of mass, axes of the "
            "part: 3 principal values, 6 (xx, yy, zz, xy, xz, yz) or 3 x 3"},
      s.inertia);
    v(Entry{"mass", "kg", "of a point, of a solid, or with `inertia`", Range::non_negative},
      s.mass);
    v(Entry{"density", "kg/m^3", "of a solid, instead of its mass", Range::non_negative},
      s.density);
    v(Entry{"hole", "", "the part is what is missing: its mass is taken away"}, s.hole);
    v(Entry{"position", "m",
            "of its centre, or of the origin of a mesh's coordinates, ground axes at t = 0",
            Range::any, true},
      s.position);
    v(Entry{"orientation", "", "of its axes at t = 0; those of the body if left out"},
      s.orientation);
  }
};

}  // namespace tumble
