// From the description of a beam to its nodes at t = 0, when it is free of strain.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "tumble/beam/section.hpp"
#include "tumble/beam/structural.hpp"
#include "tumble/model/compile/frames.hpp"

namespace tumble {

/// More make a file that is a mistake in its number of digits, not a model.
inline constexpr int most_beam_elements = 10'000;

/// Nodes at equal distances along a beam. The columns of a node's R are r_x, r_y, r_z: the tangent
/// and the axes of the section.
struct BeamShape {
  double element_length = 0;  ///< along the axis [m]
  std::vector<Frame> nodes;
};

/// @throws std::invalid_argument if the curve has no length, the points of an arc lie on a line or
/// `up` is along the beam; check() reports the same beforehand.
BeamShape beam_shape(const Beam& beam);

/// The section as element invariants need it.
beam::Section beam_section(const Beam& beam);

/// What a section given by stiffnesses resists. What the plane does not need is taken as large as
/// what it has: nothing there acts on it.
beam::SectionStiffness given_stiffness(const StiffnessSection& section);

/// Corners as pairs; rows of other lengths, which check() reports, are left out.
std::vector<std::array<double, 2>> corners_of(const PolygonSection& polygon);

/// True if two descriptions differ in nothing that elements depend on but their material: then what
/// geometry makes of one serves the other.
bool same_geometry(const Beam& a, const Beam& b);

/// What a beam is made of at one place. A section given by its stiffnesses has the density
/// mass_per_length, on an area of one square metre, and no modulus.
struct BeamMaterial {
  double youngs_modulus;  ///< [Pa]
  double poisson_ratio;
  double density;  ///< [kg/m^3]
};

/// The material of a realised beam at the place x/L of an element. Everything that elements know of
/// their material comes through here.
BeamMaterial material_at(const Model& model, std::size_t beam, int element, double place);

/// True if a field gives a beam other sections at other places, or in other realisations.
bool section_varies(const Model& model, std::size_t beam);
/// The dimensions of a realised beam's section at the place x/L of an element.
BeamSection section_numbers_at(const Model& model, std::size_t beam, int element, double place);
/// The section with these dimensions. Everything that elements know of sections that vary comes
/// through here.
beam::Section section_at(const Model& model, std::size_t beam, int element, double place);

/// What theory leaves out of the beams of a sound model and may be felt, told in sentences: warping
/// that is held, and shear centres beside the axis.
std::vector<std::string> beam_warnings(const Model& model);

/// A node of a beam.
struct NodeRef {
  std::size_t beam = 0;
  int node = 0;
};

/// The beam that "beam.start", "beam.end", "beam.node3" or "beam" begins with, -1 if none does.
int beam_index(const Model& model, const std::string& reference);
/// The node such a reference names; nothing if it names none, or the frame on one.
std::optional<NodeRef> node_of(const Model& model, const MarkerRef& reference);
/// The node at t = 0.
Frame node_frame(const Model& model, const NodeRef& node);

}  // namespace tumble
