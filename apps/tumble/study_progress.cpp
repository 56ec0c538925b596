#include "study_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

namespace tumble::app {

using namespace std::chrono_literals;

StudyProgress::StudyProgress(std::uint64_t done, std::uint64_t total, bool json, std::string label)
    : before_(done),
      json_(json),
      terminal_(!json && ::isatty(STDERR_FILENO) == 1),
      label_(std::move(label)),
      total_(total),
      done_(done),
      next_(start_ + (json ? 0ms : 300ms)) {}

StudyProgress::~StudyProgress() {
  if (json_) show(Clock::now());
  if (drawn_ && terminal_) std::fputs("\r\x1b[K", stderr);
}

void StudyProgress::expect(std::uint64_t total) {
  const std::lock_guard lock(mutex_);
  total_ = total;
}

void StudyProgress::add(std::uint64_t ended, std::uint64_t failed) {
  const std::lock_guard lock(mutex_);
  done_ += ended;
  failed_ += failed;
  const auto now = Clock::now();
  if ((!json_ && !terminal_) || now < next_) return;
  next_ = now + (json_ ? 500ms : 100ms);
  show(now);
}

void StudyProgress::show(Clock::time_point now) {
  drawn_ = true;
  const double elapsed = std::max(1e-9, std::chrono::duration<double>(now - start_).count());
  const double rate = static_cast<double>(done_ - before_) / elapsed;
  const double left = rate > 0 ? static_cast<double>(total_ - done_) / rate : 0.0;
  if (json_) {
    fmt::print(stderr,
               "{{\"done\": {}, \"total\": {}, \"failed\": {}, \"per_second\": {:.6g}, "
               "\"seconds_left\": {:.6g}}}\n",
               done_, total_, failed_, rate, left);
    return;
  }
  constexpr std::size_t width = 30;
  const auto filled = std::min(width, static_cast<std::size_t>(width * done_ / total_));
  fmt::print(stderr, "\r{}[{}{}] {} of {}  {:.4g} realisations/s  {:.0f} s left{}\x1b[K", label_,
             std::string(filled, '='), std::string(width - filled, ' '), done_, total_, rate, left,
             failed_ > 0 ? fmt::format("  {} failed", failed_) : "");
}

}  // namespace tumble::app
