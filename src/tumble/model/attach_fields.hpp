// From described random fields to material fields of the model and the variables behind them.
#pragma once
#include "tumble/model/model.hpp"
#include "tumble/model/uncertainty.hpp"

namespace tumble {

/// Adds a MaterialField to the model for every field of `uncertainty`, and to `uncertainty` the
/// germs: independent standard normal variables, one for each slot fields.<name>.germ[i]. What a
/// user should know before a run (number of terms, their error, the chance of values with which no
/// beam can exist) goes to uncertainty.announcements. Returns what is wrong; the model must be
/// good.
std::vector<Diagnostic> attach_fields(Model& model, Uncertainty& uncertainty);

/// What a field of the model is at the place x/L of an element of a beam.
double field_value(const Model& model, const MaterialField& field, std::size_t beam, int element,
                   double place);

/// The Gauss points of an element's axis at which formulations ask for their material, as x/L.
const std::vector<double>& material_places();

/// What a value of the property must lie between.
struct PropertyRange {
  double lower, upper;
};
PropertyRange admissible(MaterialProperty property);

}  // namespace tumble
