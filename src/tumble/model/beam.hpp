// A flexible beam as the user describes it: where it lies at t = 0, free of strain, what it is made
// of, and how finely it is divided. Elements: docs/theory/ancf-beams.md.
#pragma once
#include "tumble/model/entry.hpp"

namespace tumble {

enum class BeamDimension { planar, spatial };
inline constexpr std::array<std::string_view, 2> beam_dimension_names{"planar", "spatial"};

enum class BeamFormulation { structural, continuum };
inline constexpr std::array<std::string_view, 2> beam_formulation_names{"structural", "continuum"};

enum class BeamCurvature { constant, linear };
inline constexpr std::array<std::string_view, 2> beam_curvature_names{"constant", "linear"};

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

struct TubeSection {
  double radius = 0;
  double thickness = 0;
  static constexpr std::string_view doc = "A round tube.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"radius", "m", "of the outside", Range::positive, true}, s.radius);
    v(Entry{"thickness", "m", "of the wall, smaller than the radius", Range::positive, true},
      s.thickness);
  }
};

struct ISection {
  double height = 0;
  double width = 0;
  double web = 0;
  double flange = 0;
  static constexpr std::string_view doc =
      "An I: a web along the section's y axis between two equal flanges along z, with sharp "
      "corners. Its torsion is that of Saint-Venant, free to warp.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"height", "m", "over all, along the section's y axis", Range::positive, true},
      s.height);
    v(Entry{"width", "m", "of the flanges, along the section's z axis", Range::positive, true},
      s.width);
    v(Entry{"web", "m", "thickness of the web", Range::positive, true}, s.web);
    v(Entry{"flange", "m", "thickness of a flange", Range::positive, true}, s.flange);
  }
};

struct PolygonSection {
  std::vector<std::vector<double>> corners;
  static constexpr std::string_view doc =
      "Any section without holes, by its corners. Area, second moments, torsion constant and shear "
      "coefficients are computed of it. In space the section's axes are its principal ones: those "
      "nearest to the axes of the corners, through its centroid.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"corners", "m",
            "pairs of y and z around the section in either sense, y along `up`; the origin does "
            "not matter, because the beam's axis goes through the centroid",
            Range::any, true},
      s.corners);
  }
};

struct StiffnessSection {
  double axial = 0;
  double shear_y = 0;
  std::optional<double> shear_z;
  std::optional<double> torsion;
  std::optional<double> bending_y;
  double bending_z = 0;
  double mass_per_length = 0;
  std::optional<double> rotary_inertia_y, rotary_inertia_z;
  static constexpr std::string_view doc =
      "A section by what it resists and weighs. Instead of a shape and a material: "
      "`youngs_modulus`, `poisson_ratio` and `density` must be left out. A planar beam has axial, "
      "shear_y, bending_z and rotary_inertia_z alone; in space the others are required but for the "
      "rotary inertias.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"axial", "N", "E A: normal force for each unit of stretch", Range::positive, true},
      s.axial);
    v(Entry{"shear_y", "N", "k G A along the section's y axis", Range::positive, true}, s.shear_y);
    v(Entry{"shear_z", "N", "k G A along z", Range::positive}, s.shear_z);
    v(Entry{"torsion", "N m^2", "G J: torque for each unit of twist per length", Range::positive},
      s.torsion);
    v(Entry{"bending_y", "N m^2", "E I_y: bending about y, in the plane of x and z",
            Range::positive},
      s.bending_y);
    v(Entry{"bending_z", "N m^2", "E I_z: bending about z, in the plane of x and y",
            Range::positive, true},
      s.bending_z);
    v(Entry{"mass_per_length", "kg/m", "mass per length", Range::positive, true},
      s.mass_per_length);
    v(Entry{"rotary_inertia_y", "kg m",
            "rho I_y: moment of inertia about y per length; if left out, that of a homogeneous "
            "section, mass_per_length bending_y / axial",
            Range::positive},
      s.rotary_inertia_y);
    v(Entry{"rotary_inertia_z", "kg m",
            "rho I_z, about z; if left out, mass_per_length bending_z / axial", Range::positive},
      s.rotary_inertia_z);
  }
};

