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

/// The right limits at break points, as a trajectory with those as its times.
inline Trajectory right_limits(const Trajectory& run) {
  Trajectory right = run;
  right.times = run.breaks;
  for (auto& s : right.series) s.values = s.right_values;
  return right;
}

/// What expect_converging() holds a run to.
struct Bars {
  double at_outputs;           ///< with the finer step
  double after_break = 1e-11;  ///< right after a break point: rounding, where all is imposed
};

/// Runs with steps 2h and h and compares `error(run, k)`, the largest difference from the
/// reference at output k: below the bar with the finer step, and falling at second order.
///
/// The steps enforce imposed positions and get velocities and accelerations from those. The drives'
/// own derivatives are used only where motion starts afresh, so a drive that drives nothing but has
/// a break point at 1.25 s is added: right after it the rates and second derivatives that drives
/// impose must be there exactly.
inline void expect_converging(const std::string& what, Model model, double step, const Bars& bars,
                              const std::function<double(const Trajectory&, std::size_t)>& error) {
  PiecewiseLinearDrive idle;
  idle.times = {1.25, 10};
  idle.values = {0, 1};
  model.drives.push_back({"idle", idle});
  model.simulation.break_substeps = 1;  // a change of step size would be another fresh start
  // Reactions are probed, and those start with an oscillation of second order, which this damps
  // out within the 50 steps before the first output.
  model.simulation.spectral_radius = 0.8;
  model.simulation.step = 2 * step;
  const Trajectory coarse = simulate(model);
  model.simulation.step = step;
  const Trajectory fine = simulate(model), right = right_limits(fine);
  double largest[2] = {0, 0}, after_break = 0;
  for (std::size_t k = 0; k <= last(fine); ++k) {
    largest[0] = std::max(largest[0], error(coarse, k));
    largest[1] = std::max(largest[1], error(fine, k));
  }
  ASSERT_GE(right.times.size(), 1u);
  for (std::size_t k = 0; k <= last(right); ++k)
    after_break = std::max(after_break, error(right, k));
  std::printf("%-32s h %-8.3g error %.1e (order %.2f), after a break %.1e\n", what.c_str(), step,
              largest[1], observed_order(largest[0], largest[1]), after_break);
  EXPECT_LT(largest[1], bars.at_outputs) << what;
  expect_second_order(what, largest[0], largest[1], 0.01 * bars.at_outputs);
  EXPECT_LT(after_break, bars.after_break) << what;
}

}  // namespace tumble::validation
