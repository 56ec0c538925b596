// The motion of a frame B on a second body, seen in a frame A on a first one.
#pragma once
#include "tumble/dynamics/locks.hpp"

namespace tumble {

template <class S>
struct RelativeMotion {
  PointPair<S> p;
  Mat3<S> R_WA;
  Quaternion<S> q_AB;
};
template <class S>
RelativeMotion<S> relative_motion(const std::array<int, 2>& body, const PairFrames<S>& frames,
                                  const Workspace<S>& w) {
  const auto& a = w.body[static_cast<std::size_t>(body[0])];
  const auto& b = w.body[static_cast<std::size_t>(body[1])];
  const Quaternion<S> q_WA = a.q_WB * frames.q_A;
  const Quaternion<S> q_WB = b.q_WB * frames.q_B;
  return {point_pair(a, b, frames.r_A, frames.r_B), matrix(q_WA), conjugate(q_WA) * q_WB};
}

template <class S>
void displacement(const RelativeMotion<S>& m, S* out) {
  store3(out, transpose_times(m.R_WA, m.p.d));
}
template <class S>
void displacement_rate(const RelativeMotion<S>& m, const std::array<int, 2>& body,
                       const Workspace<S>& w, S* out) {
  const auto& a = w.body[static_cast<std::size_t>(body[0])];
  const auto& b = w.body[static_cast<std::size_t>(body[1])];
  store3(out, transpose_times(m.R_WA, difference_rate(a, b, m.p) - cross(a.w_W, m.p.d)));
}

}  // namespace tumble
