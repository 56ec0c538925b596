// Generalized strains of a section: Reissner's, with the frame of the section taken from its
// slopes.
//
// Plane (after K. Nachbagauer, A. Pechstein, H. Irschik, J. Gerstmayr, Multibody Syst. Dyn. 26
// (2011), 245-263). With the axis' derivative p = r', the section's vector d = r_y and the unit
// vectors t₂ = d/|d|, t₁ = t₂ turned by -90°:
//   Γ₁ = t₁·p,  Γ₂ = t₂·p,  K = θ' = (d × d')/|d|²
// Space (after K. Nachbagauer, P. Gruber, J. Gerstmayr, J. Comput. Nonlinear Dyn. 8 (2013),
// 021004), with e = r_z, the normal N = d × e and the frame t₁ = N/|N|, t₃ = e/|e|, t₂ = t₃ × t₁:
//   Γ₁ = t₁·p,  Γ₂ = t₂·p,  Γ₃ = t₃·p
//   K₁ = t₂'·t₃ = -t₂·e'/|e|,  K₂ = t₃'·t₁ = t₁·e'/|e|,  K₃ = t₁'·t₂ = t₂·N'/|N|
// They are stretch, shear, twist and bending after their values in the undeformed state are taken
// away, and unchanged by rigid motions.
//
// strains() evaluates them, pull_back() is the transpose of their derivative: the forces on the
// section's vectors that given section forces make. Both run on scalars, lanes and jets.
#pragma once
#include "tumble/beam/jet.hpp"
#include "tumble/math/vec3.hpp"

namespace tumble::beam {

template <int D>
struct SectionStrains;

template <>
struct SectionStrains<2> {
  static constexpr int count = 3;    ///< Γ₁, Γ₂, K
  static constexpr int vectors = 3;  ///< p, d, d'

  template <class T>
  static void strains(const T (&x)[vectors][2], T (&strain)[count]) {
    const auto &p = x[0], &d = x[1], &dp = x[2];
    const T r = inverse_sqrt(d[0] * d[0] + d[1] * d[1]);
    strain[0] = (p[0] * d[1] - p[1] * d[0]) * r;
    strain[1] = (p[0] * d[0] + p[1] * d[1]) * r;
    strain[2] = (d[0] * dp[1] - d[1] * dp[0]) * (r * r);
  }

  template <class T>
  static void pull_back(const T (&x)[vectors][2], const T (&stress)[count], T (&out)[vectors][2]) {
    const auto &p = x[0], &d = x[1], &dp = x[2];
    const T r = inverse_sqrt(d[0] * d[0] + d[1] * d[1]);
    const T a = p[0] * d[1] - p[1] * d[0], b = p[0] * d[0] + p[1] * d[1],
            k = d[0] * dp[1] - d[1] * dp[0];
    const T n = stress[0] * r, q = stress[1] * r, m = stress[2] * (r * r);
    // By r, whose derivative with respect to d is -r³ d.
    const T s = (stress[0] * a + stress[1] * b + T(2.0) * (stress[2] * (k * r))) * (r * r * r);
    out[0][0] = n * d[1] + q * d[0];
    out[0][1] = q * d[1] - n * d[0];
    out[1][0] = q * p[0] - n * p[1] + m * dp[1] - s * d[0];
    out[1][1] = n * p[0] + q * p[1] - m * dp[0] - s * d[1];
    out[2][0] = -(m * d[1]);
    out[2][1] = m * d[0];
  }
};

template <>
struct SectionStrains<3> {
  static constexpr int count = 6;    ///< Γ₁, Γ₂, Γ₃, K₁, K₂, K₃
  static constexpr int vectors = 5;  ///< p, d, d', e, e'

  template <class T>
  static void strains(const T (&x)[vectors][3], T (&strain)[count]) {
    const Frame<T> f(x);
    strain[0] = inner(f.t1, f.p);
    strain[1] = inner(f.t2, f.p);
    strain[2] = inner(f.t3, f.p);
    strain[3] = -(f.re * inner(f.t2, f.ep));
    strain[4] = f.re * inner(f.t1, f.ep);
    strain[5] = f.rn * inner(f.t2, f.Np);
  }

