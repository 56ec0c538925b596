// The distance between two points and what depends on it: the distance lock and the spring.
//   L = |p_B - p_A|, n = (p_B - p_A)/L,
//   δL = n·δp_B + (r_B × n)·δφ_B - n·δp_A - (r_A × n)·δφ_A.
#pragma once
#include "tumble/dynamics/locks.hpp"

namespace tumble {

template <class S>
struct Line {
  PointPair<S> p;
  S length;
  Vec3<S> n;
  PairGradient<S> gradient;
};

template <class S>
Line<S> line(const PairIndex& pair, const S* ends, const Workspace<S>& w) {
  Line<S> l;
  l.p = point_pair(w.body[static_cast<std::size_t>(pair.body[0])],
                   w.body[static_cast<std::size_t>(pair.body[1])], load3(ends), load3(ends + 3));
  l.length = norm(l.p.d);
  l.n = (S(1.0) / l.length) * l.p.d;
  l.gradient = {{-l.n, cross(l.n, l.p.r_A), l.n, cross(l.p.r_B, l.n)}};
  return l;
}

/// d²L/dt² at zero accelerations: n · (p_B - p_A)¨ + (|ḋ|² - L̇²)/L.
template <class S>
S length_bias(const Line<S>& l, const BodyKinematics<S>& a, const BodyKinematics<S>& b) {
  const Vec3<S> d_rate = difference_rate(a, b, l.p);
  const S rate = dot(l.n, d_rate);
  return dot(l.n, difference_bias(a, b, l.p)) + (dot(d_rate, d_rate) - rate * rate) / l.length;
}

/// The derivative of the gradient: row t, column triple.
template <class S>
struct LineHessian {
  Mat3<S> h[4][4];
};
template <class S>
LineHessian<S> hessian(const Line<S>& l) {
  // δn = P δd with P = (I - n nᵀ)/L and δd = δp_B - r̃_B δφ_B - δp_A + r̃_A δφ_A.
  const Mat3<S> P = (S(1.0) / l.length) * (Mat3<S>::identity() - outer(l.n, l.n));
  const Mat3<S> r_A = skew(l.p.r_A), r_B = skew(l.p.r_B), n = skew(l.n);
  const Mat3<S> D[4] = {-P, P * r_A, P, -(P * r_B)};
  LineHessian<S> out;
  for (int c = 0; c < 4; ++c) {
    out.h[0][c] = -D[c];
    out.h[1][c] = -(r_A * D[c]);
    out.h[2][c] = D[c];
    out.h[3][c] = r_B * D[c];
  }
  out.h[1][1] -= n * r_A;
  out.h[3][3] += n * r_B;
  return out;
}

// --- |p_B - p_A| - (length + u(t)) = 0 ---------------------------------------------------------

template <class S>
void residual(const DistanceLock& lock, const S* c, const S* lambda, Workspace<S>& w, S* phi) {
  const auto l = line(lock.pair, c + lock.constants, w);
  S value = l.length - c[lock.constants + 6];
  if (lock.drive >= 0) value = value - w.drive[static_cast<std::size_t>(lock.drive)].value;
  phi[lock.row.row] = value;
  add_drive_power(lock.drive, lambda[lock.row.row], w);
  add_along(l.gradient, lambda[lock.row.row], w.body[static_cast<std::size_t>(lock.pair.body[0])],
            w.body[static_cast<std::size_t>(lock.pair.body[1])]);
}

template <class S>
void rates(const DistanceLock& lock, const S* c, const Workspace<S>& w, S* time_rate, S* bias) {
  const auto l = line(lock.pair, c + lock.constants, w);
  S rate(0.0), second = length_bias(l, w.body[static_cast<std::size_t>(lock.pair.body[0])],
                                    w.body[static_cast<std::size_t>(lock.pair.body[1])]);
  if (lock.drive >= 0) {
    const auto& u = w.drive[static_cast<std::size_t>(lock.drive)];
    rate = -u.rate;
    second = second - u.second;
  }
  add_known(lock.pair, l.gradient, w, rate, second);
  time_rate[lock.row.row] = rate;
  bias[lock.row.row] = second;
}

template <class S>
void tangent(const DistanceLock& lock, const S* c, const S* lambda, Workspace<S>& w) {
  const auto l = line(lock.pair, c + lock.constants, w);
  scatter_row(lock.pair, lock.row, l.gradient, w);
  const S multiplier = lambda[lock.row.row];
  const auto h = hessian(l);
  PairTangent<S> t;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) t.k[i][j] = multiplier * h.h[i][j];
  t.torque[0] = multiplier * l.gradient.g[1];
  t.torque[1] = multiplier * l.gradient.g[3];
  scatter(lock.pair, t, w);
}

