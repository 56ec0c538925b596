// From coordinates and time to the kinematics that element kernels read.
#pragma once
#include "tumble/dynamics/workspace.hpp"

namespace tumble {

/// Reads positions and velocities into the bodies and clears their wrenches.
template <class S>
void update_bodies(const System& system, const S* q, const S* v, Workspace<S>& w) {
  for (std::size_t i = 0; i < system.bodies.size(); ++i) {
    const Block& block = system.blocks[static_cast<std::size_t>(system.bodies[i].block)];
    const S* qi = q + block.q;
    const S* vi = v + block.v;
    BodyKinematics<S>& b = w.body[i + 1];
    b.p_W = load3(qi);
    b.q_WB = {qi[3], qi[4], qi[5], qi[6]};
    b.R_WB = matrix(b.q_WB);
    b.v_W = load3(vi);
    b.w_B = load3(vi + 3);
    b.w_W = b.R_WB * b.w_B;
    b.force_W = {};
    b.torque_W = {};
  }
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
  const Mat3<S> R_BA = load9(c + turned.constants);
  TurnedAxesValue<S> out;
  for (int j = 0; j < 3; ++j) {
    out.axis[j] = R_BA * Vec3<S>{m[j].value, m[3 + j].value, m[6 + j].value};
    out.rate[j] = R_BA * Vec3<S>{m[j].rate, m[3 + j].rate, m[6 + j].rate};
    out.second[j] = R_BA * Vec3<S>{m[j].second, m[3 + j].second, m[6 + j].second};
  }
  return out;
}

/// Evaluates all drives at time t, choosing their pieces by `inside`.
template <class S>
void update_drives(const System& system, const S* c, double t, double inside, Workspace<S>& w) {
  w.time = t;
  system.drives.evaluate(c + system.drive_constants, t, inside, w.drive.data());
  for (std::size_t i = 0; i < system.turned_axes.size(); ++i)
    w.turned[i] = turn_axes(system.turned_axes[i], c, w.drive.data());
}

/// q ∘ exp(u): the positions reached from q by the increment u (body rotation vectors).
template <class S>
void compose(const System& system, const S* q, const S* u, S* out) {
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

}  // namespace tumble
