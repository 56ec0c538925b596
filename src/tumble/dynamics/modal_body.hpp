// A flexible body in a floating frame: what its modes add to the equations of the rigid body that
// it is without them (docs/theory/modal-bodies.md).
//
// A material point x (body axes, from the reference point) is at  p + R (x + Φ(x) q)  with few
// amplitudes q. With integrals over the mass of the undeformed body (Shabana, Dynamics of Multibody
// Systems, ch. 5; the names are those of ModalIndex),
//   S_i = ∫ Φ_i,   B_ij = ∫ Φ_i × Φ_j = -B_ji,   D_i(q) = ∫ x × Φ_i + Σ_j q_j B_ji,
//   ΔJ(q) = Σ q_i J_i + ½ Σ q_i q_j JJ_ij,   ∂J_i = J_i + Σ_j q_j JJ_ij,
//   s = Σ q_i S_i,   h = Σ q̇_i D_i,
// the kinetic energy beyond that of the rigid body is, with u = Rᵀ v,
//   T = u·(ω × s + ṡ) + ½ ω·ΔJ ω + ω·h + ½ Σ m_i q̇_i²
// and Lagrange's equations in quasi-coordinates (Boltzmann-Hamel) with it are, a = Rᵀ(v̇ - g),
//   R [ω̇ × s + ω × (ω × s) + 2 ω × ṡ + Σ q̈_i S_i]
//   s × a + ΔJ ω̇ + ω × ΔJ ω + ΔJ̇ ω + ω × h + Σ q̈_i D_i
//   S_i·a + D_i·ω̇ + m_i q̈_i - ½ ω·∂J_i ω + 2 ω·Σ_j q̇_j B_ji + Σ_j K_ij q_j + Σ_j C_ij q̇_j.
// Nothing is left out: energy and momentum are those of T for amplitudes of any size.
#pragma once
#include "tumble/dynamics/rigid_body.hpp"

namespace tumble {

/// A symmetric matrix by its six numbers: xx, yy, zz, xy, xz, yz.
template <class S>
struct Symmetric {
  S j[6]{};

  void add(const S& factor, const S* other) {
    for (int k = 0; k < 6; ++k) j[k] = fma(factor, other[k], j[k]);
  }
  Vec3<S> operator*(const Vec3<S>& x) const { return inertia_times(j, x); }
  Mat3<S> full() const { return inertia_matrix(j); }
};

/// The constants of a flexible body, its amplitudes and their rates.
template <class S>
struct ModalView {
  const ModalIndex& index;
  const S* c;
  const S *q, *v;  ///< amplitudes and their rates

  ModalView(const ModalIndex& of, const S* constants, const Workspace<S>& w)
      : index(of),
        c(constants + of.constants),
        q(w.mode_q.data() + of.first),
        v(w.mode_v.data() + of.first) {}

  int modes() const { return index.modes; }
  Vec3<S> shift(int i) const { return load3(c + index.S() + 3 * i); }
  Vec3<S> cross_integral(int i, int j) const {
    return load3(c + index.B() + 3 * (i * index.modes + j));
  }
  const S* curve(int i, int j) const { return c + index.JJ() + 6 * (i * index.modes + j); }
  const S& mass(int i) const { return c[index.mass() + i]; }
  const S& stiffness(int i, int j) const { return c[index.K() + i * index.modes + j]; }
  const S& damping(int i, int j) const { return c[index.C() + i * index.modes + j]; }

  /// Σ x_i S_i
  Vec3<S> sum_of_shifts(const S* x) const {
    Vec3<S> sum;
    for (int i = 0; i < modes(); ++i) sum += x[i] * shift(i);
    return sum;
  }
  /// Σ_j x_j B_ji
  Vec3<S> turned(const S* x, int i) const {
    Vec3<S> sum;
    for (int j = 0; j < modes(); ++j) sum += x[j] * cross_integral(j, i);
    return sum;
  }
  /// D_i(q)
  Vec3<S> angular(int i) const { return load3(c + index.D() + 3 * i) + turned(q, i); }
  /// Σ_j x_j JJ_ij
  Symmetric<S> curved(const S* x, int i) const {
    Symmetric<S> sum;
    for (int j = 0; j < modes(); ++j) sum.add(x[j], curve(i, j));
    return sum;
  }
  /// ∂J_i
  Symmetric<S> inertia_slope(int i) const {
    Symmetric<S> sum = curved(q, i);
    sum.add(S(1.0), c + index.J() + 6 * i);
    return sum;
  }
  S row_times(const S& (ModalView::*matrix)(int, int) const, int i, const S* x) const {
    S sum(0.0);
    for (int j = 0; j < modes(); ++j) sum = fma((this->*matrix)(i, j), x[j], sum);
    return sum;
  }
};

/// What follows from amplitudes and rates and is needed everywhere.
template <class S>
struct ModalSums {
  Vec3<S> s, s_rate, h;
  Symmetric<S> J, J_rate;  ///< ΔJ and its rate