struct BeamSection {
  std::optional<RectangleSection> rectangle;
  std::optional<CircleSection> circle;
  std::optional<TubeSection> tube;
  std::optional<ISection> i_beam;
  std::optional<PolygonSection> polygon;
  std::optional<StiffnessSection> stiffness;
  static constexpr std::string_view doc = "The cross section of a beam: one of these.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"rectangle", "", "a rectangle"}, s.rectangle);
    v(Entry{"circle", "", "a disc"}, s.circle);
    v(Entry{"tube", "", "a round tube"}, s.tube);
    v(Entry{"i_beam", "", "an I"}, s.i_beam);
    v(Entry{"polygon", "", "any section without holes, by its corners"}, s.polygon);
    v(Entry{"stiffness", "", "stiffnesses and mass per length, without a shape"}, s.stiffness);
  }
  /// How many are given: one is what it takes.
  int count() const {
    return rectangle.has_value() + circle.has_value() + tube.has_value() + i_beam.has_value() +
           polygon.has_value() + stiffness.has_value();
  }
};

struct DampingRatios {
  std::array<double, 2> frequencies{};
  std::array<double, 2> ratios{};
  static constexpr std::string_view doc =
      "Rayleigh damping by what it does to vibrations of two frequencies: it stands for "
      "`mass_damping` and `damping_time`.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"frequencies", "Hz", "two frequencies", Range::positive, true}, s.frequencies);
    v(Entry{"ratios", "", "of damping to critical damping at each of them", Range::non_negative,
            true},
      s.ratios);
  }
};

/// Damping in proportion to mass and to stiffness, C = a M + t K (Rayleigh): a vibration of
/// frequency f has the damping ratio a/(4 pi f) + pi f t.
struct RayleighDamping {
  double mass = 0;  ///< a [1/s]
  double time = 0;  ///< t [s]
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
  BeamCurvature curvature = BeamCurvature::constant;
  std::optional<double> damping_time;
  std::optional<double> mass_damping;
  std::optional<DampingRatios> damping_ratios;
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
    // A section of stiffnesses comes without a material; check() then wants it to be left out.
    const bool material = !s.section.stiffness;
    const Range positive = material ? Range::positive : Range::any;
    v(Entry{"youngs_modulus", "Pa", "Young's modulus", positive, material}, s.youngs_modulus);
    v(Entry{"poisson_ratio", "", "Poisson's ratio, above -1 and below 0.5"}, s.poisson_ratio);
    v(Entry{"density", "kg/m^3", "mass per volume", positive, material}, s.density);
    v(Entry{"formulation", "",
            "of the elastic force: section stiffnesses, free of locking, or St. Venant-Kirchhoff "
            "material throughout the volume"},
      s.formulation);
    v(Entry{"curvature", "",
            "within an element of the structural formulation: constant, with errors of second "
            "order in the length of elements, or linear, with errors in bending smaller by orders"},
      s.curvature);
    v(Entry{"damping_time", "s",
            "retardation time of Kelvin-Voigt damping: the stress is that of the strain plus this "
            "time its rate",
            Range::non_negative},
      s.damping_time);
    v(Entry{"mass_damping", "1/s",
            "damping in proportion to mass: a force against the velocity over the ground, this "
            "much times mass and velocity; it slows motions of the whole beam too",
            Range::non_negative},
      s.mass_damping);
    v(Entry{"damping_ratios", "",
            "damping ratios at two frequencies, in place of `damping_time` and `mass_damping`"},
      s.damping_ratios);
    v(Entry{"velocity", "m/s",
            "of the start at t = 0, ground axes; the beam moves as if rigid. If both are left out, "
            "what joints and other velocities ask for with the least kinetic energy"},
      s.velocity);
    v(Entry{"angular_velocity", "rad/s", "at t = 0, ground axes"}, s.angular_velocity);
  }
};

/// What a beam's damping is, however it is given.
RayleighDamping rayleigh_damping(const Beam& beam);

}  // namespace tumble
