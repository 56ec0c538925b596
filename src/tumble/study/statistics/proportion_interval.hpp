// Confidence intervals of probabilities, from how often something happened.
#pragma once
#include <cstdint>
#include <span>

#include "tumble/study/statistics/confidence_interval.hpp"

namespace tumble {

/// From `hits` out of `trials` independent ones, neither necessarily whole: the probabilities for
/// which so few and so many each have at least the chance (1 - level) / 2 (C. J. Clopper, E. S.
/// Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial",
/// Biometrika 26, 1934). Holds at least `level`, whatever the probability.
Interval exact_proportion_interval(double hits, double trials, double level);

/// From the copies of a design, copy r having hits[r] among counts[r]. With p the fraction of all
/// and s its standard error from the scatter of the copies (copy_moments.hpp), values of the design
/// are worth p (1 - p) / s^2 independent ones, and the interval is the exact one for so many, less
/// the factor (z / t)^2 for the few copies that s rests on (E. L. Korn, B. I. Graubard, "Confidence
/// intervals for proportions with small expected number of positive counts estimated from survey
/// data", Survey Methodology 24, 1998).
///
/// Points that fill one input evenly give each of R copies one of two neighbouring numbers of hits,
/// so p may err although nothing scatters: where the part of a point beyond the lower number is f,
/// all copies have the lower one with probability (1 - f)^R. On either side the interval holds at
/// least the f for which that is (1 - level) / 2. If h of R copies of one size have the higher
/// number, f is a proportion like any other, and the interval holds that of h in R, in which h
/// itself counts half. Where nothing or everything is a hit, it is also the exact interval of as
/// many independent values.
///
/// NaN if fewer than two copies have values.
Interval copies_proportion_interval(std::span<const std::uint64_t> hits,
                                    std::span<const std::uint64_t> counts, double level);

}  // namespace tumble
