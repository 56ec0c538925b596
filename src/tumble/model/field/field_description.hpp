// A random field as results tell it: where it was asked for, and how its values follow from its
// germ.
#pragma once
#include "tumble/model/field/beam_field_values.hpp"
#include "tumble/model/model.hpp"

namespace tumble {

/// A field at the places where elements ask for it, beam by beam and from start to end.
struct FieldDescription {
  std::string name;  ///< "arm.youngs_modulus"
  std::string unit;
  bool lognormal = false;
  std::vector<std::string> germ;   ///< parameter slots; those of the field it is correlated with
                                   ///< come first
  std::vector<std::string> beams;  ///< of each place
  std::vector<FieldPlace> places;  ///< with a mode for each germ
};

/// What the variables of a field begin with in results: "field_arm_youngs_modulus".
std::string results_name(const std::string& field);

/// Of each field of the model.
std::vector<FieldDescription> describe_fields(const Model& model);

}  // namespace tumble
