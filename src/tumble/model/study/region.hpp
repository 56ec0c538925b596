// Parts of space, in ground axes at t = 0: where a centre of mass, or the mass of a body, may be.
#pragma once
#include <variant>

#include "tumble/model/entry.hpp"

namespace tumble {

struct BoxRegion {
  Vec3d center, size;
  std::optional<Orientation> orientation;
  static constexpr std::string_view type = "box";
  static constexpr std::string_view doc = "A cuboid.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"center", "m", "", Range::any, true}, s.center);
    v(Entry{"size", "m", "its three edges", Range::positive, true}, s.size);
    v(Entry{"orientation", "", "of its edges; along the ground's axes if left out"}, s.orientation);
  }
};

struct BallRegion {
  Vec3d center;
  double radius = 0;
  static constexpr std::string_view type = "ball";
  static constexpr std::string_view doc = "A ball.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"center", "m", "", Range::any, true}, s.center);
    v(Entry{"radius", "m", "", Range::positive, true}, s.radius);
  }
};

struct EllipsoidRegion {
  Vec3d center, semi_axes;
  std::optional<Orientation> orientation;
  static constexpr std::string_view type = "ellipsoid";
  static constexpr std::string_view doc = "An ellipsoid.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"center", "m", "", Range::any, true}, s.center);
    v(Entry{"semi_axes", "m", "half its three diameters", Range::positive, true}, s.semi_axes);
    v(Entry{"orientation", "", "of its axes; along the ground's if left out"}, s.orientation);
  }
};

struct CylinderRegion {
  Vec3d center, axis{0, 0, 1};
  double radius = 0, length = 0;
  static constexpr std::string_view type = "cylinder";
  static constexpr std::string_view doc = "A circular cylinder.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"center", "m", "", Range::any, true}, s.center);
    v(Entry{"radius", "m", "", Range::positive, true}, s.radius);
    v(Entry{"length", "m", "", Range::positive, true}, s.length);
    v(Entry{"axis", "", "its direction, of any length"}, s.axis);
  }
};

/// The convex hull of points, or the intersection of half-spaces n.x <= d.
struct PolytopeRegion {
  std::vector<Vec3d> vertices;
  std::vector<std::array<double, 4>> half_spaces;  ///< n(3), d
  static constexpr std::string_view type = "polytope";
  static constexpr std::string_view doc =
      "A convex body with flat sides: vertices, or half_spaces.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"vertices", "m", "at least four points; it is their convex hull"}, s.vertices);
    v(Entry{"half_spaces", "",
            "at least four rows [nx, ny, nz, d]; it is where n.x <= d for all, instead of "
            "vertices"},
      s.half_spaces);
  }
};

struct MeshRegion {
  FileName file;
  double scale = 1;
  std::string bytes;  ///< content of the file; not a field, the reader puts it here
  static constexpr std::string_view type = "mesh";
  static constexpr std::string_view doc = "What a closed surface of triangles encloses.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"file", "", "STL file, text or binary, or OBJ file, relative to the model file",
            Range::any, true},
      s.file);
    v(Entry{"scale", "", "metres per unit of the file", Range::positive}, s.scale);
  }
};

using Region = std::variant<BoxRegion, BallRegion, EllipsoidRegion, CylinderRegion, PolytopeRegion,
                            MeshRegion>;

}  // namespace tumble
