// A flexible beam as the user describes it: where it lies at t = 0, free of strain, what it is made
// of, and how finely it is divided. Elements: docs/theory/ancf-beams.md.
#pragma once
#include "tumble/model/entry.hpp"

namespace tumble {

enum class BeamDimension { planar, spatial };
inline constexpr std::array<std::string_view, 2> beam_dimension_names{"planar", "spatial"};

enum class BeamFormulation { structural, continuum };
inline constexpr std::array<std::string_view, 2> beam_formulation_names{"structural", "continuum"};

/// The numbers of a beam that may vary along it: its material, and the dimensions of its section.
enum class BeamProperty { youngs_modulus, poisson_ratio, density, height, width, radius };
inline constexpr std::array<std::string_view, 6> beam_property_names{
    "youngs_modulus", "poisson_ratio", "density", "height", "width", "radius"};

/// The name of a beam.
struct BeamRef {
  std::string name;
  bool operator==(const BeamRef&) const = default;
};

/// A place along a beam as a fraction of its length. Like the number of elements it belongs to the
/// structure of a model: what is observed there lies in a certain element.
struct ArcFraction {
  double value = 0;
  bool every_node = false;  ///< not one place: see expand_probes()
};

struct Arc {
  Vec3d start, through, end;
  static constexpr std::string_view doc = "Part of a circle, by three of its points.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"start", "m", "where the beam begins, ground axes at t = 0", Range::any, true},
      s.start);
    v(Entry{"through", "m", "any point of the circle between start and end", Range::any, true},
      s.through);
    v(Entry{"end", "m", "where the beam ends", Range::any, true}, s.end);
  }
};

struct RectangleSection {
  double height = 0;
  double width = 0;
  static constexpr std::string_view doc = "A rectangular cross section.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"height", "m", "along the section's y axis; of a planar beam, in the plane",
            Range::positive, true},
      s.height);
    v(Entry{"width", "m", "along the section's z axis; of a planar beam, out of the plane",
            Range::positive, true},
      s.width);
  }
};

struct CircleSection {
  double radius = 0;
  static constexpr std::string_view doc = "A circular cross section.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"radius", "m", "of the disc", Range::positive, true}, s.radius);
  }
};

struct BeamSection {
  std::optional<RectangleSection> rectangle;
  std::optional<CircleSection> circle;
  static constexpr std::string_view doc = "The cross section of a beam: one of the two.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"rectangle", "", "a rectangle"}, s.rectangle);
    v(Entry{"circle", "", "a disc"}, s.circle);
  }
};

struct Beam {
  std::string name;
  BeamDimension dimension = BeamDimension::spatial;
  std::optional<std::array<Vec3d, 2>> line;
  std::optional<Arc> arc;
  int elements = 0;
  BeamSection section;
  std::optional<Vec3d> up;
  double youngs_modulus = 0;
  double poisson_ratio = 0;
  double density = 0;
  BeamFormulation formulation = BeamFormulation::structural;
  std::optional<double> damping_time;
  StartVelocity velocity;
  StartVelocity angular_velocity;

  static constexpr std::string_view doc =
      "A flexible beam of fully parameterised ANCF elements. Its ends are `NAME.start` and "
      "`NAME.end`, its nodes `NAME.node0`, `NAME.node1`, ...";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"dimension", "",
            "a planar beam moves in a plane parallel to the ground's x and y axes"},
      s.dimension);
    v(Entry{"line", "m", "a straight beam: its two ends at t = 0, ground axes"}, s.line);
    v(Entry{"arc", "", "a curved beam, free of strain on a circle; instead of `line`"}, s.arc);
    v(Entry{"elements", "", "number of elements, all of the same length", Range::positive, true},
      s.elements);
    v(Entry{"section", "",
            "the cross section; random fields may vary its dimensions along the beam", Range::any,
            true},
      s.section);
    v(Entry{"up", "",
            "direction of the section's y axis at the start, ground axes at t = 0; only its part "
            "across the beam counts. If left out: across the ground's z axis and the beam (the "
            "ground's y axis if the beam is along z), in the plane of an arc"},
      s.up);
    v(Entry{"youngs_modulus", "Pa", "Young's modulus", Range::positive, true}, s.youngs_modulus);
    v(Entry{"poisson_ratio", "", "Poisson's ratio, above -1 and below 0.5"}, s.poisson_ratio);
    v(Entry{"density", "kg/m^3", "mass per volume", Range::positive, true}, s.density);
    v(Entry{"formulation", "",
            "of the elastic force: section stiffnesses, free of locking, or St. Venant-Kirchhoff "
            "material throughout the volume"},
      s.formulation);
    v(Entry{"damping_time", "s",
            "retardation time of Kelvin-Voigt damping: the stress is that of the strain plus this "
            "time its rate",
            Range::non_negative},
      s.damping_time);
    v(Entry{"velocity", "m/s",
            "of the start at t = 0, ground axes; the beam moves as if rigid. If both are left out, "
            "what joints and other velocities ask for with the least kinetic energy"},
      s.velocity);
    v(Entry{"angular_velocity", "rad/s", "at t = 0, ground axes"}, s.angular_velocity);
  }
};

}  // namespace tumble
