// The force of a contact at one point, from gap, normal, lever and motion.
//
// Normal force after Hunt and Crossley (1975), with the depth d = max(-gap, 0) and its rate:
//   N = max(k d^e (1 + a ḋ), 0)
// Friction after Andersson, Söderberg and Björklund (2007), against the sliding velocity v:
//   T = -N μ(|v|) v/|v|,   μ(s) = tanh(s/v_t) (μ_d + (μ_s - μ_d) exp(-(s/v_s)²))
// Moments against rolling and spinning, with the relative angular velocity Ω and ρ the radius:
//   M = -N tanh(ρ|Ω_t|/v_t) b Ω_t/|Ω_t|  and the same of its part along the normal.
// Derivations and sources: docs/theory/contact.md.
#pragma once
#include "tumble/dynamics/pair_gradient.hpp"

namespace tumble {

/// tanh(x)/x as a function of z = x²: smooth at 0. The series there errs by (4 z/π²)⁹, below 1e-16.
template <class T>
T tanh_over(const T& z) {
  constexpr double p[] = {1.0,
                          -1.0 / 3,
                          2.0 / 15,
                          -17.0 / 315,
                          62.0 / 2835,
                          -1382.0 / 155925,
                          21844.0 / 6081075,
                          -929569.0 / 638512875,
                          6404582.0 / 10854718875.0};
  const auto small = z < T(0.04);
  const T near = select(small, z, T(0.0));
  T series(p[8]);
  for (int k = 7; k >= 0; --k) series = fma(series, near, T(p[k]));
  const T x = sqrt(select(small, T(1.0), z));
  const T e = exp(T(-2.0) * x);
  return select(small, series, (T(1.0) - e) / ((T(1.0) + e) * x));
}

/// Where two bodies are close: the gap there, the normal on the second body and the lever of the
/// point from its reference point.
template <class T>
struct ContactPlace {
  T gap;
  Vec3<T> normal, lever;
};

template <class T>
struct NormalForce {
  T value, elastic;  ///< N, and k d^e
};

template <class S, class T>
NormalForce<T> normal_force(const S& stiffness, const S& exponent, const S& damping, const T& gap,
                            const T& gap_rate) {
  const T depth = select(gap < T(0.0), -gap, T(0.0));
  const T elastic = T(stiffness) * power(depth, T(exponent));
  const T raw = elastic * fnma(T(damping), gap_rate, T(1.0));
  return {select(raw > T(0.0), raw, T(0.0)), elastic};
}

/// k d^(e+1)/(e+1).
template <class S>
S normal_energy(const S& stiffness, const S& exponent, const S& gap) {
  const S depth = select(gap < S(0.0), -gap, S(0.0));
  return stiffness * power(depth, exponent) * depth / (exponent + S(1.0));
}

template <class T>
struct ContactForce {
  PairWrench<T> wrench;
  T normal;                   ///< N
  Vec3<T> friction, sliding;  ///< force and velocity along the surface
  T dissipation;              ///< [W]
};

template <class S, int n>
auto contact_force(const ContactNumbers<S>& law, const S& radius, const PairMotion<S, n>& m,
                   const ContactPlace<typename PairMotion<S, n>::T>& place) {
  using T = typename PairMotion<S, n>::T;
  const Vec3<T> velocity = m.v + cross(m.w_B, place.lever) - cross(m.w_A, m.d + place.lever);
  const T rate = dot(place.normal, velocity);
  const auto normal = normal_force(law.stiffness, law.exponent, law.damping, place.gap, rate);

  ContactForce<T> f;
  f.normal = normal.value;
  f.sliding = velocity - rate * place.normal;
  const T square = dot(f.sliding, f.sliding);
  const T scale = T(S(1.0) / law.transition_speed), stribeck = T(S(1.0) / law.stribeck_speed);
  const T coefficient = fma(T(law.extra), exp(-(square * (stribeck * stribeck))), T(law.friction));
  const T resistance = normal.value * coefficient * tanh_over(square * (scale * scale)) * scale;
  f.friction = -(resistance * f.sliding);
  f.wrench.force = normal.value * place.normal + f.friction;

  // Nothing rolls or spins without a radius: both moments vanish then.
  const T size = T(radius) * scale;
  const Vec3<T> turning = m.w_B - m.w_A;
  const T spin = dot(place.normal, turning);
  const Vec3<T> rolling = turning - spin * place.normal;
  const T against_rolling =
      normal.value * T(law.rolling) * size * tanh_over(dot(rolling, rolling) * (size * size));
  const T against_spinning =
      normal.value * T(law.spinning) * size * tanh_over(spin * spin * (size * size));
  const Vec3<T> moment = -(against_rolling * rolling) - (against_spinning * spin) * place.normal;
  f.wrench.moment = cross(place.lever, f.wrench.force) + moment;
  f.dissipation =
      (normal.elastic - normal.value) * rate + resistance * square - dot(moment, turning);
  return f;
}

}  // namespace tumble
