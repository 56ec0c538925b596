// The lock of a massless body to a node of a flexible one (docs/theory/modal-bodies.md#nodes):
//   p_N - p - R u(q) = 0,  u = x + Σ q_i Φ_i          three rows in world axes
//   axial(Rᵀ R_N) - Σ q_i Ψ_i = 0                     three rows in the axes of the flexible body
// with axial(E)_z = ½ (E_yx - E_xy), the sine of the rotation angle along its axis: for the small
// rotations that modes describe, the rotation vector up to terms of third order. By the rows of the
// second kind a row is that of a twist lock about one axis, and its derivatives are those.
#pragma once
#include "tumble/dynamics/modal_body.hpp"
#include "tumble/dynamics/twist_lock.hpp"

namespace tumble {

/// The node at the workspace's kinematics.
template <class S>
struct NodePlace {
  const ModalIndex& body;
  const S* c;                   ///< the lock's
  Vec3<S> u_B, rate_B, turn_B;  ///< u, u̇ and Σ q_i Ψ_i

  NodePlace(const System& system, const NodeLock& lock, const S* constants, const Workspace<S>& w)
      : body(system.modal_bodies[static_cast<std::size_t>(lock.modal)]),
        c(constants + lock.constants) {
    u_B = load3(c);
    for (int i = 0; i < body.modes; ++i) {
      const auto at = static_cast<std::size_t>(body.first + i);
      u_B += w.mode_q[at] * displacement(i);
      rate_B += w.mode_v[at] * displacement(i);
      turn_B += w.mode_q[at] * rotation(i);
    }
  }
  Vec3<S> displacement(int i) const { return load3(c + 3 + 3 * i); }
  Vec3<S> rotation(int i) const { return load3(c + 3 + 3 * (body.modes + i)); }
};

/// Row k of the rotation: ½ (a_j·b_i - a_i·b_j) with i and j the axes after k.
template <class S>
TwistGeometry<S> turn_geometry(const Mat3<S>& R_A, const Mat3<S>& R_B, int k) {
  const int i = (k + 1) % 3, j = (k + 2) % 3;
  TwistGeometry<S> g{R_A.column(i), R_A.column(j), R_B.column(i), R_B.column(j), {}};
  g.gradient = S(0.5) * (cross(g.y_A, g.x_B) - cross(g.x_A, g.y_B));
  return g;
}

template <class S>
TUMBLE_OUT_OF_LINE void residual(const System& system, const NodeLock& lock, const S* c,
                                 const S* lambda, Workspace<S>& w, S* phi) {
  auto& a = w.body[static_cast<std::size_t>(lock.pair.body[0])];
  auto& b = w.body[static_cast<std::size_t>(lock.pair.body[1])];
  const NodePlace<S> node(system, lock, c, w);
  const Vec3<S> r = a.R_WB * node.u_B;
  store3(phi + lock.rows[0].row, b.p_W - (a.p_W + r));
  const Vec3<S> f = load3(lambda + lock.rows[0].row), t = load3(lambda + lock.rows[3].row);
  a.force_W -= f;
  b.force_W += f;
  a.torque_W -= cross(r, f);
  for (int k = 0; k < 3; ++k) {
    const auto g = turn_geometry(a.R_WB, b.R_WB, k);
    phi[lock.rows[3].row + k] = S(0.5) * (dot(g.y_A, g.x_B) - dot(g.x_A, g.y_B)) - node.turn_B[k];
    a.torque_W += t[k] * g.gradient;
    b.torque_W -= t[k] * g.gradient;
  }
  const Vec3<S> f_B = transpose_times(a.R_WB, f);
  for (int i = 0; i < node.body.modes; ++i) {
    S& force = w.mode_force[static_cast<std::size_t>(node.body.first + i)];
    force = force - dot(node.displacement(i), f_B) - dot(node.rotation(i), t);
  }
}

template <class S>
TUMBLE_OUT_OF_LINE void rates(const System& system, const NodeLock& lock, const S* c,
                              const Workspace<S>& w, S* time_rate, S* bias) {
  const auto& a = w.body[static_cast<std::size_t>(lock.pair.body[0])];
  const auto& b = w.body[static_cast<std::size_t>(lock.pair.body[1])];
  const NodePlace<S> node(system, lock, c, w);
  store3(time_rate + lock.rows[0].row, Vec3<S>{});
  store3(time_rate + lock.rows[3].row, Vec3<S>{});
  const Vec3<S> r = a.R_WB * node.u_B;
  store3(bias + lock.rows[0].row,
         -(cross(a.w_W, cross(a.w_W, r)) + S(2.0) * cross(a.w_W, a.R_WB * node.rate_B)));
  for (int k = 0; k < 3; ++k) {
    const auto g = turn_geometry(a.R_WB, b.R_WB, k);
    bias[lock.rows[3].row + k] =
        S(0.5) * (dot_bias(g.y_A, g.x_B, a.w_W, b.w_W) - dot_bias(g.x_A, g.y_B, a.w_W, b.w_W));
  }
}

template <class S>
TUMBLE_OUT_OF_LINE void tangent(const System& system, const NodeLock& lock, const S* c,
                                const S* lambda, Workspace<S>& w) {
  const auto& a = w.body[static_cast<std::size_t>(lock.pair.body[0])];
  const auto& b = w.body[static_cast<std::size_t>(lock.pair.body[1])];
  const NodePlace<S> node(system, lock, c, w);
  const ModalIndex& body = node.body;
  const Vec3<S> r = a.R_WB * node.u_B;
  const Vec3<S> f = load3(lambda + lock.rows[0].row), f_B = transpose_times(a.R_WB, f);
  PairTangent<S> t;
  t.k[1][1] = -(skew(f) * skew(r));
  t.torque[0] = -cross(r, f);
  for (int k = 0; k < 3; ++k) {
    Vec3<S> e;
    e[k] = S(1.0);
    scatter_row(lock.pair, lock.rows[static_cast<std::size_t>(k)],
                PairGradient<S>{{-e, cross(e, r), e, {}}}, w);
    const auto g = turn_geometry(a.R_WB, b.R_WB, k);
    scatter_row(lock.pair, lock.rows[static_cast<std::size_t>(3 + k)],
                PairGradient<S>{{{}, g.gradient, {}, -g.gradient}}, w);
    const S l = lambda[lock.rows[3].row + k], half = S(0.5) * l;
    const Mat3<S> x_A = skew(g.x_A), y_A = skew(g.y_A), x_B = skew(g.x_B), y_B = skew(g.y_B);
    const Mat3<S> ba = half * (x_B * y_A - y_B * x_A), ab = half * (y_A * x_B - x_A * y_B);
    t.k[1][1] += ba;
    t.k[1][3] -= ab;
    t.k[3][1] -= ba;
    t.k[3][3] += ab;
    t.torque[0] += l * g.gradient;
    t.torque[1] -= l * g.gradient;
  }
  scatter(lock.pair, t, w);

  const auto modes = static_cast<std::size_t>(body.modes);
  for (int i = 0; i < body.modes; ++i) {
    const Vec3<S> shift = node.displacement(i), turn = node.rotation(i), world = a.R_WB * shift;
    for (int k = 0; k < 6; ++k) {
      const S g = k < 3 ? -world[k] : -turn[k - 3];
      const auto row = static_cast<std::size_t>(k);
      w.K[static_cast<std::size_t>(lock.gradient[row] + i)] = g;
      w.K[static_cast<std::size_t>(lock.transpose[row * modes + static_cast<std::size_t>(i)])] = g;
    }
    // The force turns with the body: δ(-u × Rᵀ f) by q_i, and δ(-Φ_i·Rᵀ f) by δθ.
    const Vec3<S> turned = cross(shift, f_B);
    for (int n = 0; n < 3; ++n) {
      S& column = w.K[static_cast<std::size_t>(body.body_row[static_cast<std::size_t>(3 + n)] + i)];
      S& row = w.K[static_cast<std::size_t>(body.mode_row[static_cast<std::size_t>(i)] + 3 + n)];
      column = column - turned[n];
      row = row - turned[n];
    }
  }
}

}  // namespace tumble
