#include "terminal_observer.hpp"

#include <fmt/format.h>

#include <set>

#include "command.hpp"
#include "interrupt.hpp"

namespace tumble::app {

void TerminalObserver::say(Message kind, const std::string& sentence) {
  static std::set<std::string> said;
  const char* mark = kind == Message::warning ? "warning: " : kind == Message::note ? "note: " : "";
  const std::string text = mark + sentence;
  if (said.insert(text).second) fmt::print(stderr, "tumble: {}\n", text);
}

void TerminalObserver::about_to(const std::string& what) { app::about_to(what); }

void TerminalObserver::begin(std::uint64_t done, std::uint64_t total, const std::string& part) {
  if (shown_ == Progress::none) return;
  progress_.emplace(done, total, shown_ == Progress::json, part);
}

void TerminalObserver::expect(std::uint64_t total) {
  if (progress_) progress_->expect(total);
}

void TerminalObserver::advance(std::uint64_t ended, std::uint64_t failed) {
  if (progress_) progress_->add(ended, failed);
}

void TerminalObserver::simulated(double time, double duration) {
  if (shown_ == Progress::none) return;
  if (!bar_) bar_.emplace(duration);
  bar_->show(time / duration);
}

void TerminalObserver::end() {
  progress_.reset();
  bar_.reset();
}

bool TerminalObserver::cancelled() { return interrupted(); }

}  // namespace tumble::app
