#include "tumble/study/workers.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>

namespace tumble {

int worker_count(int threads) {
  return std::clamp(threads > 0 ? threads : oneapi::tbb::info::default_concurrency(), 1, 4096);
}

void with_workers(int threads, const std::function<void()>& f) {
  const int count = worker_count(threads);
  // Without this, oneTBB warns of more threads than cores and does not make them.
  const oneapi::tbb::global_control limit(
      oneapi::tbb::global_control::max_allowed_parallelism,
      static_cast<std::size_t>(std::max(count, oneapi::tbb::info::default_concurrency())));
  oneapi::tbb::task_arena arena(count);
  arena.execute(f);
}

}  // namespace tumble
