// From described random fields to fields of the model and the variables behind them.
#pragma once
#include "tumble/model/model.hpp"
#include "tumble/model/study/uncertainty.hpp"

namespace tumble {

/// Adds a BeamField to the model for every field of `uncertainty`, and to `uncertainty` the
/// germs: independent standard normal variables, one for each slot fields.<name>.germ[i]. What a
/// user should know before a run (number of terms, their error, the chance of values with which no
/// beam can exist) goes to uncertainty.announcements. Returns what is wrong; the model must be
/// good.
std::vector<Diagnostic> attach_fields(Model& model, Uncertainty& uncertainty);

/// What a field of the model is at the place x/L of an element of a beam.
double field_value(const Model& model, const BeamField& field, std::size_t beam, int element,
                   double place);

/// Where formulations ask for the material and the section of an element, as x/L: the Gauss points
/// of its axis and its nodes.
const std::vector<double>& field_places();

/// The field that a beam's own number in this parameter slot gives way to; null if there is none.
const BeamField* field_in_place_of(const Model& model, const std::string& slot);

}  // namespace tumble