  /// The steps of strains(), backwards: `g_x` is the derivative of Σ stress · strain by x.
  template <class T>
  static void pull_back(const T (&x)[vectors][3], const T (&stress)[count], T (&out)[vectors][3]) {
    const Frame<T> f(x);
    const T twist = -(stress[3] * f.re), bend = stress[4] * f.re, bend_z = stress[5] * f.rn;
    const Vec3<T> g_p = stress[0] * f.t1 + stress[1] * f.t2 + stress[2] * f.t3;
    Vec3<T> g_t1 = stress[0] * f.p + bend * f.ep;
    const Vec3<T> g_t2 = stress[1] * f.p + twist * f.ep + bend_z * f.Np;
    Vec3<T> g_t3 = stress[2] * f.p;
    Vec3<T> g_ep = twist * f.t2 + bend * f.t1;
    const Vec3<T> g_Np = bend_z * f.t2;
    T g_re = stress[4] * inner(f.t1, f.ep) - stress[3] * inner(f.t2, f.ep);
    T g_rn = stress[5] * inner(f.t2, f.Np);
    // t₂ = t₃ × t₁
    g_t3 = g_t3 + outer(f.t1, g_t2);
    g_t1 = g_t1 + outer(g_t2, f.t3);
    // N' = d' × e + d × e'
    const Vec3<T> g_dp = outer(f.e, g_Np);
    Vec3<T> g_e = outer(g_Np, f.dp);
    Vec3<T> g_d = outer(f.ep, g_Np);
    g_ep = g_ep + outer(g_Np, f.d);
    // t₃ = e/|e|
    g_re = g_re + inner(f.e, g_t3);
    g_e = g_e + f.re * g_t3 - (g_re * (f.re * f.re * f.re)) * f.e;
    // t₁ = N/|N|, N = d × e
    g_rn = g_rn + inner(f.N, g_t1);
    const Vec3<T> g_N = f.rn * g_t1 - (g_rn * (f.rn * f.rn * f.rn)) * f.N;
    g_d = g_d + outer(f.e, g_N);
    g_e = g_e + outer(g_N, f.d);
    store(g_p, out[0]), store(g_d, out[1]), store(g_dp, out[2]);
    store(g_e, out[3]), store(g_ep, out[4]);
  }

 private:
  // As dot() and cross() of vec3.hpp, which ask for fused operations that jets do not have.
  template <class T>
  TUMBLE_INLINE static T inner(const Vec3<T>& a, const Vec3<T>& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
  }
  template <class T>
  TUMBLE_INLINE static Vec3<T> outer(const Vec3<T>& a, const Vec3<T>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  }
  template <class T>
  TUMBLE_INLINE static void store(const Vec3<T>& a, T (&out)[3]) {
    out[0] = a.x, out[1] = a.y, out[2] = a.z;
  }

  /// The section's frame and what its derivative along the axis consists of.
  template <class T>
  struct Frame {
    explicit Frame(const T (&x)[vectors][3])
        : p{x[0][0], x[0][1], x[0][2]},
          d{x[1][0], x[1][1], x[1][2]},
          dp{x[2][0], x[2][1], x[2][2]},
          e{x[3][0], x[3][1], x[3][2]},
          ep{x[4][0], x[4][1], x[4][2]},
          N(outer(d, e)),
          Np(outer(dp, e) + outer(d, ep)),
          rn(inverse_sqrt(inner(N, N))),
          re(inverse_sqrt(inner(e, e))),
          t1(rn * N),
          t3(re * e),
          t2(outer(t3, t1)) {}
    Vec3<T> p, d, dp, e, ep;
    Vec3<T> N, Np;
    T rn, re;  ///< 1/|N|, 1/|e|
    Vec3<T> t1, t3, t2;
  };
};

}  // namespace tumble::beam
