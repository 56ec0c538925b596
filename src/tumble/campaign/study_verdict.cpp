#include "tumble/campaign/study_verdict.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tumble/base/diagnostic.hpp"

namespace tumble {
namespace {

/// Runs that measure errors lie far out in the tails: what counts is how probable it is that one
/// fails.
std::string too_many_failed(const Study& study, std::uint64_t realizations,
                            const ChaosResults& chaos) {
  if (!chaos.fit) return chaos.failure;
  const std::uint64_t fitted = chaos.first_validation;
  const std::uint64_t lost = fitted - chaos.runs;
  const double allowed = study.max_failed * static_cast<double>(fitted);
  if (static_cast<double>(lost) > allowed)
    return fmt::format("{} of {} runs failed; max_failed = {} allows {:.0f}", lost, fitted,
                       format_number(study.max_failed), std::floor(allowed));
  if (chaos.validation_failed_share > study.max_failed)
    return fmt::format(
        "{} of {} runs that measure errors failed, which says that a realisation fails with a "
        "probability of {:.2g}; max_failed = {}",
        chaos.validation_failed, realizations - fitted, chaos.validation_failed_share,
        format_number(study.max_failed));
  return {};
}

}  // namespace

std::string too_many_failed(const Study& study, std::uint64_t realizations, std::uint64_t failed,
                            const ChaosResults* chaos) {
  if (chaos != nullptr) return too_many_failed(study, realizations, *chaos);
  const double allowed = study.max_failed * static_cast<double>(realizations);
  if (static_cast<double>(failed) <= allowed) return {};
  return fmt::format("{} of {} realisations failed; max_failed = {} allows {:.0f}", failed,
                     realizations, format_number(study.max_failed), std::floor(allowed));
}

std::vector<std::string> changed_start_warnings(const StudyStore& store,
                                                std::uint64_t realizations) {
  std::uint64_t count = 0, first = 0;
  std::string how;
  store.for_each_leaf(realizations, [&](const LeafRecord& leaf) {
    for (std::size_t i = 0; i < leaf.realizations(); ++i) {
      if (leaf.outcomes[i].changed_start.empty()) continue;
      if (count++ > 0 && leaf.first() + i > first) continue;
      first = leaf.first() + i;
      how = leaf.outcomes[i].changed_start;
    }
  });
  if (count == 0) return {};
  return {
      fmt::format("the start differs from the description in {} of {} realisations; first in "
                  "realisation {}: {}",
                  count, realizations, first, how)};
}

}  // namespace tumble
