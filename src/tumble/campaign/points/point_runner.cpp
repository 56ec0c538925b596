#include "tumble/campaign/points/point_runner.hpp"

#include <algorithm>
#include <utility>

#include "tumble/study/workers.hpp"

namespace tumble {
namespace {

PointFailed too_late() {
  return {PointFailed::Why::too_late, "the time limit of a request was reached"};
}

PointFailed is_stopped() { return {PointFailed::Why::stopped, "the program is being stopped"}; }

}  // namespace

PointRunner::PointRunner(const Plan& plan, std::vector<int> slots,
                         std::span<const QuantityOfInterest> quantities, int threads) {
  inputs_.slots = std::move(slots);
  inputs_.fill = [this](std::uint64_t number, double* values) { fill(number, values); };
  options_.quantities = quantities;
  setup_ = std::make_unique<const EnsembleSetup>(plan, inputs_, options_);
  for (int i = 0; i < worker_count(threads); ++i) workers_.emplace_back([this] { serve(); });
}

PointRunner::~PointRunner() {
  stop();
  for (std::thread& worker : workers_) worker.join();
}

void PointRunner::stop() {
  std::deque<std::shared_ptr<Job>> waiting;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    waiting.swap(waiting_);
    tasks_.clear();  // who waits for one is told by its broken promise
  }
  wanted_.notify_all();
  for (const auto& job : waiting) job->ended.set_exception(std::make_exception_ptr(is_stopped()));
}

void PointRunner::fill(std::uint64_t number, double* values) const {
  const std::lock_guard lock(mutex_);
  std::ranges::copy(running_.at(number)->point, values);
}

PointRun PointRunner::run(const std::vector<double>& point, Deadline deadline) {
  const auto job = std::make_shared<Job>();
  job->point = point;
  std::future<PointRun> ended = job->ended.get_future();
  {
    const std::lock_guard lock(mutex_);
    if (stopped_) throw is_stopped();
    waiting_.push_back(job);
  }
  wanted_.notify_one();
  if (ended.wait_until(deadline) == std::future_status::ready) return ended.get();
  const std::lock_guard lock(mutex_);
  std::erase(waiting_, job);
  throw too_late();
}

void PointRunner::work(std::vector<std::function<void()>> tasks, Deadline deadline) {
  std::vector<std::future<void>> ends;
  {
    const std::lock_guard lock(mutex_);
    if (stopped_) throw is_stopped();
    for (auto& task : tasks) {
      tasks_.push_back(std::make_shared<std::packaged_task<void()>>(std::move(task)));
      ends.push_back(tasks_.back()->get_future());
    }
  }
  wanted_.notify_all();
  for (auto& end : ends) {
    if (end.wait_until(deadline) != std::future_status::ready) throw too_late();
    try {
      end.get();
    } catch (const std::future_error&) {
      throw is_stopped();
    }
  }
}

/// What a worker does. A group takes what waits and never waits for more: while all workers are
/// busy, points gather by themselves.
void PointRunner::serve() {
  std::optional<LeafRunner> runner;
  while (true) {
    std::vector<std::shared_ptr<Job>> jobs;
    std::shared_ptr<std::packaged_task<void()>> task;
    {
      std::unique_lock lock(mutex_);
      wanted_.wait(lock, [this] { return stopped_ || !waiting_.empty() || !tasks_.empty(); });
      if (stopped_) return;
      if (!tasks_.empty()) {
        task = std::move(tasks_.front());
        tasks_.pop_front();
      }
      while (!task && !waiting_.empty() && jobs.size() < setup_->group()) {
        jobs.push_back(std::move(waiting_.front()));
        waiting_.pop_front();
      }
    }
    if (task) {
      (*task)();
      continue;
    }
    try {
      if (!runner) runner.emplace(*setup_);
      run_group(*runner, jobs);
    } catch (...) {
      for (const auto& job : jobs)
        if (job) job->ended.set_exception(std::current_exception());
    }
  }
}

/// Empties the places of the jobs that it has answered.
void PointRunner::run_group(LeafRunner& runner, std::vector<std::shared_ptr<Job>>& jobs) {
  std::vector<std::uint64_t> numbers;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& job : jobs) {
      numbers.push_back(next_number_);
      running_.emplace(next_number_++, job);
    }
  }
  const auto forget = [&](void*) {
    const std::lock_guard lock(mutex_);
    for (const std::uint64_t number : numbers) running_.erase(number);
  };
  const std::unique_ptr<void, decltype(forget)> forgotten(this, forget);
  runner.run_group(numbers.data(), numbers.size());
  ++groups_;
  QuantityEvaluator quantities(options_.quantities, setup_->schedule.outputs,
                               setup_->layout->numbers());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const LeafRunner::Ended& ended = runner.ended(i);
    std::promise<PointRun> promise = std::move(jobs[i]->ended);
    jobs[i].reset();
    try {
      if (ended.outcome.status != RealizationStatus::ok)
        throw PointFailed(ended.outcome.status == RealizationStatus::inadmissible
                              ? PointFailed::Why::inadmissible
                              : PointFailed::Why::simulation,
                          ended.outcome.reason);
      PointRun run{ended.values, ended.breaks, {}};
      if (quantities.size() > 0)
        run.quantities = quantities.evaluate(ended.values.data(), ended.valid_times, ended.breaks,
                                             ended.of_state, LeafRunner::events_of(ended));
      promise.set_value(std::move(run));
    } catch (...) {
      promise.set_exception(std::current_exception());
    }
  }
}

}  // namespace tumble
