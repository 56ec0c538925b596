// Everything of a run that comes before its first step.
#pragma once
#include "tumble/campaign/observer.hpp"
#include "tumble/integrate/plan.hpp"
#include "tumble/io/model_reader.hpp"

namespace tumble {

/// Compiles the model, plans its elimination and tries its start: a mechanism that does not fit
/// together is a mistake in the file and is reported as one.
/// `path`: of the model file, for messages. `warnings`, if not null, gets what there is to say of
/// changes of the described start.
/// @throws InputError
Plan assemble(const ModelFile& file, const std::string& path, Observer& observer,
              std::vector<std::string>* warnings = nullptr);

}  // namespace tumble
