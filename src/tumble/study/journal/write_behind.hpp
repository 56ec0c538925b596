// A thread that writes what others hand over, so that they need not wait for the disk.
#pragma once
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace tumble {

/// Items are written one after the other, in the order of push(). After a failure nothing more is
/// written, and every further call throws what the writing threw.
template <class Item>
class WriteBehind {
 public:
  /// `write` runs on the writing thread. Items wait as long as they have no more than `most_bytes`
  /// together, beside the one that is being written.
  WriteBehind(std::function<void(Item&)> write, std::size_t most_bytes)
      : write_(std::move(write)), most_bytes_(most_bytes), thread_([this] { work(); }) {}
  /// Writes what waits; whoever wants to know of failures calls finish() before.
  ~WriteBehind() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  WriteBehind(const WriteBehind&) = delete;
  WriteBehind& operator=(const WriteBehind&) = delete;

  /// From any thread. Returns when there is room for the item.
  void push(Item&& item, std::size_t bytes) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] {
      return failure_ || waiting_bytes_ == 0 || waiting_bytes_ + bytes <= most_bytes_;
    });
    if (failure_) std::rethrow_exception(failure_);
    waiting_.emplace_back(std::move(item), bytes);
    waiting_bytes_ += bytes;
    changed_.notify_all();
  }

  /// Returns when all that was pushed before is written.
  void finish() const {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failure_ || (waiting_.empty() && !writing_); });
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return ends_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      auto [item, bytes] = std::move(waiting_.front());
      waiting_.pop_front();
      waiting_bytes_ -= bytes;
      writing_ = true;
      lock.unlock();
      changed_.notify_all();
      std::exception_ptr failure;
      try {
        write_(item);
      } catch (...) {
        failure = std::current_exception();
      }
      {
        [[maybe_unused]] const Item done = std::move(item);
      }  // freed while nobody waits for the lock
      lock.lock();
      writing_ = false;
      if (failure) {
        failure_ = failure;
        waiting_.clear();
        waiting_bytes_ = 0;
        ends_ = true;
      }
      changed_.notify_all();
    }
  }

  std::function<void(Item&)> write_;
  std::size_t most_bytes_;
  mutable std::mutex mutex_;  ///< guards what follows
  mutable std::condition_variable changed_;
  std::deque<std::pair<Item, std::size_t>> waiting_;
  std::size_t waiting_bytes_ = 0;
  bool writing_ = false, ends_ = false;
  std::exception_ptr failure_;
  std::thread thread_;  ///< begins when all else is there
};

}  // namespace tumble
