#include "progress_bar.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace tumble::app {

using namespace std::chrono_literals;

ProgressBar::ProgressBar(double duration)
    : duration_(duration), terminal_(::isatty(STDERR_FILENO) == 1), next_(start_ + 300ms) {}

ProgressBar::~ProgressBar() {
  if (drawn_) std::fputs("\r\x1b[K", stderr);  // back to the start of the line, and clear it
}

void ProgressBar::show(double fraction) {
  if (!terminal_) return;
  const auto now = Clock::now();
  if (now < next_) return;
  next_ = now + 100ms;
  drawn_ = true;

  constexpr int width = 30;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  fraction = std::clamp(fraction, 1e-9, 1.0);
  const auto filled = static_cast<std::size_t>(fraction * width);
  const std::string bar = std::string(filled, '=') + std::string(width - filled, ' ');
  const auto line =
      fmt::format("\r[{}] {:3.0f} %  {:.4g} of {:g} s  {:.3g} s/s  {:.0f} s left\x1b[K", bar,
                  100 * fraction, fraction * duration_, duration_, fraction * duration_ / elapsed,
                  elapsed * (1 / fraction - 1));
  std::fputs(line.c_str(), stderr);
}

}  // namespace tumble::app
