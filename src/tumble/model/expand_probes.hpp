// One entry of a model for probes at all nodes of a beam.
#pragma once
#include "tumble/model/model.hpp"

namespace tumble {

/// Puts in place of each probe `at: nodes` one for every node of its beam, from start to end:
/// `nodes` becomes nodes0, nodes1, ... Returns what is wrong: names that another probe has. Probes
/// whose beam is missing stay as they are, for check() to report.
std::vector<Diagnostic> expand_probes(Model& model);

}  // namespace tumble
