// The comparison that every row of the published joint and force cases goes through.
//
// Set-ups: the unit tests of Project Chrono's joints, whose stored ADAMS curves agree with the
// values used here; the values themselves were re-integrated in long double and hold nine decimals.
// One body of 1 kg starts at rest under gravity 9.80665 m/s^2; the values are those at t = 5 s.
#pragma once
#include <cstdio>

#include "cases.hpp"

namespace tumble::validation {

/// The damper of a case: power c rate^2, the rate as probed.
struct Damper {
  double c = 0;
  Quantity rate = Quantity::length_rate;
};

struct ReferenceCase {
  const char* name;
  Model model;
  Vec3d position, velocity;  ///< of the centre of mass at t = 5 s
  double step;               ///< of the finer of the two runs
  Damper damper = {};        ///< none: the case is conservative
  double output_step = 0.005;
};

/// The inertia [kg m^2] of the cases unless they say otherwise.
inline constexpr Vec3d rod_inertia{0.04, 0.1, 0.1};

inline Trajectory run_case(const ReferenceCase& c, double step) {
  Model model = c.model;
  model.simulation.duration = 5;
  model.simulation.step = step;
  model.simulation.output_step = c.output_step;
  return simulate(model);
}

struct FinalErrors {
  double position, velocity;
};
inline FinalErrors final_errors(const ReferenceCase& c, const Trajectory& run) {
  return {distance(vector_at(run, "body", Quantity::position, last(run)), c.position),
          distance(vector_at(run, "body", Quantity::velocity, last(run)), c.velocity)};
}

/// What the damper takes in, by Simpson's rule over the outputs.
inline double dissipated(const Damper& damper, const Trajectory& run) {
  const ProbeSeries& rate = series(run, "force", damper.rate);
  const auto power = [&](std::size_t k) {
    // A displacement rate is a vector, and these dampers act along z.
    const double r = rate.size == 1 ? rate.values[k] : rate.values[3 * k + 2];
    return damper.c * r * r;
  };
  double sum = 0;
  for (std::size_t k = 0; k + 2 <= last(run); k += 2)
    sum += power(k) + 4 * power(k + 1) + power(k + 2);
  return sum * run.times[1] / 3;
}

inline void expect_energy_balance(const ReferenceCase& c, const Trajectory& coarse,
                                  const Trajectory& fine) {
  if (c.damper.c > 0) {
    const auto& energy = series(fine, "system", Quantity::total_energy).values;
    // Simpson's rule leaves Δ⁴/180 of the power's fourth derivative a second: with Δ = 5 ms, rates
    // of some m/s and frequencies up to 30 rad/s, 1e-4 J.
    EXPECT_NEAR(energy.front() - energy.back(), dissipated(c.damper, fine), 1e-4);
    return;
  }
  // (h ω)² of the energy: 1e-4 in the snaps of a millisecond of distance 02, 1e-7 elsewhere, so the
  // order is the sharper check.
  EXPECT_LT(energy_change(fine), 1e-4);
  expect_second_order("energy", energy_change(coarse), energy_change(fine), 1e-9);
}

/// Runs the case with twice its step and with its step. The finer run, as it is (no
/// extrapolation), must agree with the reference and the errors must fall at second order.
/// Returns the finer run.
inline Trajectory expect_agreement(const ReferenceCase& c) {
  const Trajectory coarse = run_case(c, 2 * c.step), fine = run_case(c, c.step);
  const FinalErrors e2 = final_errors(c, coarse), e1 = final_errors(c, fine);
  std::printf("%-20s h %-8.3g position %.1e m (order %.2f)  velocity %.1e m/s (order %.2f)\n",
              c.name, c.step, e1.position, observed_order(e2.position, e1.position), e1.velocity,
              observed_order(e2.velocity, e1.velocity));

  // What a step size leaves is mostly a shift δt in time. It moves positions by v δt and velocities
  // by a δt, and where speeds are about 1 m/s accelerations are about 10 m/s^2 here: 1e-6 m
  // corresponds to 1e-5 m/s.
  EXPECT_LT(e1.position, 1e-6);
  EXPECT_LT(e1.velocity, 1e-5);
  // The reference values are rounded to nine decimals: below some ten units of the last, the ratio
  // of two errors measures that rounding and not the method.
  expect_second_order("position", e2.position, e1.position, 2e-8);
  expect_second_order("velocity", e2.velocity, e1.velocity, 2e-8);

  expect_newton_euler(c.model, fine);
  expect_derivatives(fine, acceleration_noise(c.step));
  expect_energy_balance(c, coarse, fine);
  // Rounding of coordinates up to 85 m (cylindrical 03).
  EXPECT_LT(fine.statistics.constraint_drift, 1e-13);
  return fine;
}

/// Second order over the whole run, for cases that come to rest before it ends: the differences
/// between runs with steps 4h, 2h and h.
inline void expect_convergence_throughout(const ReferenceCase& c) {
  const Trajectory runs[] = {run_case(c, 4 * c.step), run_case(c, 2 * c.step), run_case(c, c.step)};
  double change[2] = {0, 0};
  for (int i = 0; i < 2; ++i)
    for (std::size_t k = 0; k <= last(runs[0]); ++k)
      change[i] =
          std::max(change[i], distance(vector_at(runs[i], "body", Quantity::position, k),
                                       vector_at(runs[i + 1], "body", Quantity::position, k)));
  expect_second_order("position throughout", change[0], change[1], 0);
}

}  // namespace tumble::validation
