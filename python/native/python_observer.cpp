#include "python_observer.hpp"

#include <csignal>

namespace tumble::python {
namespace {

namespace py = pybind11;

volatile std::sig_atomic_t signal_seen = 0;
void note_signal(int) { signal_seen = 1; }

/// Whether this is the thread in which Python handles signals.
bool in_main_thread() {
  const py::module_ threading = py::module_::import("threading");
  return threading.attr("current_thread")().is(threading.attr("main_thread")());
}

}  // namespace

InterruptWatch::InterruptWatch() {
  watching_ = in_main_thread();
  if (!watching_) return;
  signal_seen = 0;
  before_ = std::signal(SIGINT, note_signal);
}

InterruptWatch::~InterruptWatch() {
  if (!watching_) return;
  std::signal(SIGINT, before_);
  signal_seen = 0;  // or the next study of another thread would take it for its own
}

bool InterruptWatch::interrupted() { return signal_seen != 0; }

PythonObserver::PythonObserver(py::object listener)
    : listener_(std::move(listener)), error_(py::none()) {}

PythonObserver::~PythonObserver() = default;

template <class... Arguments>
void PythonObserver::call(const char* method, const Arguments&... arguments) {
  const py::gil_scoped_acquire lock;
  if (listener_.is_none() || broken_) return;
  try {
    listener_.attr(method)(arguments...);
  } catch (py::error_already_set& error) {
    error_ = error.value();
    broken_ = true;
  }
}

void PythonObserver::say(Message kind, const std::string& sentence) {
  const char* name = kind == Message::warning ? "warning"
                     : kind == Message::note  ? "note"
                                              : "information";
  call("say", name, sentence);
}

void PythonObserver::begin(std::uint64_t done, std::uint64_t total, const std::string& part) {
  done_ = done;
  total_ = total;
  failed_ = 0;
  call("begin", done, total, part);
}

void PythonObserver::advance(std::uint64_t ended, std::uint64_t failed) {
  done_ += ended;
  failed_ += failed;
  // Whoever comes while another shows it goes on computing.
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - shown_ < std::chrono::milliseconds(100)) return;
  shown_ = now;
  show_progress();
}

void PythonObserver::show_progress() {
  call("advance", done_.load(), total_.load(), failed_.load());
}

void PythonObserver::end() {
  show_progress();
  call("end");
}

void PythonObserver::rethrow() {
  if (!error_.is_none()) {
    PyErr_SetObject(py::type::of(error_).ptr(), error_.ptr());
    throw py::error_already_set();
  }
}

}  // namespace tumble::python
