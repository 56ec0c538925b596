// Ranks for tests: threads of one process that pass questions and answers through memory.
#pragma once
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

#include "tumble/study/ranks/ranks.hpp"

namespace tumble {

/// What the ranks of one test share.
class RankPost {
 public:
  struct Letter {
    int from;
    std::string question;
    std::optional<std::string> answer;
  };

  std::string ask(int from, std::string_view question) {
    std::unique_lock lock(mutex_);
    Letter letter{from, std::string(question), std::nullopt};
    letters_.push_back(&letter);
    changed_.notify_all();
    changed_.wait(lock, [&] { return letter.answer.has_value(); });
    return *letter.answer;
  }
  void answer_next(const Ranks::Answer& answer) {
    Letter* letter = nullptr;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return !letters_.empty(); });
      letter = letters_.front();
      letters_.pop_front();
    }
    std::string text = answer(letter->from, letter->question);
    const std::lock_guard lock(mutex_);
    letter->answer = std::move(text);
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Letter*> letters_;  // each lives in the thread that waits for its answer
};

class ThreadAsRank : public Ranks {
 public:
  ThreadAsRank(RankPost& post, int rank, int size) : post_(post), rank_(rank), size_(size) {}
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int default_threads() const override { return 1; }
  std::string ask(std::string_view question) override { return post_.ask(rank_, question); }
  void answer_next(const Answer& answer) override { post_.answer_next(answer); }
  int agree(int status) override { return status; }  // the program's affair

 private:
  RankPost& post_;
  int rank_, size_;
};

}  // namespace tumble
