// ½ (y_A·x_B - x_A·y_B) = 0: the row of a constant velocity joint beside its point lock
// (docs/theory/constraints.md#twist-lock).
//
// With the relative rotation R_Aᵀ R_B as a quaternion the left side is 2 q_w q_z: it vanishes where
// the rotation vector has no component along z. A turn of both shafts by the same angle ψ changes
// the relative rotation to Rz(-ψ) R Rz(ψ), whose q_z is the same, so equal angles satisfy it at any
// bend: the joint is homokinetic.
#pragma once
#include "tumble/dynamics/locks.hpp"

namespace tumble {

template <class S>
struct TwistGeometry {
  Vec3<S> x_A, y_A, x_B, y_B;
  Vec3<S> gradient;  ///< with respect to δφ_A; with respect to δφ_B it is the opposite
};
template <class S>
TwistGeometry<S> geometry(const TwistLock& lock, const S* c, const Workspace<S>& w) {
  const auto& a = w.body[static_cast<std::size_t>(lock.pair.body[0])];
  const auto& b = w.body[static_cast<std::size_t>(lock.pair.body[1])];
  const auto& k = constants_of(lock, c);
  TwistGeometry<S> g{a.R_WB * k.x_A, a.R_WB * k.y_A, b.R_WB * k.x_B, b.R_WB * k.y_B, {}};
  g.gradient = S(0.5) * (cross(g.y_A, g.x_B) - cross(g.x_A, g.y_B));
  return g;
}

template <class S>
void residual(const TwistLock& lock, const S* c, const S* lambda, Workspace<S>& w, S* phi) {
  const auto g = geometry(lock, c, w);
  phi[lock.row.row] = S(0.5) * (dot(g.y_A, g.x_B) - dot(g.x_A, g.y_B));
  const Vec3<S> torque = lambda[lock.row.row] * g.gradient;
  w.body[static_cast<std::size_t>(lock.pair.body[0])].torque_W += torque;
  w.body[static_cast<std::size_t>(lock.pair.body[1])].torque_W -= torque;
}

/// d²(a·b)/dt² at zero accelerations, a and b fixed in bodies.
template <class S>
S dot_bias(const Vec3<S>& a, const Vec3<S>& b, const Vec3<S>& w_A, const Vec3<S>& w_B) {
  const Vec3<S> a_rate = cross(w_A, a), b_rate = cross(w_B, b);
  return dot(cross(w_A, a_rate), b) + S(2.0) * dot(a_rate, b_rate) + dot(a, cross(w_B, b_rate));
}

template <class S>
void rates(const TwistLock& lock, const S* c, const Workspace<S>& w, S* time_rate, S* bias) {
  const Vec3<S>& w_A = w.body[static_cast<std::size_t>(lock.pair.body[0])].w_W;
  const Vec3<S>& w_B = w.body[static_cast<std::size_t>(lock.pair.body[1])].w_W;
  const auto g = geometry(lock, c, w);
  S rate(0.0);
  S second = S(0.5) * (dot_bias(g.y_A, g.x_B, w_A, w_B) - dot_bias(g.x_A, g.y_B, w_A, w_B));
  add_known(lock.pair, PairGradient<S>{{{}, g.gradient, {}, -g.gradient}}, w, rate, second);
  time_rate[lock.row.row] = rate;
  bias[lock.row.row] = second;
}

template <class S>
void tangent(const TwistLock& lock, const S* c, const S* lambda, Workspace<S>& w) {
  const auto g = geometry(lock, c, w);
  scatter_row(lock.pair, lock.row, PairGradient<S>{{{}, g.gradient, {}, -g.gradient}}, w);
  const S l = lambda[lock.row.row], half = S(0.5) * l;
  const Mat3<S> x_A = skew(g.x_A), y_A = skew(g.y_A), x_B = skew(g.x_B), y_B = skew(g.y_B);
  // Of a·b each: b̃ ã in (A, A), -ã b̃ in (A, B), -b̃ ã in (B, A), ã b̃ in (B, B).
  const Mat3<S> ba = half * (x_B * y_A - y_B * x_A), ab = half * (y_A * x_B - x_A * y_B);
  PairTangent<S> t;
  t.k[1][1] = ba;
  t.k[1][3] = -ab;
  t.k[3][1] = -ba;
  t.k[3][3] = ab;
  t.torque[0] = l * g.gradient;
  t.torque[1] = -(l * g.gradient);
  scatter(lock.pair, t, w);
}

}  // namespace tumble
