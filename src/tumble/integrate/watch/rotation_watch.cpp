#include "tumble/integrate/watch/rotation_watch.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tumble {

void RotationWatch::look(const System& system, const Workspace<double>& w, double h) {
  for (std::size_t i = 0; i < system.bodies.size(); ++i) {
    const double speed = norm(w.body[i + 1].w_W), angle = speed * h;
    if (angle <= angle_) continue;
    angle_ = angle, speed_ = speed, step_ = h, time_ = w.time;
    body_ = i;
  }
}

namespace {

/// One digit, rounded down: a step a person would write.
double plain_step(double step) {
  const double unit = std::pow(10.0, std::floor(std::log10(step)));
  return std::max(1.0, std::floor(step / unit)) * unit;
}

}  // namespace

/// With steps of radau errors are as small up to larger angles.
std::optional<std::string> RotationWatch::warning(const System& system) const {
  constexpr double allowed_by_radau = 1.5;
  const double allowed = system.nominal.simulation.order() > 2 ? allowed_by_radau : allowed_angle;
  if (!(angle_ > allowed)) return std::nullopt;
  return fmt::format(
      "body '{}' turns by {:.2g} rad in a step of {:.3g} s (at {:.4g} rad/s, t = {:.6g} s): forces "
      "may be far off; steps of {:.1g} s or less turn it by at most {} rad",
      system.bodies[body_].name, angle_, step_, speed_, time_, plain_step(allowed / speed_),
      allowed);
}

}  // namespace tumble
