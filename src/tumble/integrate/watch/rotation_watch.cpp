#include "tumble/integrate/watch/rotation_watch.hpp"

#include <fmt/format.h>

#include <cmath>
#include <complex>

namespace tumble {

namespace {

/// Angular speed of a node [rad/s]: of three vectors e that turn as one |ė|²/|e|² are twice its
/// square, of two in a plane as well.
double turning(const BeamIndex& beam, int node, const Workspace<double>& w) {
  const auto first = static_cast<std::size_t>(beam.node(node));
  const auto d = static_cast<std::size_t>(beam.dimension);
  double sum = 0;
  for (std::size_t vector = 1; vector <= d; ++vector) {
    double length = 0, rate = 0;
    for (std::size_t k = first + vector * d; k < first + (vector + 1) * d; ++k) {
      length += w.node_q[k] * w.node_q[k];
      rate += w.node_v[k] * w.node_v[k];
    }
    if (length > 0) sum += rate / length;
  }
  return std::sqrt(0.5 * sum);
}

}  // namespace

void RotationWatch::look(const System& system, const Workspace<double>& w, double h) {
  for (std::size_t i = 0; i < system.bodies.size(); ++i) {
    const double speed = norm(w.body[i + 1].w_W), angle = speed * h;
    if (angle <= angle_) continue;
    angle_ = angle, speed_ = speed, step_ = h, time_ = w.time;
    body_ = i;
  }
  for (std::size_t i = 0; i < system.beams.size(); ++i)
    for (int node = 0; node < system.beams[i].nodes; ++node) {
      const double speed = turning(system.beams[i], node, w), angle = speed * h;
      if (angle <= beam_angle_) continue;
      beam_angle_ = angle, beam_speed_ = speed, beam_step_ = h, beam_ = i;
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

// Re [(e^{iθ} - ρ)³ e^{-iθ} / (2ρ - 1 - (2 - ρ) e^{iθ})], negative at first, is zero there.
double RotationWatch::damped_angle(double spectral_radius) {
  const double r = spectral_radius;
  const auto value = [&](double angle) {
    const auto turn = std::polar(1.0, angle);
    const auto off = turn - r;
    return (off * off * off * std::conj(turn) * std::conj(2 * r - 1 - (2 - r) * turn)).real();
  };
  constexpr double most = 1.2, step = 1e-3;
  double angle = step;
  while (angle < most && value(angle) < 0) angle += step;
  return angle;
}

std::optional<std::string> RotationWatch::reason(const System& system) const {
  const Simulation& simulation = system.nominal.simulation;
  if (simulation.integrator != IntegrationMethod::generalized_alpha) return std::nullopt;
  const double allowed = damped_angle(simulation.spectral_radius);
  if (!(beam_angle_ > allowed)) return std::nullopt;
  return fmt::format(
      "beam '{}' turns by {:.2g} rad in a step of {:.3g} s, and with simulation.spectral_radius {} "
      "what a step does not resolve of it grows where it turns by more than {:.2g} rad: take steps "
      "of {:.1g} s or less, or a smaller spectral_radius",
      system.beams[beam_].name, beam_angle_, beam_step_, simulation.spectral_radius, allowed,
      plain_step(allowed / beam_speed_));
}

}  // namespace tumble
