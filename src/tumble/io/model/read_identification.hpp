// The section `identification` of a model file.
#pragma once
#include "tumble/io/model/read_context.hpp"
#include "tumble/io/model/study_sections.hpp"

namespace tumble {

/// Reads the fields of the section and checks their values.
void read_identification(ReadContext& context, const Node& node, Identification& result);

/// Once the model is known to be good: finds what the observations name, and lists the columns of
/// the data. Whether the free parameters exist, setting them says (identification_run.hpp).
void check_identification(ReadContext& context, const Node& node, const Model& model,
                          const std::vector<QuantityOfInterest>& quantities,
                          const Uncertainty& uncertainty, Identification& result);

}  // namespace tumble
