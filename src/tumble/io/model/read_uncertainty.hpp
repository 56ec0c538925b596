// The section `uncertainty` of a model file.
#pragma once
#include "tumble/io/model/read_context.hpp"
#include "tumble/model/study/uncertainty.hpp"

namespace tumble {

/// Reads the section and checks its values and the names it refers to. `model` has been read and
/// checked; if it has mistakes, names of parameters that do not exist are not reported.
void read_uncertainty(ReadContext& context, const Node& node, const Model& model,
                      Uncertainty& uncertainty);

}  // namespace tumble
