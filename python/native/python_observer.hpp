// Who follows a study from Python: messages and progress go to a Python object, Ctrl-C ends it.
#pragma once
#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <mutex>

#include "tumble/campaign/observer.hpp"

namespace tumble::python {

/// Notices Ctrl-C while it lives, in place of Python, which would notice only after the study. Does
/// nothing in threads other than the main one, where Python has no say in signals either.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;
  static bool interrupted();

 private:
  bool watching_ = false;
  void (*before_)(int) = nullptr;
};

/// Calls methods `say(kind, sentence)`, `begin(done, total)`, `advance(done, total, failed)` and
/// `end()` of a Python object. The interpreter's lock is not held by who calls.
class PythonObserver : public Observer {
 public:
  /// `listener`: None for nobody.
  explicit PythonObserver(pybind11::object listener);
  ~PythonObserver() override;

  void say(Message kind, const std::string& sentence) override;
  void begin(std::uint64_t done, std::uint64_t total, const std::string& part) override;
  void expect(std::uint64_t total) override { total_ = total; }
  void advance(std::uint64_t ended, std::uint64_t failed) override;
  void end() override;
  bool cancelled() override { return InterruptWatch::interrupted() || broken_; }

  /// Throws on what the listener threw. With the interpreter's lock.
  void rethrow();

 private:
  template <class... Arguments>
  void call(const char* method, const Arguments&... arguments);
  void show_progress();

  pybind11::object listener_;
  pybind11::object error_;  ///< the first that the listener raised
  std::atomic<bool> broken_ = false;
  std::atomic<std::uint64_t> done_ = 0, total_ = 0, failed_ = 0;
  std::mutex mutex_;  ///< guards what follows
  std::chrono::steady_clock::time_point shown_;
};

}  // namespace tumble::python
