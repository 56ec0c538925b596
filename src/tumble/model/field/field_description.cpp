#include "tumble/model/field/field_description.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tumble/field/admissible_range.hpp"
#include "tumble/model/field/attach_fields.hpp"
#include "tumble/model/field/beam_property.hpp"

namespace tumble {
namespace {

void add_germ(const BeamField& field, std::vector<std::string>& slots) {
  for (std::size_t i = 0; i < field.germ.size(); ++i)
    slots.push_back(fmt::format("fields.{}.germ[{}]", field.name, i));
}

/// Places of an element in ascending order, each once; its second node is left to the next element.
std::vector<double> places_within() {
  std::vector<double> places;
  for (const double place : field_places())
    if (place < 1) places.push_back(place);
  std::sort(places.begin(), places.end());
  // The middle is a Gauss point of both rules, but for rounding.
  const auto same = [](double a, double b) { return b - a < 1e-9; };
  places.erase(std::unique(places.begin(), places.end(), same), places.end());
  return places;
}

}  // namespace

std::string results_name(const std::string& field) {
  std::string name = "field_" + field;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

std::vector<FieldDescription> describe_fields(const Model& model) {
  std::vector<FieldDescription> all;
  for (const BeamField& field : model.fields) {
    if (!field.values->is_series()) continue;
    FieldDescription description;
    description.name = field.name;
    description.unit = admissible_range(field.property).unit;
    description.lognormal = field.values->lognormal();
    if (field.base != BeamField::none) add_germ(model.fields[field.base], description.germ);
    add_germ(field, description.germ);
    for (const std::size_t index : field.beams) {
      const Beam& beam = model.beams[index];
      const auto add = [&](int element, double place) {
        description.beams.push_back(beam.name);
        description.places.push_back(field.values->describe(index, element, place));
      };
      for (int element = 0; element < beam.elements; ++element)
        for (const double place : places_within()) add(element, place);
      add(beam.elements - 1, 1);
    }
    all.push_back(std::move(description));
  }
  return all;
}

}  // namespace tumble
