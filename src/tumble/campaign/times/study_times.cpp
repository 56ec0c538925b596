#include "tumble/campaign/times/study_times.hpp"

#include <utility>

namespace tumble {

double StudyTimes::lap() {
  const auto now = std::chrono::steady_clock::now();
  return std::chrono::duration<double>(now - std::exchange(last_, now)).count();
}

void StudyTimes::spent(double TimeSplit::*where) { split_.*where += lap(); }

void StudyTimes::spent_on_leaves() {
  const double wall = lap();
  const std::lock_guard lock(mutex_);
  const double sum = of_threads_.total();
  if (sum == 0) return;
  split_.integration += wall * of_threads_.integration / sum;
  split_.statistics += wall * of_threads_.statistics / sum;
  split_.output += wall * of_threads_.output / sum;
}

void StudyTimes::add_leaf(const LeafTimes& leaf, double output) {
  const std::lock_guard lock(mutex_);
  of_threads_.integration += leaf.integration;
  of_threads_.statistics += leaf.statistics;
  of_threads_.output += output;
}

}  // namespace tumble
