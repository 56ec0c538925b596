// What `run` prints of a finished study.
#pragma once
#include "tumble/campaign/prepared_study.hpp"

namespace tumble::app {

/// On standard output; with `json` a last line of progress on standard error too.
void print_study(const std::string& model, const ModelFile& file, const StudyResults& results,
                 bool json);

}  // namespace tumble::app
