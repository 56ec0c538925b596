// Several order statistics of one sample at once.
#pragma once
#include <cstddef>
#include <span>

namespace tumble {

/// Reorders values so that each of the ascending `ranks` has the value that sorting would put
/// there. As quickselect does, but without a branch on values, which random ones would mispredict
/// half of the time, by four values at a time, and with all ranks in one go. Values are not NaN.
void select_ranks(std::span<double> values, std::span<const std::size_t> ranks);

}  // namespace tumble
