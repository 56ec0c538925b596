// The distance between two points, and the lock that keeps it.
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
Line<S> line(const PairIndex& pair, const PairPoints<S>& ends, const Workspace<S>& w) {
  Line<S> l;
  l.p = point_pair(w.body[static_cast<std::size_t>(pair.body[0])],
                   w.body[static_cast<std::size_t>(pair.body[1])], ends.r_A, ends.r_B);
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

/// The tangent of a tension F(L, L̇) along the line, with its derivatives by L and L̇.
template <class S>
PairTangent<S> line_tangent(const Line<S>& l, const S& tension, const S& stiffness,
                            const S& damping, const BodyKinematics<S>& a,
                            const BodyKinematics<S>& b) {
  const auto& g = l.gradient.g;
  const auto h = hessian(l);
  const Vec3<S> velocity[4] = {a.v_W, a.w_W, b.v_W, b.w_W};
  PairTangent<S> t;
  t.damped = true;
  for (int j = 0; j < 4; ++j) {
    // ∂L̇/∂q at fixed velocities: Σ velocityᵀ ∂g/∂q.
    Vec3<S> rate_gradient;
    for (int i = 0; i < 4; ++i) rate_gradient += transpose_times(h.h[i][j], velocity[i]);
    const Vec3<S> slope = stiffness * g[j] + damping * rate_gradient;
    for (int i = 0; i < 4; ++i) {
      t.k[i][j] = tension * h.h[i][j] + outer(g[i], slope);
      t.c[i][j] = damping * outer(g[i], g[j]);
    }
  }
  t.torque[0] = tension * g[1];
  t.torque[1] = tension * g[3];
  return t;
}

// --- |p_B - p_A| - (length + u(t)) = 0 ---------------------------------------------------------

template <class S>
void residual(const DistanceLock& lock, const S* c, const S* lambda, Workspace<S>& w, S* phi) {
  const auto& k = constants_of(lock, c);
  const auto l = line(lock.pair, k.ends, w);
  S value = l.length - k.length;
  if (lock.drive >= 0) value = value - w.drive[static_cast<std::size_t>(lock.drive)].value;
  phi[lock.row.row] = value;
  add_drive_power(lock.drive, lambda[lock.row.row], w);
  add_along(l.gradient, lambda[lock.row.row], w.body[static_cast<std::size_t>(lock.pair.body[0])],
            w.body[static_cast<std::size_t>(lock.pair.body[1])]);
}

template <class S>
void rates(const DistanceLock& lock, const S* c, const Workspace<S>& w, S* time_rate, S* bias) {
  const auto l = line(lock.pair, constants_of(lock, c).ends, w);
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
  const auto l = line(lock.pair, constants_of(lock, c).ends, w);
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

}  // namespace tumble
