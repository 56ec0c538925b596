// Runs single points of a model that others choose, as they come: those that wait at the same time
// share the lanes of one group, and every point has the bits that a study gives it.
#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tumble/integrate/plan.hpp"
#include "tumble/study/leaf_runner.hpp"

namespace tumble {

/// A point that has no values: its run failed, its numbers are those of no machine, or it took too
/// long.
class PointFailed : public std::runtime_error {
 public:
  enum class Why { inadmissible, simulation, no_value, too_late, stopped };
  PointFailed(Why why, const std::string& message) : std::runtime_error(message), why_(why) {}
  Why why() const { return why_; }

 private:
  Why why_;
};

/// A run that reached its end.
struct PointRun {
  std::vector<double> values;  ///< [time][number]
  std::vector<double> breaks;  ///< of its drives, inside the run
  std::vector<QuantityValue> quantities;
};

class PointRunner {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  /// `slots`: the numbers of a point. `quantities` outlive this.
  PointRunner(const Plan& plan, std::vector<int> slots,
              std::span<const QuantityOfInterest> quantities, int threads);
  /// Ends runs under way, which takes as long as one of them.
  ~PointRunner();
  PointRunner(const PointRunner&) = delete;
  PointRunner& operator=(const PointRunner&) = delete;

  /// From any number of threads; returns when the run has ended. @throws PointFailed
  PointRun run(const std::vector<double>& point, Deadline deadline);
  /// The same for other work that takes a worker's time: all of `tasks`, beside each other.
  /// What they throw is thrown on.
  void work(std::vector<std::function<void()>> tasks, Deadline deadline);

  /// Points that wait get no values any more.
  void stop();

  /// How many groups of points were run so far.
  std::uint64_t groups() const { return groups_; }

 private:
  struct Job {
    std::vector<double> point;
    std::promise<PointRun> ended;
  };
  void serve();
  void run_group(LeafRunner& runner, std::vector<std::shared_ptr<Job>>& jobs);
  void fill(std::uint64_t number, double* values) const;

  EnsembleInputs inputs_;
  EnsembleOptions options_;
  std::unique_ptr<const EnsembleSetup> setup_;
  mutable std::mutex mutex_;  ///< guards what follows
  std::condition_variable wanted_;
  std::deque<std::shared_ptr<Job>> waiting_;
  std::deque<std::shared_ptr<std::packaged_task<void()>>> tasks_;
  std::map<std::uint64_t, std::shared_ptr<Job>> running_;  ///< by the number of their run
  std::uint64_t next_number_ = 0;
  bool stopped_ = false;
  std::atomic<std::uint64_t> groups_ = 0;
  std::vector<std::thread> workers_;
};

}  // namespace tumble