  explicit ModalSums(const ModalView<S>& b)
      : s(b.sum_of_shifts(b.q)), s_rate(b.sum_of_shifts(b.v)) {
    for (int i = 0; i < b.modes(); ++i) {
      const Symmetric<S> slope = b.inertia_slope(i);
      J_rate.add(b.v[i], slope.j);
      // q_i J_i + ½ q_i (∂J_i - J_i)
      J.add(S(0.5) * b.q[i], slope.j);
      J.add(S(0.5) * b.q[i], b.c + b.index.J() + 6 * i);
      h += b.v[i] * b.angular(i);
    }
  }
};

/// Adds the terms above to the residual, and what locks have put on the modes.
template <class S>
TUMBLE_OUT_OF_LINE void modal_residual(const System& system, const S* c, const Vec3<S>& gravity,
                                       const S* vdot, Workspace<S>& w, S* out) {
  for (const ModalIndex& index : system.modal_bodies) {
    const ModalView<S> b(index, c, w);
    const auto& k = w.body[static_cast<std::size_t>(index.body)];
    const int own = system
                        .blocks[static_cast<std::size_t>(
                            system.bodies[static_cast<std::size_t>(index.body) - 1].block)]
                        .v,
              first = system.modal_v + index.first;
    const Vec3<S> a = transpose_times(k.R_WB, load3(vdot + own) - gravity),
                  turn = load3(vdot + own + 3), omega = k.w_B;
    const S* accelerations = vdot + first;
    const ModalSums<S> sums(b);
    const Vec3<S> force = cross(turn, sums.s) + cross(omega, cross(omega, sums.s)) +
                          S(2.0) * cross(omega, sums.s_rate) + b.sum_of_shifts(accelerations);
    add3(out + own, k.R_WB * force);
    Vec3<S> torque = cross(sums.s, a) + sums.J * turn + cross(omega, sums.J * omega + sums.h) +
                     sums.J_rate * omega;
    for (int i = 0; i < b.modes(); ++i) {
      const Vec3<S> D = b.angular(i);
      torque += accelerations[i] * D;
      S sum = dot(b.shift(i), a) + dot(D, turn) + b.mass(i) * accelerations[i] -
              S(0.5) * dot(omega, b.inertia_slope(i) * omega) +
              S(2.0) * dot(omega, b.turned(b.v, i)) + b.row_times(&ModalView<S>::stiffness, i, b.q);
      if (index.damped) {
        const S damping = b.row_times(&ModalView<S>::damping, i, b.v);
        sum = sum + damping;
        w.power.dissipation = fma(b.v[i], damping, w.power.dissipation);
      }
      out[first + i] = sum + w.mode_force[static_cast<std::size_t>(index.first + i)];
    }
    add3(out + own + 3, torque);
  }
}

/// Adds their derivatives to K, C and M.
template <class S>
TUMBLE_OUT_OF_LINE void modal_tangent(const System& system, const S* c, const Vec3<S>& gravity,
                                      const S* vdot, Workspace<S>& w) {
  for (const ModalIndex& index : system.modal_bodies) {
    const ModalView<S> b(index, c, w);
    const auto& k = w.body[static_cast<std::size_t>(index.body)];
    const RigidBodyIndex& body = system.bodies[static_cast<std::size_t>(index.body) - 1];
    const int own = system.blocks[static_cast<std::size_t>(body.block)].v;
    const Mat3<S>& R = k.R_WB;
    const Vec3<S> a = transpose_times(R, load3(vdot + own) - gravity), turn = load3(vdot + own + 3),
                  omega = k.w_B;
    const S* accelerations = vdot + system.modal_v + index.first;
    const ModalSums<S> sums(b);
    const Vec3<S> bend = cross(omega, sums.s);
    const Vec3<S> force = cross(turn, sums.s) + cross(omega, bend) +
                          S(2.0) * cross(omega, sums.s_rate) + b.sum_of_shifts(accelerations);
    const Mat3<S> s = skew(sums.s), w_skew = skew(omega), J = sums.J.full();
    add_block(w.M.data(), body.slots[0][1], -(R * s));
    add_block(w.M.data(), body.slots[1][0], s * transpose(R));
    add_block(w.M.data(), body.slots[1][1], J);
    add_block(w.C.data(), body.slots[0][1],
              -(R * (skew(bend) + w_skew * s + S(2.0) * skew(sums.s_rate))));
    add_block(w.C.data(), body.slots[1][1],
              w_skew * J - skew(sums.J * omega) + sums.J_rate.full() - skew(sums.h));
    add_block(w.K.data(), body.slots[0][1], -(R * skew(force)));
    add_block(w.K.data(), body.slots[1][1], s * skew(a));

    for (int i = 0; i < b.modes(); ++i) {
      const auto row = [&](std::vector<S>& matrix, int coordinate) -> S& {
        return matrix[static_cast<std::size_t>(index.mode_row[static_cast<std::size_t>(i)] +
                                               coordinate)];
      };
      const auto column = [&](std::vector<S>& matrix, int coordinate) -> S& {
        return matrix[static_cast<std::size_t>(
            index.body_row[static_cast<std::size_t>(coordinate)] + i)];
      };
      const auto add_rows = [&](std::vector<S>& matrix, int first, const Vec3<S>& x) {
        for (int n = 0; n < 3; ++n) row(matrix, first + n) = row(matrix, first + n) + x[n];
      };
      const auto add_columns = [&](std::vector<S>& matrix, int first, const Vec3<S>& x) {
        for (int n = 0; n < 3; ++n) column(matrix, first + n) = column(matrix, first + n) + x[n];
      };
      const Vec3<S> shift = b.shift(i), D = b.angular(i);
      const Symmetric<S> slope = b.inertia_slope(i), slope_rate = b.curved(b.v, i);
      const Vec3<S> gyration = b.turned(b.v, i);  // Σ q̇_j B_ji
      add_rows(w.M, 0, R * shift);
      add_columns(w.M, 0, R * shift);
      add_rows(w.M, 3, D);
      add_columns(w.M, 3, D);
      add_columns(w.C, 0, S(2.0) * (R * cross(omega, shift)));
      add_columns(w.C, 3, slope * omega + cross(omega, D));
      add_rows(w.C, 3, S(2.0) * gyration - slope * omega);
      add_columns(w.K, 0, R * (cross(turn, shift) + cross(omega, cross(omega, shift))));
      // B_ij = -B_ji: Σ_j B_ij q̇_j and Σ_j B_ij q̈_j are the opposites of sums over B_ji.
      add_columns(w.K, 3,
                  cross(shift, a) + slope * turn + cross(omega, slope * omega - gyration) +
                      slope_rate * omega - b.turned(accelerations, i));
      add_rows(w.K, 3, cross(shift, a));
      for (int j = 0; j < b.modes(); ++j) {
        const auto slot = static_cast<std::size_t>(index.own_row[static_cast<std::size_t>(i)] + j);
        const Vec3<S> B = b.cross_integral(j, i);
        Symmetric<S> curve;
        curve.add(S(1.0), b.curve(i, j));
        w.K[slot] =
            w.K[slot] + (b.stiffness(i, j) + dot(turn, B) - S(0.5) * dot(omega, curve * omega));
        w.C[slot] = w.C[slot] + fma(S(2.0), dot(omega, B), b.damping(i, j));
        if (i == j) w.M[slot] = w.M[slot] + b.mass(i);
      }
    }
  }
}

/// What a flexible body stores and carries beyond the rigid body that it is without its modes.
template <class S>
struct ModalState {
  S kinetic_energy{}, strain_energy{};
  Vec3<S> mass_moment;                 ///< ∫ R Φ q dm, ground axes
  Vec3<S> momentum, angular_momentum;  ///< the latter about the ground's origin
};

template <class S>
TUMBLE_OUT_OF_LINE ModalState<S> modal_state(const ModalIndex& index, const S* c,
                                             const Workspace<S>& w) {
  const ModalView<S> b(index, c, w);
  const auto& k = w.body[static_cast<std::size_t>(index.body)];
  const ModalSums<S> sums(b);
  const Vec3<S> u = transpose_times(k.R_WB, k.v_W), omega = k.w_B;
  const Vec3<S> flow = cross(omega, sums.s) + sums.s_rate, spin = sums.J * omega;
  ModalState<S> state;
  state.kinetic_energy = dot(u, flow) + S(0.5) * dot(omega, spin) + dot(omega, sums.h);
  for (int i = 0; i < b.modes(); ++i) {
    state.kinetic_energy = fma(S(0.5) * b.mass(i), b.v[i] * b.v[i], state.kinetic_energy);
    state.strain_energy =
        fma(S(0.5) * b.q[i], b.row_times(&ModalView<S>::stiffness, i, b.q), state.strain_energy);
  }
  state.mass_moment = k.R_WB * sums.s;
  state.momentum = k.R_WB * flow;
  state.angular_momentum =
      cross(k.p_W, state.momentum) + k.R_WB * (cross(sums.s, u) + spin + sums.h);
  return state;
}

}  // namespace tumble
