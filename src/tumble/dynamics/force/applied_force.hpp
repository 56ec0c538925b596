// A force at a material point and a torque, in ground or body axes, times a drive.
#pragma once
#include "tumble/dynamics/pair_tangent.hpp"

namespace tumble {

template <class S>
struct AppliedWrench {
  Vec3<S> r, force, torque;  ///< offset of the point, force, torque about the point; world axes
};

template <class S>
AppliedWrench<S> applied_wrench(const AppliedForceIndex& f, const S* c, const Workspace<S>& w) {
  const auto& b = w.body[static_cast<std::size_t>(f.pair.body[1])];
  const auto& k = constants_of(f, c);
  const S scale = f.drive >= 0 ? w.drive[static_cast<std::size_t>(f.drive)].value : S(1.0);
  AppliedWrench<S> a{b.R_WB * k.r_B, scale * k.force, scale * k.torque};
  if (f.body_axes) {
    a.force = b.R_WB * a.force;
    a.torque = b.R_WB * a.torque;
  }
  return a;
}

template <class S>
void residual(const System&, const AppliedForceIndex& f, const S* c, Workspace<S>& w) {
  const auto a = applied_wrench(f, c, w);
  auto& b = w.body[static_cast<std::size_t>(f.pair.body[1])];
  const Vec3<S> torque = cross(a.r, a.force) + a.torque;
  b.force_W -= a.force;
  b.torque_W -= torque;
  w.power.work = w.power.work + dot(a.force, b.v_W) + dot(torque, b.w_W);
}

template <class S>
void tangent(const System&, const AppliedForceIndex& f, const S* c, Workspace<S>& w) {
  const auto a = applied_wrench(f, c, w);
  const Vec3<S> torque = cross(a.r, a.force) + a.torque;
  PairTangent<S> t;
  if (f.body_axes) {  // force and torque turn with the body: δf = δφ × f
    t.k[2][3] = skew(a.force);
    t.k[3][3] = skew(torque);
  } else {  // only the point turns: (δφ × r) × f = f̃ r̃ δφ
    t.k[3][3] = -(skew(a.force) * skew(a.r));
  }
  t.torque[1] = -torque;
  scatter(f.pair, t, w);
}

template <class S>
const Vec3<S>* acts_at(const AppliedForceIndex& f, const S* c) {
  return &constants_of(f, c).r_B;
}

/// Nothing but force and torque.
template <class S>
bool measure(const System&, const AppliedForceIndex&, Quantity, const S*, const Workspace<S>&, S*) {
  return false;
}

}  // namespace tumble
