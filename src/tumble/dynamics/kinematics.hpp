// From coordinates and time to the kinematics that element kernels read.
#pragma once
#include "tumble/dynamics/workspace.hpp"

namespace tumble {

/// Reads positions and velocities into bodies, beams and modes and clears what acts on them. What
/// is prescribed stays as update_drives() left it.
template <class S>
TUMBLE_FLATTEN void update_bodies(const System& system, const S* q, const S* v, Workspace<S>& w) {
  for (std::size_t i = 0; i < system.bodies.size(); ++i) {
    BodyKinematics<S>& b = w.body[i + 1];
    b.force_W = {};
    b.torque_W = {};
    if (system.bodies[i].block < 0) continue;
    const Block& block = system.blocks[static_cast<std::size_t>(system.bodies[i].block)];
    const S* qi = q + block.q;
    const S* vi = v + block.v;
    b.p_W = load3(qi);
    b.v_W = load3(vi);
    if (block.kind == Block::Kind::linear) continue;
    b.q_WB = {qi[3], qi[4], qi[5], qi[6]};
    b.R_WB = matrix(b.q_WB);
    b.w_B = load3(vi + 3);
    b.w_W = b.R_WB * b.w_B;
  }
  for (int k = 0; k < system.beam_size; ++k) {
    const auto i = static_cast<std::size_t>(k);
    w.node_q[i] = q[system.beam_q + k];
    w.node_v[i] = v[system.beam_v + k];
    w.node_force[i] = S(0.0);
  }
  for (int k = 0; k < system.modal_size; ++k) {
    const auto i = static_cast<std::size_t>(k);
    w.mode_q[i] = q[system.modal_q + k];
    w.mode_v[i] = v[system.modal_v + k];
    w.mode_force[i] = S(0.0);
  }
  for (std::size_t i = 0; i < system.states.size(); ++i) w.state[i] = v[system.states[i].v];
}

/// R exp(θ(t)) and its first two time derivatives. With the quaternion e = exp(θ) carried as
/// Taylor2 numbers through c = cos(|θ|/2) and s = sin(|θ|/2)/|θ|, both functions of |θ|², the
/// derivatives are exact for any combination of imposed rotations.
template <class S>
TurnedAxesValue<S> turn_axes(const TurnedAxes& turned, const S* c, const Taylor2<S>* drive) {
  using T = Taylor2<S>;
  T theta[3];
  for (std::size_t k = 0; k < 3; ++k)
    if (turned.drive[k] >= 0) theta[k] = drive[turned.drive[k]];
  const T t = theta[0] * theta[0] + theta[1] * theta[1] + theta[2] * theta[2];
  // With x = t/4: cos √x, ½ sin √x / √x and their derivatives with respect to t.
  const S x = S(0.25) * t.value;
  const auto a = rotation_coefficients(x);
  const S cosine = S(1.0) - x * a.cosc;
  // d/dx cos √x = -½ sinc; d/dx sinc = (cos - sinc)/(2x) = -½ (cosc - sinc_rest) in stable form;
  // d²/dx² sinc by the series below, with the closed form where x is large.
  const S sinc1 = S(-0.5) * (a.cosc - a.sinc_rest);
  S sinc2(0.0);
  {
    // d² sinc/dx² = Σ_{k>=2} k (k-1) (-x)^(k-2) / (2k+1)!
    S sum(0.0);
    double factorial = 1;
    double coefficient[13];
    for (int k = 1; k <= 12; ++k) {
      factorial *= double(2 * k) * double(2 * k + 1);
      coefficient[k] = double(k) * double(k - 1) / factorial;
    }
    for (int k = 12; k >= 2; --k) sum = S(coefficient[k]) - x * sum;
    const auto large = x > S(4.0);
    const S safe = select(large, x, S(1.0));
    // From x s'' = -(3/2) s' - s/4, the equation sinc obeys.
    sinc2 = select(large, -(S(1.5) * sinc1 + S(0.25) * a.sinc) / safe, sum);
  }
  const T w = chain(t, cosine, S(-0.125) * a.sinc, S(-0.03125) * sinc1);
  const T s = chain(t, S(0.5) * a.sinc, S(0.125) * sinc1, S(0.03125) * sinc2);
  const T qx = s * theta[0], qy = s * theta[1], qz = s * theta[2];
  const T one{S(1.0), S(0.0), S(0.0)};
  const S two(2.0);
  const T m[9] = {one - two * (qy * qy + qz * qz), two * (qx * qy - w * qz),
                  two * (qx * qz + w * qy),        two * (qx * qy + w * qz),
                  one - two * (qx * qx + qz * qz), two * (qy * qz - w * qx),
                  two * (qx * qz - w * qy),        two * (qy * qz + w * qx),
                  one - two * (qx * qx + qy * qy)};
  const Mat3<S> R_BA = constants_of(turned, c).R_BA;
  TurnedAxesValue<S> out;
  for (int j = 0; j < 3; ++j) {
    out.axis[j] = R_BA * Vec3<S>{m[j].value, m[3 + j].value, m[6 + j].value};
    out.rate[j] = R_BA * Vec3<S>{m[j].rate, m[3 + j].rate, m[6 + j].rate};
    out.second[j] = R_BA * Vec3<S>{m[j].second, m[3 + j].second, m[6 + j].second};
  }
  return out;
}

/// The rotation that a joint imposes on its second body, from that of its first:
/// R_B = R_A exp(θ(t)) in the joint's frames, with two time derivatives. For axes a_j(t) of a
/// turning frame, ω = ½ Σ a_j × ȧ_j and ω̇ = ½ Σ a_j × ä_j.
template <class S>
void impose_rotation(const Prescribed& prescribed, const System& system, const S* c,
                     const Vec3<S>& parent_alpha, Workspace<S>& w,
                     PrescribedMotionValue<S>& motion) {
  const auto& parent = w.body[static_cast<std::size_t>(prescribed.parent)];
  auto& b = w.body[static_cast<std::size_t>(prescribed.body)];
  const auto& k = constants_of(prescribed, c);
  const Quaternion<S> q_WA = parent.q_WB * k.q_A;
  Quaternion<S> q_WJ = q_WA;
  b.w_W = parent.w_W;
  motion.alpha_W = parent_alpha;
  if (prescribed.turned >= 0) {
    const auto& axes = system.turned_axes[static_cast<std::size_t>(prescribed.turned)];
    const auto& turned = w.turned[static_cast<std::size_t>(prescribed.turned)];
    S theta[3];
    Vec3<S> spin, spin_rate;
    for (std::size_t j = 0; j < 3; ++j) {
      const int drive = axes.drive[j];
      theta[j] = drive >= 0 ? w.drive[static_cast<std::size_t>(drive)].value : S(0.0);
      spin += S(0.5) * cross(turned.axis[j], turned.rate[j]);
      spin_rate += S(0.5) * cross(turned.axis[j], turned.second[j]);
    }
    q_WJ = q_WA * exp_quaternion(load3(theta));
    const Vec3<S> spin_W = parent.R_WB * spin;
    b.w_W += spin_W;
    motion.alpha_W += cross(parent.w_W, spin_W) + parent.R_WB * spin_rate;
  }
  b.q_WB = normalized(q_WJ * conjugate(k.q_B));
  b.R_WB = matrix(b.q_WB);
  b.w_B = transpose_times(b.R_WB, b.w_W);
  motion.alpha_B = transpose_times(b.R_WB, motion.alpha_W);
  motion.R_WA = matrix(q_WA);
  motion.offset_W = parent.R_WB * k.r_A - b.R_WB * k.r_B;
  motion.placed = true;
}

/// The motion that a joint imposes on its second body, from that of its first. The points of the
/// joint are ρ = r_A + Σ u_k(t) e_k and r_B away from the reference points: p_B = p_A + ρ - r_B.
template <class S>
void impose(const Prescribed& prescribed, const System& system, const S* c, Workspace<S>& w,
            PrescribedMotionValue<S>& motion) {
  const auto& parent = w.body[static_cast<std::size_t>(prescribed.parent)];
  auto& b = w.body[static_cast<std::size_t>(prescribed.body)];
  Vec3<S> parent_a, parent_alpha;
  if (prescribed.parent > 0) {
    const int p = system.bodies[static_cast<std::size_t>(prescribed.parent) - 1].prescribed;
    parent_a = w.prescribed[static_cast<std::size_t>(p)].a_W;
    parent_alpha = w.prescribed[static_cast<std::size_t>(p)].alpha_W;
  }
  if (!(prescribed.steady && motion.placed))
    impose_rotation(prescribed, system, c, parent_alpha, w, motion);
  if (!prescribed.translation) return;

  Vec3<S> slide, slide_rate, slide_second;
  for (int j = 0; j < 3; ++j) {
    const int drive = prescribed.displacement[static_cast<std::size_t>(j)];
    if (drive < 0) continue;
    const auto& u = w.drive[static_cast<std::size_t>(drive)];
    const Vec3<S> e = motion.R_WA.column(j);
    slide += u.value * e;
    slide_rate += u.rate * e;
    slide_second += u.second * e;
  }
  b.p_W = parent.p_W + motion.offset_W + slide;
  b.v_W = parent.v_W + slide_rate;
  motion.a_W = parent_a + slide_second;
  if (prescribed.steady) return;
  const Vec3<S> r = b.R_WB * constants_of(prescribed, c).r_B, rho = motion.offset_W + r + slide;
  b.v_W += cross(parent.w_W, rho) - cross(b.w_W, r);
  motion.a_W += cross(parent_alpha, rho) + cross(parent.w_W, cross(parent.w_W, rho)) +
                S(2.0) * cross(parent.w_W, slide_rate) - cross(motion.alpha_W, r) -
                cross(b.w_W, cross(b.w_W, r));
}

/// The axes that drives turn and the bodies they move, drives being as the workspace has them.
template <class S>
void follow_drives(const System& system, const S* c, Workspace<S>& w) {
  for (std::size_t i = 0; i < system.turned_axes.size(); ++i)
    w.turned[i] = turn_axes(system.turned_axes[i], c, w.drive.data());
  for (std::size_t i = 0; i < system.prescribed.size(); ++i)
    impose(system.prescribed[i], system, c, w, w.prescribed[i]);
}

/// Evaluates all drives at time t, choosing their pieces by `inside`, and the bodies they move.
template <class S>
void update_drives(const System& system, const S* c, double t, double inside, Workspace<S>& w) {
  w.time = t;
  system.drives.evaluate(c + system.drive_constants, t, inside, w.drive.data());
  follow_drives(system, c, w);
}

/// q ∘ exp(u): the positions reached from q by the increment u (body rotation vectors).
template <class S>
TUMBLE_FLATTEN void compose(const System& system, const S* q, const S* u, S* out) {
  for (const Block& block : system.blocks) {
    const S* qi = q + block.q;
    const S* ui = u + block.v;
    S* oi = out + block.q;
    if (block.kind == Block::Kind::linear) {
      for (int k = 0; k < block.nv; ++k) oi[k] = qi[k] + ui[k];
      continue;
    }
    for (int k = 0; k < 3; ++k) oi[k] = qi[k] + ui[k];
    const Quaternion<S> r =
        renormalized(Quaternion<S>{qi[3], qi[4], qi[5], qi[6]} * exp_quaternion(load3(ui + 3)));
    oi[3] = r.w, oi[4] = r.x, oi[5] = r.y, oi[6] = r.z;
  }
}

// For one realisation they are compiled once, in equations.cpp.
extern template void update_bodies<double>(const System&, const double*, const double*,
                                           Workspace<double>&);
extern template void update_drives<double>(const System&, const double*, double, double,
                                           Workspace<double>&);
extern template void compose<double>(const System&, const double*, const double*, double*);

}  // namespace tumble
