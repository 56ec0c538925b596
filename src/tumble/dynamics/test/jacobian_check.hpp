// Tangent matrices against differences of the residual, every entry of the full square.
#pragma once
#include <gtest/gtest.h>

#include "tumble/dynamics/test/instant.hpp"

namespace tumble::testing {

// With f of order 1 to 10² and derivatives that grow by about 3 each, the fourth-order difference
// errs by h⁴ 3⁵ |f|/30 + 1.5 eps |f|/h, which is near 1e-11 |f| at h = 1e-3.
inline constexpr double jacobian_step = 1e-3;
inline constexpr double jacobian_tolerance = 1e-9;

/// Entry (row, column) of slot values; zero outside the pattern.
inline double entry(const System& system, const Numbers& values, int row, int column) {
  const int slot = system.pattern.slot(row, column);
  return slot < 0 ? 0.0 : values[static_cast<std::size_t>(slot)];
}

/// Compares the first nv + nc rows of columns `first` ... of `matrix` with the derivatives of the
/// residual along the numbers that `shift(instant, column, amount)` changes.
template <class Shift>
void expect_columns(const Instant& instant, const Numbers& matrix, int first, int columns, int rows,
                    const char* name, Shift shift) {
  const System& system = *instant.system;
  const double h = jacobian_step;
  const auto at = [&](int column, double amount) {
    Instant shifted(instant);
    shift(shifted, static_cast<std::size_t>(column), amount);
    return shifted.residual();
  };
  Instant here(instant);
  const double scale = 1 + largest(here.residual()) + largest(matrix);
  for (int column = 0; column < columns; ++column) {
    const Numbers m2 = at(column, -2 * h), m1 = at(column, -h), p1 = at(column, h),
                  p2 = at(column, 2 * h);
    for (int row = 0; row < rows; ++row) {
      const auto i = static_cast<std::size_t>(row);
      ASSERT_NEAR(entry(system, matrix, row, first + column),
                  first_difference(m2[i], m1[i], p1[i], p2[i], h), jacobian_tolerance * scale)
          << name << ", " << system.describe_row(row) << " by "
          << system.describe_row(first + column);
    }
  }
}

/// K with G, C, M and Gᵀ of a model at a random instant. Entries the pattern does not have must
/// vanish, so a coupling that was forgotten shows too.
inline void expect_consistent_tangent(const Model& model, std::uint32_t seed) {
  Instant instant(model, seed);
  instant.tangent();
  const int nv = instant.system->nv, nc = instant.system->nc, n = nv + nc;
  expect_columns(instant, instant.w.K, 0, nv, n, "K", [](Instant& i, std::size_t k, double h) {
    Numbers u(i.v.size());
    u[k] = h;
    const Numbers q = i.q;
    compose(*i.system, q.data(), u.data(), i.q.data());
  });
  expect_columns(instant, instant.w.C, 0, nv, n, "C",
                 [](Instant& i, std::size_t k, double h) { i.v[k] += h; });
  expect_columns(instant, instant.w.M, 0, nv, n, "M",
                 [](Instant& i, std::size_t k, double h) { i.vdot[k] += h; });
  expect_columns(instant, instant.w.K, nv, nc, n, "transposed G",
                 [](Instant& i, std::size_t k, double h) { i.lambda[k] += h; });
}

/// φ̇ = G v + ∂φ/∂t and φ̈ = G v̇ + bias along a path in time, drives included.
inline void expect_consistent_rates(const Model& model, std::uint32_t seed) {
  Instant instant(model, seed);
  const System& system = *instant.system;
  const auto nc = static_cast<std::size_t>(system.nc);
  Numbers time_rate(nc), bias(nc), by_velocity(nc), by_acceleration(nc);
  instant.tangent();
  multiply_gradient(system, instant.w, instant.v.data(), by_velocity.data());
  multiply_gradient(system, instant.w, instant.vdot.data(), by_acceleration.data());
  constraint_rates(system, instant.constants.data(), instant.w, time_rate.data(), bias.data());
  // The sixth derivatives of products of rotations at 3 rad/s are near 3⁶, those of angles about
  // axes far from parallel near 10⁶: at h = 1e-3 they leave h⁴ 10⁶/90 = 1e-8, and rounding leaves
  // 5 eps/h² = 1e-9 of angles of 13 rad.
  const double h = 1e-3;
  const auto phi = [&](double t) {
    const Numbers all = instant.after(t).residual();
    return Numbers(all.begin() + system.nv, all.end());
  };
  const Numbers m2 = phi(-2 * h), m1 = phi(-h), p0 = phi(0), p1 = phi(h), p2 = phi(2 * h);
  for (std::size_t i = 0; i < nc; ++i) {
    const std::string row = system.describe_row(system.nv + static_cast<int>(i));
    EXPECT_NEAR(by_velocity[i] + time_rate[i], first_difference(m2[i], m1[i], p1[i], p2[i], h),
                1e-9 * (10 + std::fabs(by_velocity[i])))
        << row;
    EXPECT_NEAR(by_acceleration[i] + bias[i],
                second_difference(m2[i], m1[i], p0[i], p1[i], p2[i], h),
                1e-8 * (10 + std::fabs(bias[i])))
        << row;
  }
}

}  // namespace tumble::testing