// --- spring: tension F(L - L0, L̇) along the line -------------------------------------------------

template <class S>
struct Tension {
  S value, stiffness, damping;  ///< F, ∂F/∂L, ∂F/∂L̇
  S viscous, driven;            ///< the parts of F that the damper and the drive make
};

template <class S>
Tension<S> tension(const System& system, const SpringIndex& spring, const S* c, const S& length,
                   const S& length_rate, const Workspace<S>& w) {
  const auto& stiffness = system.characteristics[static_cast<std::size_t>(spring.stiffness)];
  const auto& damping = system.characteristics[static_cast<std::size_t>(spring.damping)];
  const auto f = stiffness.evaluate(
      c + system.characteristic_constants[static_cast<std::size_t>(spring.stiffness)],
      length - c[spring.constants + 6]);
  const auto d = damping.evaluate(
      c + system.characteristic_constants[static_cast<std::size_t>(spring.damping)], length_rate);
  S total = f.value + d.value + c[spring.constants + 7];
  S driven(0.0);
  if (spring.drive >= 0) {
    driven = w.drive[static_cast<std::size_t>(spring.drive)].value;
    total = total + driven;
  }
  return {total, f.slope, d.slope, d.value, driven};
}

template <class S>
void residual(const System& system, const SpringIndex& spring, const S* c, Workspace<S>& w) {
  auto& a = w.body[static_cast<std::size_t>(spring.pair.body[0])];
  auto& b = w.body[static_cast<std::size_t>(spring.pair.body[1])];
  const auto l = line(spring.pair, c + spring.constants, w);
  const S rate = rate_along(l.gradient, a, b);
  const auto f = tension(system, spring, c, l.length, rate, w);
  add_along(l.gradient, f.value, a, b);
  if (spring.drive >= 0) w.power.work = fnma(f.driven, rate, w.power.work);
  if (w.power.with_dissipation) w.power.dissipation = fma(f.viscous, rate, w.power.dissipation);
}

template <class S>
void tangent(const System& system, const SpringIndex& spring, const S* c, Workspace<S>& w) {
  const auto& a = w.body[static_cast<std::size_t>(spring.pair.body[0])];
  const auto& b = w.body[static_cast<std::size_t>(spring.pair.body[1])];
  const auto l = line(spring.pair, c + spring.constants, w);
  const auto& g = l.gradient.g;
  const auto f = tension(system, spring, c, l.length, rate_along(l.gradient, a, b), w);
  const auto h = hessian(l);
  const Vec3<S> velocity[4] = {a.v_W, a.w_W, b.v_W, b.w_W};
  PairTangent<S> t;
  t.damped = true;
  for (int j = 0; j < 4; ++j) {
    // ∂L̇/∂q at fixed velocities: Σ velocityᵀ ∂g/∂q.
    Vec3<S> rate_gradient;
    for (int i = 0; i < 4; ++i) rate_gradient += transpose_times(h.h[i][j], velocity[i]);
    const Vec3<S> slope = f.stiffness * g[j] + f.damping * rate_gradient;
    for (int i = 0; i < 4; ++i) {
      t.k[i][j] = f.value * h.h[i][j] + outer(g[i], slope);
      t.c[i][j] = f.damping * outer(g[i], g[j]);
    }
  }
  t.torque[0] = f.value * g[1];
  t.torque[1] = f.value * g[3];
  scatter(spring.pair, t, w);
}

}  // namespace tumble
