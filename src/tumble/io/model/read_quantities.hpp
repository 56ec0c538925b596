// What the section `quantities` asks of the model's probes and output times.
#pragma once
#include "tumble/io/model/read_context.hpp"
#include "tumble/model/model.hpp"
#include "tumble/model/study/quantity_of_interest.hpp"
#include "tumble/model/study/study.hpp"

namespace tumble {

/// Completes quantities whose fields have been read, once the probes are known: formulas, units,
/// windows. `section` is theirs.
void settle_quantities(ReadContext& context, const Node& section, const Model& model,
                       std::vector<QuantityOfInterest>& quantities);

/// Refuses what the method of the study cannot treat.
void check_quantities(ReadContext& context, const Node& section, const Study& study,
                      const std::vector<QuantityOfInterest>& quantities);
/// Whether those that a stopping rule of the study names exist; `study_section` is that of the
/// file.
void check_named_quantities(ReadContext& context, const Node& study_section, const Study& study,
                            const std::vector<QuantityOfInterest>& quantities);

}  // namespace tumble
