#include "tumble/model/field/beam_property.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "tumble/beam/polygon_section.hpp"
#include "tumble/field/admissible_range.hpp"
#include "tumble/math/special_functions.hpp"
#include "tumble/model/compile/beam_shape.hpp"

namespace tumble {

const AdmissibleRange& admissible_range(BeamProperty property) {
  static constexpr AdmissibleRange height{
      .quantity = "height of the section", .unit = "m", .lower = 0},
      width{.quantity = "width of the section", .unit = "m", .lower = 0},
      radius{.quantity = "radius of the section", .unit = "m", .lower = 0};
  switch (property) {
    case BeamProperty::youngs_modulus:
      return admissible_young_modulus;
    case BeamProperty::poisson_ratio:
      return admissible_poisson_ratio;
    case BeamProperty::density:
      return admissible_density;
    case BeamProperty::height:
      return height;
    case BeamProperty::width:
      return width;
    case BeamProperty::radius:
      return radius;
  }
  throw std::logic_error("a property without a range");
}

std::string slot_of(const std::string& beam, BeamProperty property) {
  const std::string_view part = !is_dimension(property)            ? ""
                                : property == BeamProperty::radius ? "section.circle."
                                                                   : "section.rectangle.";
  return fmt::format("beams.{}.{}{}", beam, part, name_of(property));
}

double* dimension_of(BeamSection& section, BeamProperty property) {
  if (property == BeamProperty::radius) return section.circle ? &section.circle->radius : nullptr;
  if (!section.rectangle) return nullptr;
  return property == BeamProperty::height ? &section.rectangle->height : &section.rectangle->width;
}

namespace {

std::string_view shape_name(const BeamSection& section) {
  return section.circle    ? "circle"
         : section.tube    ? "tube"
         : section.i_beam  ? "i_beam"
         : section.polygon ? "polygon"
                           : "rectangle";
}

}  // namespace

double number_of(const Beam& beam, BeamProperty property) {
  if (beam.section.stiffness)
    throw std::invalid_argument(
        fmt::format("the section of beam '{}' is given by its stiffnesses and has no {}", beam.name,
                    name_of(property)));
  if (property == BeamProperty::youngs_modulus) return beam.youngs_modulus;
  if (property == BeamProperty::poisson_ratio) return beam.poisson_ratio;
  if (property == BeamProperty::density) return beam.density;
  BeamSection section = beam.section;
  const double* number = dimension_of(section, property);
  if (number == nullptr)
    throw std::invalid_argument(fmt::format("the section of beam '{}' is a {} and has no {}",
                                            beam.name, shape_name(section), name_of(property)));
  return *number;
}

double outer_radius(const BeamSection& section) {
  if (section.circle) return section.circle->radius;
  if (section.tube) return section.tube->radius;
  if (section.i_beam) return 0.5 * hypotenuse(section.i_beam->height, section.i_beam->width);
  if (section.polygon) {
    double radius = 0;
    const beam::Section made = beam::Section::polygon(corners_of(*section.polygon), false);
    for (const auto& [y, z] : made.polygon_numbers()->corners)
      radius = std::max(radius, hypotenuse(y, z));
    return radius;
  }
  if (section.stiffness) return 0;
  return 0.5 * hypotenuse(section.rectangle->height, section.rectangle->width);
}

}  // namespace tumble
