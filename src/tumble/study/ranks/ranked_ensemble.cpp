#include "tumble/study/ranks/ranked_ensemble.hpp"

#include <fmt/format.h>

#include <chrono>
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

RoundAnswer RankLeader::hear(int rank, const RoundWanted& question) {
  if (question.done != round_) return {RoundAnswer::Kind::work, round_, description_};
  waiting_.insert(rank);
  return {RoundAnswer::Kind::wait, round_, {}};
}

/// Answers questions until the last rank has departed or, in rounds, waits for the next one.
void RankLeader::serve(Desk& desk) {
  const auto answer = [&](int rank, std::string_view bytes) {
    std::optional<LeafTask> task;
    try {
      RankQuestion question = decode_question(bytes);
      if (const auto* wanted = std::get_if<RoundWanted>(&question))
        return encode(hear(rank, *wanted));
      if (std::holds_alternative<Departure>(question)) {
        --present_;
        waiting_.erase(rank);
      }
      task = std::visit(
          [&](auto& q) -> std::optional<LeafTask> {
            if constexpr (std::is_same_v<std::decay_t<decltype(q)>, RoundWanted>)
              return std::nullopt;  // answered above
            else
              return desk.hear(rank, std::move(q));
          },
          question);
    } catch (...) {
      desk.close(std::current_exception());
    }
    return encode(task);
  };
  while (std::cmp_less(waiting_.size(), present_)) ranks_.answer_next(answer);
}

RankLeader::~RankLeader() {
  const auto answer = [this](int, std::string_view bytes) {
    const RankQuestion question = decode_question(bytes);
    if (std::holds_alternative<RoundWanted>(question)) return encode(RoundAnswer{});
    if (std::holds_alternative<Departure>(question)) --present_;
    return encode(std::optional<LeafTask>{});
  };
  while (present_ > 0) ranks_.answer_next(answer);
}

bool RankLeader::work(Desk& desk, const LeafWorkers& workers, const EnsembleOptions& options) {
  std::thread server([&] { serve(desk); });
  try {
    run_leaves(
        workers, [&] { return desk.next(); }, options,
        [&](LeafResult&& leaf) { desk.take(std::move(leaf)); });
  } catch (...) {
    desk.close(std::current_exception());
  }
  server.join();
  return desk.complete();
}

bool RankLeader::run(std::string_view identity, const Plan& plan, const EnsembleInputs& inputs,
                     const LeafSource& next, const EnsembleOptions& options, const LeafSink& sink) {
  return run(identity, leaf_workers(plan, inputs, options), next, options, sink);
}

bool RankLeader::run(std::string_view identity, const LeafWorkers& workers, const LeafSource& next,
                     const EnsembleOptions& options, const LeafSink& sink) {
  Desk desk(identity, next, options, sink);
  return work(desk, workers, options);
}

bool RankLeader::run_round(const std::string& description, std::string_view identity,
                           const Plan& plan, const EnsembleInputs& inputs, const LeafSource& next,
                           const EnsembleOptions& options, const LeafSink& sink) {
  ++round_;
  description_ = description;
  waiting_.clear();
  Desk desk(identity, next, options, sink);
  return work(desk, leaf_workers(plan, inputs, options), options);
}

void follow_ensemble(Ranks& ranks, std::string_view identity, const Plan& plan,
                     const EnsembleInputs& inputs, const EnsembleOptions& options) {
  follow_ensemble(ranks, identity, leaf_workers(plan, inputs, options), options);
}

void follow_ensemble(Ranks& ranks, std::string_view identity, const LeafWorkers& workers,
                     const EnsembleOptions& options) {
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
  run_leaves(workers, next, options, deliver);
}

void follow_rounds(Ranks& ranks, const std::function<void(const std::string&)>& work,
                   const std::function<bool()>& stop) {
  for (std::uint64_t done = 0; !stop();) {
    const RoundAnswer answer = decode_round(ranks.ask(encode(RoundWanted{done})));
    if (answer.kind == RoundAnswer::Kind::finished) return;
    if (answer.kind == RoundAnswer::Kind::wait) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      continue;
    }
    work(answer.description);
    done = answer.round;
  }
}

void depart(Ranks& ranks, const Departure& departure) { ranks.ask(encode(departure)); }

}  // namespace tumble
