// Constraint primitives: the rows every joint is made of (docs/theory/constraints.md).
//
// Locks answer three questions at the bodies' current kinematics:
//   residual:  values φ(q, t), and multipliers' forces λ ∂φ/∂q added to the bodies; the locks of a
//              joint together
//   rates:     ∂φ/∂t at fixed unknowns, which includes the prescribed motion of bodies, and the
//              bias of d²φ/dt² (its value when the unknown accelerations are zero)
//   tangent:   its gradient rows, and λ times the derivative of the gradient (geometric stiffness)
#pragma once
#include "tumble/dynamics/pair_tangent.hpp"

namespace tumble {

template <class S>
struct ConstraintRates {
  S time_rate{};  ///< ∂φ/∂t
  S bias{};       ///< d²φ/dt² at zero accelerations
};

/// Two points with world offsets r from their bodies' reference points, and their difference d.
template <class S>
struct PointPair {
  Vec3<S> r_A, r_B, d;
};
template <class S>
PointPair<S> point_pair(const BodyKinematics<S>& a, const BodyKinematics<S>& b,
                        const Vec3<S>& r_A_local, const Vec3<S>& r_B_local) {
  PointPair<S> p;
  p.r_A = a.R_WB * r_A_local;
  p.r_B = b.R_WB * r_B_local;
  p.d = (b.p_W + p.r_B) - (a.p_W + p.r_A);
  return p;
}
/// d(p_B - p_A)/dt.
template <class S>
Vec3<S> difference_rate(const BodyKinematics<S>& a, const BodyKinematics<S>& b,
                        const PointPair<S>& p) {
  return (b.v_W + cross(b.w_W, p.r_B)) - (a.v_W + cross(a.w_W, p.r_A));
}
/// d²(p_B - p_A)/dt² at zero accelerations.
template <class S>
Vec3<S> difference_bias(const BodyKinematics<S>& a, const BodyKinematics<S>& b,
                        const PointPair<S>& p) {
  return cross(b.w_W, cross(b.w_W, p.r_B)) - cross(a.w_W, cross(a.w_W, p.r_A));
}

// --- p_B - p_A = 0 ---------------------------------------------------------------------------

template <class S>
void rates(const PointLock& lock, const S* c, const Workspace<S>& w, S* time_rate, S* bias) {
  const auto& a = w.body[static_cast<std::size_t>(lock.pair.body[0])];
  const auto& b = w.body[static_cast<std::size_t>(lock.pair.body[1])];
  const auto& k = constants_of(lock, c);
  const auto p = point_pair(a, b, k.r_A, k.r_B);
  const auto known = known_motion(lock.pair, w);
  const auto difference = [&p](const Vec3<S>(&x)[4]) {
    return (x[2] + cross(x[3], p.r_B)) - (x[0] + cross(x[1], p.r_A));
  };
  store3(time_rate + lock.rows[0].row, difference(known.velocity));
  store3(bias + lock.rows[0].row, difference_bias(a, b, p) + difference(known.acceleration));
}

template <class S>
void tangent(const PointLock& lock, const S* c, const S* lambda, Workspace<S>& w) {
  const auto& a = w.body[static_cast<std::size_t>(lock.pair.body[0])];
  const auto& b = w.body[static_cast<std::size_t>(lock.pair.body[1])];
  const auto& k = constants_of(lock, c);
  const auto p = point_pair(a, b, k.r_A, k.r_B);
  for (int i = 0; i < 3; ++i) {
    const RowIndex& row = lock.rows[static_cast<std::size_t>(i)];
    Vec3<S> e;
    e[i] = S(1.0);
    const Vec3<S> rotation[2] = {cross(e, p.r_A), cross(p.r_B, e)};
    for (std::size_t body = 0; body < 2; ++body) {
      const std::size_t translation = 2 * body, rotational = 2 * body + 1;
      if (row.gradient[translation] < 0) continue;  // nor is a rotation unknown then
      const S sign(body == 0 ? -1.0 : 1.0);
      w.K[static_cast<std::size_t>(row.gradient[translation])] = sign;
      w.K[static_cast<std::size_t>(row.transpose[translation][static_cast<std::size_t>(i)])] = sign;
      if (row.gradient[rotational] < 0) continue;
      const Vec3<S> g = transpose_times(w.body[static_cast<std::size_t>(lock.pair.body[body])].R_WB,
                                        rotation[body]);
      for (int j = 0; j < 3; ++j) {
        w.K[static_cast<std::size_t>(row.gradient[rotational] + j)] = g[j];
        w.K[static_cast<std::size_t>(row.transpose[rotational][static_cast<std::size_t>(j)])] =
            g[j];
      }
    }
  }
  // τ_B = r_B × λ turns with the body: (δφ × r) × λ = λ̃ r̃ δφ.
  const Vec3<S> f = load3(lambda + lock.rows[0].row);
  PairTangent<S> t;
  t.k[1][1] = -(skew(f) * skew(p.r_A));
  t.k[3][3] = skew(f) * skew(p.r_B);
  t.torque[0] = -cross(p.r_A, f);
  t.torque[1] = cross(p.r_B, f);
  scatter(lock.pair, t, w);
}

// --- e_A · (p_B - p_A) - u(t) = 0 --------------------------------------------------------------
// δφ = e·δp_B + (r_B × e)·δφ_B - e·δp_A + (e × ρ)·δφ_A,  ρ = r_A + d.

template <class S>
struct AxisLockGeometry {
  PointPair<S> p;
  Vec3<S> e, rho;
  PairGradient<S> gradient;
};
template <class S>
AxisLockGeometry<S> geometry(const AxisLock& lock, const S* c, const Workspace<S>& w) {
  const auto& a = w.body[static_cast<std::size_t>(lock.pair.body[0])];
  const auto& b = w.body[static_cast<std::size_t>(lock.pair.body[1])];
  const auto& k = constants_of(lock, c);
  AxisLockGeometry<S> g;
  g.p = point_pair(a, b, k.r_A, k.r_B);
  g.e = a.R_WB * k.e_A;
  g.rho = g.p.r_A + g.p.d;
  g.gradient = {{-g.e, cross(g.e, g.rho), g.e, cross(g.p.r_B, g.e)}};
  return g;
}

template <class S>
void rates(const AxisLock& lock, const S* c, const Workspace<S>& w, S* time_rate, S* bias) {
  const auto& a = w.body[static_cast<std::size_t>(lock.pair.body[0])];
  const auto& b = w.body[static_cast<std::size_t>(lock.pair.body[1])];
  const auto g = geometry(lock, c, w);
  const Vec3<S> e_rate = cross(a.w_W, g.e);
  S value = dot(cross(a.w_W, e_rate), g.p.d) + S(2.0) * dot(e_rate, difference_rate(a, b, g.p)) +
            dot(g.e, difference_bias(a, b, g.p));
  S rate(0.0);
  if (lock.drive >= 0) {
    const auto& u = w.drive[static_cast<std::size_t>(lock.drive)];
    rate = -u.rate;
    value = value - u.second;
  }
  add_known(lock.pair, g.gradient, w, rate, value);
  time_rate[lock.row.row] = rate;
  bias[lock.row.row] = value;
}

template <class S>
void tangent(const AxisLock& lock, const S* c, const S* lambda, Workspace<S>& w) {
  const auto g = geometry(lock, c, w);
  scatter_row(lock.pair, lock.row, g.gradient, w);
  const S l = lambda[lock.row.row];
  const Mat3<S> e = l * skew(g.e), r_B = skew(g.p.r_B);
  PairTangent<S> t;
  t.k[0][1] = e;
  t.k[2][1] = -e;
  t.k[3][1] = -(r_B * e);
  t.k[3][3] = e * r_B;
  t.k[1][0] = -e;
  t.k[1][1] = skew(g.rho) * e;
  t.k[1][2] = e;
  t.k[1][3] = -(e * r_B);
  t.torque[0] = l * g.gradient.g[1];
  t.torque[1] = l * g.gradient.g[3];
  scatter(lock.pair, t, w);
}

// --- a · b = 0 ----------------------------------------------------------------------------------
// δφ = (a × b)·δφ_A + (b × a)·δφ_B.

template <class S>
struct DotLockGeometry {
  Vec3<S> a, b;
  Vec3<S> a_rate, a_second;  ///< of a within its body, world axes; zero unless turned by drives
};
template <class S>
DotLockGeometry<S> geometry(const DotLock& lock, const S* c, const Workspace<S>& w) {
  const Mat3<S>& R_A = w.body[static_cast<std::size_t>(lock.pair.body[0])].R_WB;
  const auto& k = constants_of(lock, c);
  DotLockGeometry<S> g;
  g.b = w.body[static_cast<std::size_t>(lock.pair.body[1])].R_WB * k.b_B;
  if (lock.turned < 0) {
    g.a = R_A * k.a_A;
  } else {
    const auto& turned = w.turned[static_cast<std::size_t>(lock.turned)];
    g.a = R_A * turned.axis[lock.axis];
    g.a_rate = R_A * turned.rate[lock.axis];
    g.a_second = R_A * turned.second[lock.axis];
  }
  return g;
}

template <class S>
void rates(const DotLock& lock, const S* c, const Workspace<S>& w, S* time_rate, S* bias) {
  const Vec3<S>& w_A = w.body[static_cast<std::size_t>(lock.pair.body[0])].w_W;
  const Vec3<S>& w_B = w.body[static_cast<std::size_t>(lock.pair.body[1])].w_W;
  const auto g = geometry(lock, c, w);
  const Vec3<S> a_rate = cross(w_A, g.a) + g.a_rate, b_rate = cross(w_B, g.b);
  const Vec3<S> a_bias = cross(w_A, cross(w_A, g.a)) + S(2.0) * cross(w_A, g.a_rate) + g.a_second;
  S rate = dot(g.a_rate, g.b);
  S value = dot(a_bias, g.b) + S(2.0) * dot(a_rate, b_rate) + dot(g.a, cross(w_B, b_rate));
  const Vec3<S> ab = cross(g.a, g.b);
  add_known(lock.pair, PairGradient<S>{{{}, ab, {}, -ab}}, w, rate, value);
  time_rate[lock.row.row] = rate;
  bias[lock.row.row] = value;
}

template <class S>
void tangent(const DotLock& lock, const S* c, const S* lambda, Workspace<S>& w) {
  const auto g = geometry(lock, c, w);
  const Vec3<S> ab = cross(g.a, g.b);
  scatter_row(lock.pair, lock.row, PairGradient<S>{{{}, ab, {}, -ab}}, w);
  const S l = lambda[lock.row.row];
  const Mat3<S> ba = l * (skew(g.b) * skew(g.a)), a_b = l * (skew(g.a) * skew(g.b));
  PairTangent<S> t;
  t.k[1][1] = ba;
  t.k[1][3] = -a_b;
  t.k[3][1] = -ba;
  t.k[3][3] = a_b;
  t.torque[0] = l * ab;
  t.torque[1] = -(l * ab);
  scatter(lock.pair, t, w);
}

// --- the locks of a joint ------------------------------------------------------------------------

/// Adds the work of an imposed displacement, φ = ... - u(t): the joint does λ ∂φ/∂t = -λ u̇ on all
/// that it touches, because G v = -∂φ/∂t.
template <class S>
void add_drive_power(int drive, const S& lambda, Workspace<S>& w) {
  if (drive >= 0)
    w.power.work = fnma(lambda, w.drive[static_cast<std::size_t>(drive)].rate, w.power.work);
}

/// A vector fixed in a body, in world axes; the ground's axes are the world's.
template <class S>
Vec3<S> to_world(const std::array<int, 2>& body, std::size_t end, const BodyKinematics<S>& b,
                 const S* x) {
  return body[end] == 0 ? load3(x) : b.R_WB * load3(x);
}

/// The work of imposed rotations, λ ∂φ/∂t of the rows whose axes on the first body they turn. Out
/// of line: few joints have them, and the registers they want would be missing in the rows of all.
template <class S>
[[gnu::noinline]] void add_turning_power(const JointLocks& locks, const S* c, const S* lambda,
                                         Workspace<S>& w) {
  const auto& a = w.body[static_cast<std::size_t>(locks.body[0])];
  const auto& b = w.body[static_cast<std::size_t>(locks.body[1])];
  for (int k = 0; k < locks.dot_count; ++k) {
    const auto& row = locks.dots[static_cast<std::size_t>(k)];
    if (row.turned < 0) continue;
    const Vec3<S> rate = a.R_WB * w.turned[static_cast<std::size_t>(row.turned)].rate[row.axis];
    const Vec3<S> e_B = to_world(locks.body, 1, b, c + row.b);
    w.power.work = fma(lambda[row.row], dot(rate, e_B), w.power.work);
  }
}

template <class S>
void residual(const JointLocks& locks, const S* c, const S* lambda, Workspace<S>& w, S* phi) {
  auto& a = w.body[static_cast<std::size_t>(locks.body[0])];
  auto& b = w.body[static_cast<std::size_t>(locks.body[1])];
  Vec3<S> torque_A, torque_B;
  if (locks.r_A >= 0) {
    const Vec3<S> r_A = to_world(locks.body, 0, a, c + locks.r_A);
    const Vec3<S> r_B = to_world(locks.body, 1, b, c + locks.r_B);
    const Vec3<S> d = (b.p_W + r_B) - (a.p_W + r_A);
    Vec3<S> f, arm_A = r_A;
    if (locks.point_row >= 0) {
      store3(phi + locks.point_row, d);
      f = load3(lambda + locks.point_row);
    } else {
      arm_A = r_A + d;
      for (int k = 0; k < locks.axis_count; ++k) {
        const auto& axis = locks.axes[static_cast<std::size_t>(k)];
        const Vec3<S> e = to_world(locks.body, 0, a, c + axis.e);
        S value = dot(e, d);
        if (axis.drive >= 0) value = value - w.drive[static_cast<std::size_t>(axis.drive)].value;
        phi[axis.row] = value;
        add_drive_power(axis.drive, lambda[axis.row], w);
        f += lambda[axis.row] * e;
      }
    }
    a.force_W -= f;
    b.force_W += f;
    torque_A = cross(arm_A, f);
    torque_B = cross(r_B, f);
  }
  Vec3<S> e_A;
  for (int k = 0, last = -1; k < locks.dot_count; ++k) {
    const auto& row = locks.dots[static_cast<std::size_t>(k)];
    if (row.a != last)
      e_A = row.turned < 0 ? to_world(locks.body, 0, a, c + row.a)
                           : a.R_WB * w.turned[static_cast<std::size_t>(row.turned)].axis[row.axis];
    last = row.a;
    const Vec3<S> e_B = to_world(locks.body, 1, b, c + row.b);
    phi[row.row] = dot(e_A, e_B);
    const Vec3<S> torque = lambda[row.row] * cross(e_A, e_B);
    torque_A -= torque;
    torque_B -= torque;
  }
  a.torque_W -= torque_A;
  b.torque_W += torque_B;
  if (locks.turns) add_turning_power(locks, c, lambda, w);
}

}  // namespace tumble
