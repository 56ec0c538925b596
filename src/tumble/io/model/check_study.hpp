// What a study asks of the model: whether the model has it.
#pragma once
#include "tumble/io/model/read_context.hpp"
#include "tumble/model/study/study.hpp"

namespace tumble {

/// Once the model is known to be good: times of densities are output times, what is to be known
/// well enough is probed. Reports to `context`, at the values in `node`, the section `study`.
void check_study_requests(ReadContext& context, const Node& node, const Model& model,
                          const Study& study);

}  // namespace tumble
