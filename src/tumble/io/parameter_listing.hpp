// Every parameter slot of a model with its unit and nominal value, to read or for a program.
#pragma once
#include <string>

#include "tumble/model/model.hpp"

namespace tumble {

/// A table with a header: path, unit, value, in aligned columns.
std::string parameter_table_text(const Model& model);

/// `[{"path": "bodies.rb5.mass", "unit": "kg", "value": 3000.0}, ...]`; numbers in full precision.
std::string parameter_table_json(const Model& model);

}  // namespace tumble
