// Whether a study can be believed: how many of its realisations failed, and how they started.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "study_chaos.hpp"
#include "tumble/model/study.hpp"
#include "tumble/study/study_store.hpp"

namespace tumble::app {

/// The study ended, but more of it failed than it allows.
struct TooManyFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// `chaos`: null of another study. @throws TooManyFailed if more failed than study.max_failed
/// allows.
void require_success(const Study& study, std::uint64_t realizations, std::uint64_t failed,
                     const ChaosResults* chaos);

/// Of realisations that do not start as described, which the nominal run does not tell of: one, or
/// none.
std::vector<std::string> changed_start_warnings(const StudyStore& store,
                                                std::uint64_t realizations);

}  // namespace tumble::app
