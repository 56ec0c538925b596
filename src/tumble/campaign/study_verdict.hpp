// Whether a study can be believed: how many of its realisations failed, and how they started.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "tumble/campaign/errors.hpp"
#include "tumble/campaign/study_chaos.hpp"
#include "tumble/model/study/study.hpp"
#include "tumble/study/journal/study_store.hpp"

namespace tumble {

/// `chaos`: null of another study. @throws TooManyFailed if more failed than study.max_failed
/// allows.
void require_success(const Study& study, std::uint64_t realizations, std::uint64_t failed,
                     const ChaosResults* chaos);

/// Of realisations that do not start as described, which the nominal run does not tell of: one, or
/// none.
std::vector<std::string> changed_start_warnings(const StudyStore& store,
                                                std::uint64_t realizations);

}  // namespace tumble
