// The warnings of a sweep: its points have most of theirs in common.
#pragma once
#include <string>
#include <vector>

namespace tumble {

/// The sentences of all points, `of_points[p]` being those of point p. Sentences that differ in
/// numbers only, or in the name in front of a colon, are one, with the number of points that have
/// it and the first of them, by its name.
std::vector<std::string> sweep_warnings(const std::vector<std::vector<std::string>>& of_points,
                                        const std::vector<std::string>& names);

}  // namespace tumble
