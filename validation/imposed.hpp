// Functions of time that tests impose on joints, and the comparison of two step sizes.
#pragma once
#include <cstdio>
#include <functional>

#include "cases.hpp"

namespace tumble::validation {

/// A function of time with its two derivatives.
struct Imposed {
  double value, rate, second;
};
/// a sin(ω t).
inline Imposed harmonic(double a, double omega, double t) {
  return {a * std::sin(omega * t), a * omega * std::cos(omega * t),
          -a * omega * omega * std::sin(omega * t)};
}
inline HarmonicDrive harmonic_drive(double a, double omega) {
  HarmonicDrive drive;
  drive.amplitude = a;
  drive.frequency = omega / (2 * pi);
  return drive;
}
/// From 0 to `to` during [start, end] by the quintic 10 s³ - 15 s⁴ + 6 s⁵.
inline Imposed smooth_step(double start, double end, double to, double t) {
  const double T = end - start, s = std::clamp((t - start) / T, 0.0, 1.0);
  return {to * s * s * s * (10 + s * (-15 + 6 * s)), to * 30 * s * s * (1 - s) * (1 - s) / T,
          to * 60 * s * (1 - s) * (1 - 2 * s) / (T * T)};
}

/// Runs with steps 2h and h and compares `error(run, k)`, the largest difference from the
/// reference at output k: below `bar` with the finer step, and falling at second order.
inline void expect_converging(const std::string& what, Model model, double step, double bar,
                              const std::function<double(const Trajectory&, std::size_t)>& error) {
  // Reactions are probed, and those start with an oscillation of second order, which this damps
  // out within the 50 steps before the first output.
  model.simulation.spectral_radius = 0.8;
  model.simulation.step = 2 * step;
  const Trajectory coarse = simulate(model);
  model.simulation.step = step;
  const Trajectory fine = simulate(model);
  double largest[2] = {0, 0};
  for (std::size_t k = 0; k <= last(fine); ++k) {
    largest[0] = std::max(largest[0], error(coarse, k));
    largest[1] = std::max(largest[1], error(fine, k));
  }
  std::printf("%-40s h %-8.3g error %.1e (order %.2f)\n", what.c_str(), step, largest[1],
              observed_order(largest[0], largest[1]));
  EXPECT_LT(largest[1], bar) << what;
  expect_second_order(what, largest[0], largest[1], 0.01 * bar);
}

}  // namespace tumble::validation
