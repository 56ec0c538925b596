// Every parameter slot of a model with its unit, its nominal value and the random variable it
// follows, to read or for a program.
#pragma once
#include <string>

#include "tumble/model/model.hpp"
#include "tumble/model/study/uncertainty.hpp"

namespace tumble {

/// A table with a header: path, unit, value, random, in aligned columns. The last is the name of
/// the variable that a slot follows, or a dash.
std::string parameter_table_text(const Model& model, const Uncertainty& uncertainty);

/// `[{"path": "bodies.rb5.mass", "unit": "kg", "value": 3000.0, "random": true, "variable":
/// "rb5.mass"}, ...]`; numbers in full precision, `variable` only where a slot is random.
std::string parameter_table_json(const Model& model, const Uncertainty& uncertainty);

}  // namespace tumble
