// From what a study says about its end to the rule that is applied.
#pragma once
#include "tumble/io/model_reader.hpp"
#include "tumble/study/layout.hpp"
#include "tumble/study/stopping_rule.hpp"

namespace tumble {

/// The study has `until`.
StoppingRule stopping_rule_of(const ModelFile& file, const StatisticsLayout& layout);

}  // namespace tumble
