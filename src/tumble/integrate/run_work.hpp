// What a run costs, by counting: the same on every computer, where a clock would not be.
#pragma once
#include "tumble/integrate/trajectory.hpp"

namespace tumble {

struct System;

/// In unknowns of rigid bodies and joints that Newton goes through. One of a single run takes some
/// 1e-7 s, one of eight side by side some 1e-8 s; a coordinate of a beam is worth ten of them.
double run_work(const System& system, const RunStatistics& statistics);

}  // namespace tumble
