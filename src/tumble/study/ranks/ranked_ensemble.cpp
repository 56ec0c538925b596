#include "tumble/study/ranks/ranked_ensemble.hpp"

#include <fmt/format.h>

#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace tumble {

/// Where rank 0's threads and the other ranks get leaves and bring them back.
class RankLeader::Desk {
 public:
  Desk(std::string_view identity, const LeafSource& next, const EnsembleOptions& options,
       const LeafSink& sink)
      : identity_(identity), next_(next), options_(options), sink_(sink) {}

  std::optional<LeafTask> next() {
    const bool stopped = options_.stop && options_.stop();
    const std::lock_guard lock(mutex_);
    if (stopped || closed_) return std::nullopt;
    const std::optional<LeafTask> task = next_();
    if (task && !task->is_pause()) ++taken_;
    return task;
  }

  void take(LeafResult&& leaf) {
    sink_.computed(std::move(leaf));
    note_finished();
  }

  /// No more leaves, and why.
  void close(std::exception_ptr reason) {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    if (!reason_) reason_ = std::move(reason);
  }

  std::optional<LeafTask> hear(int rank, WorkWanted&& question) {
    if (question.identity != identity_)
      throw std::runtime_error(
          fmt::format("rank {} has another model, other files that the model refers to, or another "
                      "version of the program",
                      rank));
    return next();
  }

  std::optional<LeafTask> hear(int, LeafFinished&& question) {
    sink_.received(std::move(question.leaf));
    note_finished();
    if (options_.progress) options_.progress(question.realizations, question.failed);
    return next();
  }

  std::optional<LeafTask> hear(int rank, Departure&& departure) {
    if (departure.why == Departure::Why::failed)
      throw std::runtime_error(fmt::format("rank {}: {}", rank, departure.message));
    if (departure.why == Departure::Why::interrupted) close(nullptr);
    return std::nullopt;
  }

  /// Once nobody works any more. False if leaves are missing. @throws the first reason
  bool complete() const {
    if (reason_) std::rethrow_exception(reason_);
    return finished_ == taken_ && !next_();
  }

 private:
  void note_finished() {
    const std::lock_guard lock(mutex_);
    ++finished_;
  }

  const std::string_view identity_;
  const LeafSource& next_;
  const EnsembleOptions& options_;
  const LeafSink& sink_;
  std::mutex mutex_;  // guards what follows
  std::size_t taken_ = 0, finished_ = 0;
  bool closed_ = false;
  std::exception_ptr reason_;
};

/// Answers questions until the last rank has departed.
void RankLeader::serve(Desk& desk) {
  const auto answer = [&](int rank, std::string_view bytes) {
    std::optional<LeafTask> task;
    try {
      RankQuestion question = decode_question(bytes);
      if (std::holds_alternative<Departure>(question)) --present_;
      task = std::visit([&](auto& q) { return desk.hear(rank, std::move(q)); }, question);
    } catch (...) {
      desk.close(std::current_exception());
    }
    return encode(task);
  };
  while (present_ > 0) ranks_.answer_next(answer);
}

RankLeader::~RankLeader() {
  const auto answer = [this](int, std::string_view bytes) {
    if (std::holds_alternative<Departure>(decode_question(bytes))) --present_;
    return encode(std::optional<LeafTask>{});
  };
  while (present_ > 0) ranks_.answer_next(answer);
}

bool RankLeader::run(std::string_view identity, const Plan& plan, const EnsembleInputs& inputs,
                     const LeafSource& next, const EnsembleOptions& options, const LeafSink& sink) {
  Desk desk(identity, next, options, sink);
  std::thread server([&] { serve(desk); });
  try {
    run_leaves(
        plan, inputs, [&] { return desk.next(); }, options,
        [&](LeafResult&& leaf) { desk.take(std::move(leaf)); });
  } catch (...) {
    desk.close(std::current_exception());
  }
  server.join();
  return desk.complete();
}

void follow_ensemble(Ranks& ranks, std::string_view identity, const Plan& plan,
                     const EnsembleInputs& inputs, const EnsembleOptions& options) {
  // The answer to a finished leaf is the next one, which whichever thread comes first takes.
  std::mutex mutex;
  std::deque<LeafTask> waiting;
  const auto next = [&]() -> std::optional<LeafTask> {
    {
      const std::lock_guard lock(mutex);
      if (!waiting.empty()) {
        const LeafTask task = waiting.front();
        waiting.pop_front();
        return task;
      }
    }
    return decode_answer(ranks.ask(encode(WorkWanted{std::string(identity)})));
  };
  const auto deliver = [&](LeafResult&& leaf) {
    const LeafFinished question{encode(leaf), leaf.record.realizations(), leaf.record.failures()};
    if (const auto task = decode_answer(ranks.ask(encode(question)))) {
      const std::lock_guard lock(mutex);
      waiting.push_back(*task);
    }
  };
  run_leaves(plan, inputs, next, options, deliver);
}

void depart(Ranks& ranks, const Departure& departure) { ranks.ask(encode(departure)); }

}  // namespace tumble
