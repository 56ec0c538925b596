// Whether a study can be believed: how many of its realisations failed, and how they started.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "tumble/campaign/study_chaos.hpp"
#include "tumble/model/study/study.hpp"
#include "tumble/study/journal/study_store.hpp"

namespace tumble {

/// How many failed, if those are more than study.max_failed allows; otherwise empty. `chaos`: null
/// of another study.
std::string too_many_failed(const Study& study, std::uint64_t realizations, std::uint64_t failed,
                            const ChaosResults* chaos);

/// Of realisations that do not start as described, which the nominal run does not tell of: one, or
/// none.
std::vector<std::string> changed_start_warnings(const StudyStore& store,
                                                std::uint64_t realizations);

}  // namespace tumble
