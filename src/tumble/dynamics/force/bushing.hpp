// 6-D linear spring-damper between a frame A on the first body and a frame B on the second
// (docs/theory/forces.md#bushing).
//
// Strain, in the axes of A:  e = R_Aᵀ (p_B - p_A),  θ = rotation vector of R_Aᵀ R_B.
// Rates:                     ė,                      Ω = R_Aᵀ (ω_B - ω_A).
//   n = K_tt e + K_tr θ + C_tt ė + C_tr Ω + n0
//   m = T⁻ᵀ(θ) (K_rt e + K_rr θ + m0) + C_rt ė + C_rr Ω
// T⁻ᵀ makes the elastic moment the exact derivative of ½ sᵀ K s + f0ᵀ s, so that an undamped
// bushing conserves energy at any rotation. θ is followed through turns (dynamics/turns.hpp). The
// second body feels -n at p_B and -m; the first the opposite at the same point, so momentum is
// kept.
#pragma once
#include "tumble/dynamics/relative_motion.hpp"

namespace tumble {

/// A 3 x 3 block of a 6 x 6 matrix stored by rows.
template <class S>
Mat3<S> block3(const S* m, int row, int column) {
  Mat3<S> r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r(i, j) = m[6 * (3 * row + i) + 3 * column + j];
  return r;
}

template <class S>
struct BushingState {
  PointPair<S> p;
  Mat3<S> R_WA;
  Vec3<S> e, theta;          ///< strain, axes of A
  S square;                  ///< |θ|²
  Vec3<S> e_rate_W, slip_W;  ///< R_A ė and ω_B - ω_A, world axes
  Vec3<S> elastic_moment;    ///< K_rt e + K_rr θ + m0
  InverseTangentCoefficients<S> tangent;
  Vec3<S> n_W, m_W;  ///< force and moment, world axes
  S dissipation;     ///< with that of all elements before it, if it is wanted [W]
};

/// K s + f0 and C ṡ, in the axes of A.
template <class S>
struct BushingLoad {
  Vec3<S> force, moment, viscous_force, viscous_moment;
};

template <class S>
using BushingConstants = BushingIndex::Constants<S>;

/// By matrices that are diagonal.
template <class S>
BushingLoad<S> diagonal_load(const BushingConstants<S>& k, const Vec3<S>& e, const Vec3<S>& theta,
                             const Vec3<S>& e_rate, const Vec3<S>& slip) {
  const S *K = k.K, *C = k.C, *f0 = k.f0;
  return {{f0[0] + K[0] * e.x, f0[1] + K[7] * e.y, f0[2] + K[14] * e.z},
          {f0[3] + K[21] * theta.x, f0[4] + K[28] * theta.y, f0[5] + K[35] * theta.z},
          {C[0] * e_rate.x, C[7] * e_rate.y, C[14] * e_rate.z},
          {C[21] * slip.x, C[28] * slip.y, C[35] * slip.z}};
}

/// By any matrices. Out of line and on copies: an index that runs over them would keep strains and
/// rates in memory for diagonal ones too.
template <class S>
[[gnu::noinline]] BushingLoad<S> full_load(const BushingConstants<S>& k, const S (&strain)[6],
                                           const S (&rate)[6]) {
  const S *K = k.K, *C = k.C, *f0 = k.f0;
  S elastic[6], viscous[6];
  for (int i = 0; i < 6; ++i) {
    elastic[i] = f0[i];
    viscous[i] = S(0.0);
    for (int j = 0; j < 6; ++j) {
      elastic[i] = elastic[i] + K[6 * i + j] * strain[j];
      viscous[i] = viscous[i] + C[6 * i + j] * rate[j];
    }
  }
  return {load3(elastic), load3(elastic + 3), load3(viscous), load3(viscous + 3)};
}

/// T⁻ᵀ(θ) x = (I + ½ θ̃ + c θ̃²) x for the left tangent.
template <class S>
Vec3<S> inverse_transposed_tangent(const Vec3<S>& theta, const S& c, const Vec3<S>& x) {
  const Vec3<S> once = cross(theta, x);
  return x + S(0.5) * once + c * cross(theta, once);
}

/// The rotation vector at the time of the kinematics, as it was turning at the last accepted
/// instant.
template <class S>
Vec3<S> expected_turn(const BushingTurn<S>& turn, const Workspace<S>& w) {
  return turn.theta.value + S(w.ahead) * turn.theta.rate;
}

template <class S>
BushingState<S> bushing_state(const BushingIndex& bushing, const S* c, const Workspace<S>& w) {
  const auto& a = w.body[static_cast<std::size_t>(bushing.pair.body[0])];
  const auto& b = w.body[static_cast<std::size_t>(bushing.pair.body[1])];
  const auto& k = constants_of(bushing, c);
  BushingState<S> s;
  s.p = point_pair(a, b, k.frames.r_A, k.frames.r_B);
  const Quaternion<S> q_WA = a.q_WB * k.frames.q_A;
  const Quaternion<S> q_WB = b.q_WB * k.frames.q_B;
  s.R_WA = matrix(q_WA);
  s.e = transpose_times(s.R_WA, s.p.d);
  const Quaternion<S> q_AB = conjugate(q_WA) * q_WB;
  s.theta = w.bushings_followed
                ? rotation_vector_near(
                      q_AB, expected_turn(w.bushing[static_cast<std::size_t>(bushing.index)], w))
                : rotation_vector(q_AB);
  s.square = dot(s.theta, s.theta);
  s.tangent = inverse_tangent_coefficients(s.square);
  s.e_rate_W = (b.v_W + cross(b.w_W, s.p.r_B)) - (a.v_W + cross(a.w_W, s.p.r_A + s.p.d));
  s.slip_W = b.w_W - a.w_W;

  const Vec3<S> e_rate = transpose_times(s.R_WA, s.e_rate_W);
  const Vec3<S> slip = transpose_times(s.R_WA, s.slip_W);
  BushingLoad<S> load;
  if (bushing.diagonal) {
    load = diagonal_load(k, s.e, s.theta, e_rate, slip);
  } else {
    const S strain[6] = {s.e.x, s.e.y, s.e.z, s.theta.x, s.theta.y, s.theta.z};
    const S rate[6] = {e_rate.x, e_rate.y, e_rate.z, slip.x, slip.y, slip.z};
    const BushingLoad<S> full = full_load(k, strain, rate);
    load = full;
  }
  s.elastic_moment = load.moment;
  s.n_W = s.R_WA * (load.force + load.viscous_force);
  s.m_W = s.R_WA * (inverse_transposed_tangent(s.theta, s.tangent.c, s.elastic_moment) +
                    load.viscous_moment);
  s.dissipation = w.power.dissipation;
  if (w.power.with_dissipation) {
    for (int i = 0; i < 3; ++i)
      s.dissipation = fma(load.viscous_force[i], e_rate[i], s.dissipation);
    for (int i = 0; i < 3; ++i) s.dissipation = fma(load.viscous_moment[i], slip[i], s.dissipation);
  }
  return s;
}

template <class S>
void residual(const System&, const BushingIndex& bushing, const S* c, Workspace<S>& w) {
  const auto s = bushing_state(bushing, c, w);
  w.power.dissipation = s.dissipation;
  w.bushing_reach = max(w.bushing_reach, s.square);
  auto& a = w.body[static_cast<std::size_t>(bushing.pair.body[0])];
  auto& b = w.body[static_cast<std::size_t>(bushing.pair.body[1])];
  a.force_W -= s.n_W;
  a.torque_W -= cross(s.p.r_A + s.p.d, s.n_W) + s.m_W;
  b.force_W += s.n_W;
  b.torque_W += cross(s.p.r_B, s.n_W) + s.m_W;
}

/// ½ sᵀ K s + f0ᵀ s.
template <class S>
S potential_energy(const System&, const BushingIndex& bushing, const S* c, const Workspace<S>& w) {
  const auto s = bushing_state(bushing, c, w);
  const S strain[6] = {s.e.x, s.e.y, s.e.z, s.theta.x, s.theta.y, s.theta.z};
  const auto& k = constants_of(bushing, c);
  S energy(0.0);
  for (int i = 0; i < 6; ++i) {
    energy = energy + k.f0[i] * strain[i];
    const int from = bushing.diagonal ? i : 0, end = bushing.diagonal ? i + 1 : 6;
    for (int j = from; j < end; ++j)
      energy = energy + S(0.5) * strain[i] * k.K[6 * i + j] * strain[j];
  }
  return energy;
}

/// Derivative of T⁻ᵀ(θ) x with respect to θ at fixed x: with f = ½ θ × x + c θ × (θ × x),
/// θ × (θ × x) = θ (θ·x) - x θ².
template <class S>
Mat3<S> inverse_tangent_derivative(const Vec3<S>& theta, const InverseTangentCoefficients<S>& t,
                                   const Vec3<S>& x) {
  const S projection = dot(theta, x);
  const Vec3<S> twice = cross(theta, cross(theta, x));
  return S(-0.5) * skew(x) +
         t.c * (projection * Mat3<S>::identity() + outer(theta, x) - S(2.0) * outer(x, theta)) +
         t.slope * outer(twice, theta);
}

template <class S>
void tangent(const System&, const BushingIndex& bushing, const S* c, Workspace<S>& w) {
  const auto s = bushing_state(bushing, c, w);
  const auto& a = w.body[static_cast<std::size_t>(bushing.pair.body[0])];
  const auto& b = w.body[static_cast<std::size_t>(bushing.pair.body[1])];
  const S *K = constants_of(bushing, c).K, *C = constants_of(bushing, c).C;
  const Mat3<S> R = s.R_WA, Rt = transpose(R), I = Mat3<S>::identity();
  const auto turned = [&](const Mat3<S>& m) { return R * (m * Rt); };
  const Mat3<S> K_tt = turned(block3(K, 0, 0)), K_tr = turned(block3(K, 0, 1));
  const Mat3<S> C_tt = turned(block3(C, 0, 0)), C_tr = turned(block3(C, 0, 1));
  const Mat3<S> C_rt = turned(block3(C, 1, 0)), C_rr = turned(block3(C, 1, 1));

  // The left tangent's inverse I - ½ θ̃ + c θ̃² takes δφ_B - δφ_A (axes of A) to δθ.
  const Mat3<S> theta = skew(s.theta), theta2 = theta * theta;
  const Mat3<S> to_theta = I - S(0.5) * theta + s.tangent.c * theta2;
  const Mat3<S> to_moment = I + S(0.5) * theta + s.tangent.c * theta2;
  const Mat3<S> M_t = turned(to_moment * block3(K, 1, 0));
  const Mat3<S> M_r = turned(to_moment * block3(K, 1, 1) +
                             inverse_tangent_derivative(s.theta, s.tangent, s.elastic_moment));
  const Mat3<S> to_theta_W = turned(to_theta);

  const Vec3<S> rho = s.p.r_A + s.p.d;
  const Mat3<S> r_B = skew(s.p.r_B), rho_skew = skew(rho), w_A = skew(a.w_W), w_B = skew(b.w_W);
  const Mat3<S> n = skew(s.n_W), m = skew(s.m_W), zero;
  // R_A δe, R_A δθ, R_A δė and R_A δΩ by the four triples; the first also gives ∂(R_A ė)/∂velocity.
  const Mat3<S> d_e[4] = {-I, rho_skew, I, -r_B};
  const Mat3<S> d_theta[4] = {zero, -to_theta_W, zero, to_theta_W};
  const Mat3<S> d_rate[4] = {w_A, skew(s.e_rate_W), -w_A, (w_A - w_B) * r_B};
  const Mat3<S> d_slip[4] = {zero, skew(s.slip_W), zero, zero};
  const Mat3<S> d_rho[4] = {-I, zero, I, -r_B};
  const Mat3<S> by_slip[4] = {zero, -I, zero, I};

  PairTangent<S> t;
  t.damped = true;
  for (int j = 0; j < 4; ++j) {
    Mat3<S> d_n = K_tt * d_e[j] + K_tr * d_theta[j] + C_tt * d_rate[j] + C_tr * d_slip[j];
    Mat3<S> d_m = M_t * d_e[j] + M_r * d_theta[j] + C_rt * d_rate[j] + C_rr * d_slip[j];
    if (j == 1) d_n -= n, d_m -= m;
    t.k[0][j] = -d_n;
    t.k[1][j] = n * d_rho[j] - rho_skew * d_n - d_m;
    t.k[2][j] = d_n;
    t.k[3][j] = r_B * d_n + d_m;
    const Mat3<S> v_n = C_tt * d_e[j] + C_tr * by_slip[j];
    const Mat3<S> v_m = C_rt * d_e[j] + C_rr * by_slip[j];
    t.c[0][j] = -v_n;
    t.c[1][j] = -(rho_skew * v_n) - v_m;
    t.c[2][j] = v_n;
    t.c[3][j] = r_B * v_n + v_m;
  }
  t.k[3][3] += n * r_B;
  t.torque[0] = -(cross(rho, s.n_W) + s.m_W);
  t.torque[1] = cross(s.p.r_B, s.n_W) + s.m_W;
  scatter(bushing.pair, t, w);
}

template <class S>
const Vec3<S>* acts_at(const BushingIndex& bushing, const S* c) {
  return &constants_of(bushing, c).frames.r_B;
}

template <class S>
bool measure(const System&, const BushingIndex& bushing, Quantity quantity, const S* c,
             const Workspace<S>& w, S* out) {
  const auto motion = relative_motion(bushing.pair.body, constants_of(bushing, c).frames, w);
  switch (quantity) {
    case Quantity::displacement:
      displacement(motion, out);
      return true;
    case Quantity::displacement_rate:
      displacement_rate(motion, bushing.pair.body, w, out);
      return true;
    default:
      return false;
  }
}

}  // namespace tumble
