// Threads of a study, by number.
#pragma once
#include <functional>

namespace tumble {

/// `threads`, or for 0 as many as the process may use.
int worker_count(int threads);

/// Runs `f` where parallel algorithms and task groups of oneTBB have that many threads, more than
/// there are cores if asked for.
void with_workers(int threads, const std::function<void()>& f);

}  // namespace tumble
