// Σ c_i q_i - offset = 0 between coordinates of joints (docs/theory/constraints.md#couplers).
//
// Its multiplier λ does work on each coordinate: the bodies of joint i get λ c_i ∂q_i/∂x, so power
// is neither made nor lost, whatever carries the joints. Terms may share bodies and then slots, so
// their gradients are added.
#pragma once
#include "tumble/dynamics/joint_coordinate.hpp"

namespace tumble {

template <class S>
void residual(const System& system, const CouplerLock& lock, const S* c, const S* lambda,
              Workspace<S>& w, S* phi) {
  const auto& k = constants_of(lock, c);
  S sum = -k.offset;
  for (int i = 0; i < lock.count; ++i) {
    const auto& term = lock.terms[static_cast<std::size_t>(i)];
    const auto& coordinate = system.coordinates[static_cast<std::size_t>(term.coordinate)];
    const auto q = coordinate_value(system, coordinate, c, w);
    sum = fma(k.coefficient[i], q.value, sum);
    add_coordinate_force(coordinate, q, lambda[lock.row] * k.coefficient[i], w);
  }
  phi[lock.row] = sum;
}

template <class S>
void rates(const System& system, const CouplerLock& lock, const S* c, const Workspace<S>& w,
           S* time_rate, S* bias) {
  const auto& k = constants_of(lock, c);
  S rate(0.0), second(0.0);
  for (int i = 0; i < lock.count; ++i) {
    const auto& term = lock.terms[static_cast<std::size_t>(i)];
    const auto& coordinate = system.coordinates[static_cast<std::size_t>(term.coordinate)];
    const auto q = coordinate_value(system, coordinate, c, w);
    S known_rate(0.0), known_second = coordinate_bias(system, coordinate, c, w);
    add_known(coordinate.pair, q.gradient, w, known_rate, known_second);
    rate = fma(k.coefficient[i], known_rate, rate);
    second = fma(k.coefficient[i], known_second, second);
  }
  time_rate[lock.row] = rate;
  bias[lock.row] = second;
}

template <class S>
void tangent(const System& system, const CouplerLock& lock, const S* c, const S* lambda,
             Workspace<S>& w) {
  const auto& k = constants_of(lock, c);
  for (int i = 0; i < lock.count; ++i) {
    const auto& term = lock.terms[static_cast<std::size_t>(i)];
    const auto& coordinate = system.coordinates[static_cast<std::size_t>(term.coordinate)];
    const auto q = coordinate_value(system, coordinate, c, w);
    for (std::size_t t = 0; t < 4; ++t) {
      if (term.entries.gradient[t] < 0) continue;
      Vec3<S> g = k.coefficient[i] * q.gradient.g[t];
      if (t % 2 == 1) {
        const auto body = static_cast<std::size_t>(coordinate.pair.body[t / 2]);
        g = transpose_times(w.body[body].R_WB, g);
      }
      for (int n = 0; n < 3; ++n) {
        S& entry = w.K[static_cast<std::size_t>(term.entries.gradient[t] + n)];
        S& transposed =
            w.K[static_cast<std::size_t>(term.entries.transpose[t][static_cast<std::size_t>(n)])];
        entry = entry + g[n];
        transposed = transposed + g[n];
      }
    }
    add_coordinate_tangent(coordinate, q, coordinate_hessian(system, coordinate, c, w),
                           CoordinateForce<S>{lambda[lock.row] * k.coefficient[i]}, false, w);
  }
}

/// What the coupler does to its first angle, or its first displacement: positive increases it.
template <class S>
S coupler_effort(const System& system, const CouplerLock& lock, bool angle, const S* c,
                 const S* lambda) {
  const auto& k = constants_of(lock, c);
  for (int i = 0; i < lock.count; ++i) {
    const auto at = static_cast<std::size_t>(lock.terms[static_cast<std::size_t>(i)].coordinate);
    if (system.coordinates[at].is_angle() == angle) return -(lambda[lock.row] * k.coefficient[i]);
  }
  return S(0.0);
}

}  // namespace tumble
