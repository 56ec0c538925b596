// The JSON Schema and the reference page of model files, made from the same field declarations
// that the reader visits, so that neither can fall behind.
#pragma once
#include <string>

namespace tumble {

/// JSON Schema (draft-07) of model files, as text; share/model.schema.json holds it.
std::string model_schema();

/// Every section, element and field with unit and meaning, as Markdown;
/// docs/reference/model-file.md holds it.
std::string reference_page();

}  // namespace tumble
