// What is to know of the properties of a beam that may vary along it.
#pragma once
#include "tumble/model/beam.hpp"

namespace tumble {

struct AdmissibleRange;

constexpr std::string_view name_of(BeamProperty property) {
  return beam_property_names[static_cast<std::size_t>(property)];
}

/// True for a dimension of the section, false for the material.
constexpr bool is_dimension(BeamProperty property) { return property >= BeamProperty::height; }

/// What a property is called in messages, its unit, and between what its values must lie.
const AdmissibleRange& admissible_range(BeamProperty property);

/// The parameter slot of a beam that holds it: "beams.arm.section.rectangle.height".
std::string slot_of(const std::string& beam, BeamProperty property);

/// The number a dimension is in; nullptr where the section is of the other kind.
double* dimension_of(BeamSection& section, BeamProperty property);

/// The beam's own number. @throws std::invalid_argument if its section has no such dimension.
double number_of(const Beam& beam, BeamProperty property);

/// How far the outermost point of a section is from its centroid [m].
double outer_radius(const BeamSection& section);

}  // namespace tumble
