// Between which ranks of all values a quantile lies, from how the copies of a design scatter.
#pragma once
#include <cstdint>
#include <span>

#include "tumble/study/statistics/confidence_interval.hpp"

namespace tumble {

/// Ends as ranks counted from 1, between whole ones where they are not whole; infinite where no
/// value of the sample will do.
///
/// Copy r has b_r of its n_r values at or below the estimate of the p-quantile. The fractions
/// F_r = b_r / n_r are means over copies, so their scatter gives the standard error s of the
/// fraction below (copy_moments.hpp), and the quantile lies between the order statistics of the
/// ranks
///   n p + 1/2 + c -+ t n s,   c = (t^2 - 1) (1 - 2 p) / 6 n s^2 / (p (1 - p))
/// (R. S. Woodruff, "Confidence intervals for medians and other position measures", Journal of the
/// American Statistical Association 47, 1952), t being Student's for the copies less one. The shift
/// c is the third cumulant of a binomial number (E. A. Cornish, R. A. Fisher, 1938) with n replaced
/// by what n values of the design are worth, p (1 - p) / s^2. The scatter of the copies' own
/// quantiles would not do: they are biased, and not the error of the quantile of all.
///
/// Points of one input that are evenly placed may pin a quantile down between two neighbours of
/// all, and no fraction scatters. The interval then holds `level` of the gap between them.
///
/// Where the interval goes beyond the sample, but independent values would all be on one side of
/// the quantile with a probability of at most (1 - level) / 2, its end is the extreme value, as
/// even points are on one side still more rarely.
Interval woodruff_ranks(std::span<const std::uint64_t> below, std::span<const std::uint64_t> counts,
                        double p, double level, double t);

}  // namespace tumble
