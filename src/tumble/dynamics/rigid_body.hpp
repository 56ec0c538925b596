// Newton-Euler equations of a rigid body about a reference point that need not be its centre of
// mass: with c the centre of mass from the point (body axes), s = m c, J the inertia about it,
//   m (v̇ - g) + R (ω̇ × s + ω × (ω × s))            = F
//   J ω̇ + ω × J ω + s × Rᵀ (v̇ - g)                 = τ
// (v, F in world axes; ω, τ in body axes). A point that is fixed in the body while mass properties
// are random leaves joints, springs and most of the matrix untouched between realisations.
#pragma once
#include "tumble/dynamics/pair_tangent.hpp"

namespace tumble {

template <class S>
Mat3<S> inertia_matrix(const S* j) {
  return {{j[0], j[3], j[4], j[3], j[1], j[5], j[4], j[5], j[2]}};
}

/// J x, with J read where it is stored: a matrix would be written to memory first.
template <class S>
Vec3<S> inertia_times(const S* j, const Vec3<S>& x) {
  return {sum_of_products(j[0], x.x, j[3], x.y, j[4], x.z),
          sum_of_products(j[3], x.x, j[1], x.y, j[5], x.z),
          sum_of_products(j[4], x.x, j[5], x.y, j[2], x.z)};
}

/// Inertia and gravity terms plus what elements have accumulated; `a` without gravity's part.
template <class S>
Vec3<S> force_residual(const RigidBodyIndex& index, const S* c, const BodyKinematics<S>& b,
                       const Vec3<S>& a, const Vec3<S>& wdot) {
  const auto& k = constants_of(index, c);
  const Vec3<S> s = k.moment;
  const Vec3<S> bend = cross(wdot, s) + cross(b.w_B, cross(b.w_B, s));
  return k.mass * a + b.R_WB * bend + b.force_W;
}
/// The same for torques, in body axes.
template <class S>
Vec3<S> torque_residual(const RigidBodyIndex& index, const S* c, const BodyKinematics<S>& b,
                        const Vec3<S>& a, const Vec3<S>& wdot) {
  const auto& k = constants_of(index, c);
  const Vec3<S> s = k.moment;
  const S* J = k.inertia;
  return inertia_times(J, wdot) + cross(b.w_B, inertia_times(J, b.w_B)) +
         cross(s, transpose_times(b.R_WB, a)) + transpose_times(b.R_WB, b.torque_W);
}

/// Adds the mass of a body whose rotation is prescribed, or of a point mass.
template <class S>
void translation_tangent(const RigidBodyIndex& index, const S* c, Workspace<S>& w) {
  add_block(w.M.data(), index.slots[0][0], constants_of(index, c).mass * Mat3<S>::identity());
}

/// Adds the mass matrix to M, and the derivatives of the inertia terms to C and K.
template <class S>
void body_tangent(const RigidBodyIndex& index, const S* c, const Vec3<S>& gravity, const S* vdot,
                  const BodyKinematics<S>& b, Workspace<S>& w) {
  const auto& k = constants_of(index, c);
  const S m = k.mass;
  const Vec3<S> s = k.moment;
  const Mat3<S> J = inertia_matrix(k.inertia), R = b.R_WB, s_skew = skew(s);
  const Vec3<S> a = load3(vdot) - gravity, wdot = load3(vdot + 3), omega = b.w_B;

  add_block(w.M.data(), index.slots[0][0], m * Mat3<S>::identity());
  add_block(w.M.data(), index.slots[0][1], -(R * s_skew));
  add_block(w.M.data(), index.slots[1][0], s_skew * transpose(R));
  add_block(w.M.data(), index.slots[1][1], J);

  // ∂/∂ω of ω × (ω × s) is -(skew(ω × s) + ω̃ s̃).
  add_block(w.C.data(), index.slots[0][1], -(R * (skew(cross(omega, s)) + skew(omega) * s_skew)));
  add_block(w.C.data(), index.slots[1][1], skew(omega) * J - skew(J * omega));

  // R turns with δθ: δ(R x) = -R x̃ δθ, δ(Rᵀ y) = skew(Rᵀ y) δθ.
  const Vec3<S> bend = cross(wdot, s) + cross(omega, cross(omega, s));
  add_block(w.K.data(), index.slots[0][1], -(R * skew(bend)));
  add_block(w.K.data(), index.slots[1][1], s_skew * skew(transpose_times(R, a)));
}

}  // namespace tumble
