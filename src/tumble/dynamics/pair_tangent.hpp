// Tangent matrices of an element between two bodies, written in world axes and scattered into the
// system's matrices in its coordinates.
//
// An element adds to the equations of motion a generalized force (minus the physical one) on each
// body: force f and torque τ about the reference point, world axes. Its derivatives are wanted with
// respect to the coordinates (δp world, δθ body) and velocities (v world, ω body). The element
// supplies the plain partials with respect to (δp, δφ) and (v, ω_W) with δφ = R δθ and ω_W held
// fixed; here they become those of the system's coordinates:
//   τ_B = Rᵀ τ                 => δτ_B = Rᵀ (δτ + τ̃ δφ)
//   ω_W = R ω_B                => δω_W = R δω_B - ω̃_W δφ
#pragma once
#include "tumble/dynamics/workspace.hpp"

// For residuals of elements that few machines have: flat in themselves, but no part of the residual
// of all, which stays as short as it is without them.
#define TUMBLE_OUT_OF_LINE TUMBLE_FLATTEN __attribute__((noinline))

namespace tumble {

template <class S>
void add_block(S* values, const BlockSlots& slots, const Mat3<S>& m) {
  if (slots.row[0] < 0) return;
  for (int i = 0; i < 3; ++i) {
    S* row = values + slots.row[static_cast<std::size_t>(i)];
    for (int j = 0; j < 3; ++j) row[j] = row[j] + m(i, j);
  }
}

/// Rows: force and torque on the first body, force and torque on the second. Columns: translation
/// and rotation of the first, of the second.
template <class S>
struct PairTangent {
  Mat3<S> k[4][4];
  Mat3<S> c[4][4];
  Vec3<S> torque[2];    ///< what the element adds to torque_W of each body
  bool damped = false;  ///< c is filled
};

template <class S>
void scatter(const PairIndex& pair, const PairTangent<S>& t, Workspace<S>& w) {
  for (std::size_t row = 0; row < 4; ++row) {
    const std::size_t row_body = row / 2;
    const Mat3<S>& R_row = w.body[static_cast<std::size_t>(pair.body[row_body])].R_WB;
    for (std::size_t column = 0; column < 4; ++column) {
      const BlockSlots& slots = pair.slots[row][column];
      if (slots.row[0] < 0) continue;
      const auto& body = w.body[static_cast<std::size_t>(pair.body[column / 2])];
      const bool rotation = column % 2 == 1;
      Mat3<S> k = t.k[row][column];
      if (rotation && t.damped) k -= t.c[row][column] * skew(body.w_W);
      if (row == column && rotation) k += skew(t.torque[row_body]);
      if (rotation) k = k * body.R_WB;
      if (row % 2 == 1) k = transpose_times(R_row, k);
      add_block(w.K.data(), slots, k);
      if (!t.damped) continue;
      Mat3<S> c = t.c[row][column];
      if (rotation) c = c * body.R_WB;
      if (row % 2 == 1) c = transpose_times(R_row, c);
      add_block(w.C.data(), slots, c);
    }
  }
}

/// The gradient of a scalar function of two bodies' places, world axes: (δp, δφ) of each.
template <class S>
struct PairGradient {
  Vec3<S> g[4];
};

/// Writes a constraint row's gradient, and its transpose, in the system's coordinates.
template <class S>
void scatter_row(const PairIndex& pair, const RowIndex& row, const PairGradient<S>& gradient,
                 Workspace<S>& w) {
  for (std::size_t t = 0; t < 4; ++t) {
    if (row.gradient[t] < 0) continue;
    Vec3<S> g = gradient.g[t];
    if (t % 2 == 1) g = transpose_times(w.body[static_cast<std::size_t>(pair.body[t / 2])].R_WB, g);
    for (int k = 0; k < 3; ++k) {
      w.K[static_cast<std::size_t>(row.gradient[t] + k)] = g[k];
      w.K[static_cast<std::size_t>(row.transpose[t][static_cast<std::size_t>(k)])] = g[k];
    }
  }
}

/// Rate of a function with this gradient along the bodies' velocities.
template <class S>
S rate_along(const PairGradient<S>& gradient, const BodyKinematics<S>& a,
             const BodyKinematics<S>& b) {
  return dot(gradient.g[0], a.v_W) + dot(gradient.g[1], a.w_W) + dot(gradient.g[2], b.v_W) +
         dot(gradient.g[3], b.w_W);
}

/// Velocities and accelerations of the triples that are prescribed, zero for the others.
template <class S>
struct KnownMotion {
  Vec3<S> velocity[4], acceleration[4];
};
template <class S>
KnownMotion<S> known_motion(const PairIndex& pair, const Workspace<S>& w) {
  KnownMotion<S> known;
  for (std::size_t t = 0; t < 4; ++t) {
    if (pair.prescribed[t] < 0) continue;
    const auto& body = w.body[static_cast<std::size_t>(pair.body[t / 2])];
    const auto& motion = w.prescribed[static_cast<std::size_t>(pair.prescribed[t])];
    known.velocity[t] = t % 2 == 0 ? body.v_W : body.w_W;
    known.acceleration[t] = t % 2 == 0 ? motion.a_W : motion.alpha_W;
  }
  return known;
}

/// What the prescribed motion of bodies adds to a constraint's rate and to its second derivative.
template <class S>
void add_known(const PairIndex& pair, const PairGradient<S>& gradient, const Workspace<S>& w,
               S& time_rate, S& bias) {
  const auto known = known_motion(pair, w);
  for (int t = 0; t < 4; ++t) {
    time_rate = time_rate + dot(gradient.g[t], known.velocity[t]);
    bias = bias + dot(gradient.g[t], known.acceleration[t]);
  }
}

/// Adds `strength` times a gradient to the bodies' generalized forces.
template <class S>
void add_along(const PairGradient<S>& gradient, const S& strength, BodyKinematics<S>& a,
               BodyKinematics<S>& b) {
  a.force_W += strength * gradient.g[0];
  a.torque_W += strength * gradient.g[1];
  b.force_W += strength * gradient.g[2];
  b.torque_W += strength * gradient.g[3];
}

}  // namespace tumble
