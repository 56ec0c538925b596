// Elastic force of an element in the structural formulation, its tangents and its energy.
//
// At a Gauss point the vectors x = (r', r_y, r_y'[, r_z, r_z']) are combinations of the gradient
// vectors (shape.hpp). With strains ε(x), B = ∂ε/∂x and retardation time τ, ε̂ = ε - ε₀ + τ B ẋ,
//   Q = Bᵀ σ,  σ = D ε̂,   ∂Q/∂x = Bᵀ D ∂ε̂/∂x + (∂Bᵀ/∂x) σ,   ∂Q/∂ẋ = τ Bᵀ D B
// where D is diagonal but for the softening of force strains (structural.hpp), which couples the
// three Gauss points: σ_g -= p_g s Σ_h p_h ε̂_h with the pattern p of a strain. Derivatives of B and
// ε̂ are those that jets carry. Signs are those of the residual: Q is the derivative of the energy,
// not the force on the node.
#pragma once
#include <type_traits>

#include "tumble/beam/structural.hpp"

namespace tumble::beam {

template <int D, class S>
class StructuralForce {
 public:
  using Constants = StructuralConstants<D>;
  using Strains = SectionStrains<D>;
  static constexpr int n = gradient_vectors<D>;

  /// Velocities are read only where `damped`; a structural choice, never one of values.
  StructuralForce(const S* constants, const S* first, const S* second, const S* first_rate,
                  const S* second_rate, bool damped, bool linear_curvature = false)
      : k_(constants), damped_(damped), linear_curvature_(linear_curvature) {
    load_gradient_vectors<D>(first, second, inverse_length(), u_);
    if (damped) load_gradient_vectors<D>(first_rate, second_rate, inverse_length(), rate_);
    for (int g = 0; g < gauss; ++g) {
      S x[vectors][D];
      combine(g, u_, x);
      strain_changes(g, x, change_[g], &rate_of_strain_[g]);
    }
    for (int s = 0; s < strains; ++s) {
      for (int g = 0; g < gauss; ++g) stress_[g][s] = stiffness(g * strains + s) * change_[g][s];
      if (s >= D) continue;
      const S excess = softening(s) * softened_part(change_, s);
      for (int g = 0; g < gauss; ++g) stress_[g][s] = fnma(pattern(s, g), excess, stress_[g][s]);
    }
    if (linear_curvature_) bend_far();
  }

  /// Strain energy [J]; of an element that was given no velocities.
  S energy() const {
    S sum(0.0);
    for (int g = 0; g < gauss; ++g)
      for (int s = 0; s < strains; ++s) sum = fma(change_[g][s], stress_[g][s], sum);
    if (linear_curvature_) {
      for (int g = 0; g < gauss; ++g)
        for (int s = 0; s < strains; ++s) sum = fnma(change_[g][s], more_stress_[g][s], sum);
      sum = sum + S(2.0) * more_energy_;
    }
    for_each_penalty([&](int at, int i, int j) {
      const S change = product(i, j) - reference(at);
      sum = fma(stiffness(at), change * change, sum);
    });
    return S(0.5) * sum;
  }

  /// Power that a damped element turns into heat [W]: τ ε̇ᵀ D ε̇.
  S dissipation() const {
    S sum(0.0);
    for (int s = 0; s < strains; ++s) {
      for (int g = 0; g < gauss; ++g)
        sum = fma(stiffness(g * strains + s), rate_of_strain_[g][s] * rate_of_strain_[g][s], sum);
      if (s >= D) continue;
      const S softened = softened_part(rate_of_strain_, s);
      sum = fnma(softening(s), softened * softened, sum);
    }
    for_each_penalty([&](int at, int i, int j) {
      const S rate = product_rate(i, j);
      sum = fma(stiffness(at), rate * rate, sum);
    });
    return k_[Constants::damping_time] * sum;
  }

  /// Section force or moment that goes with strain s at Gauss point g [N, N m].
  S section_force(int g, int s) const {
    return (stress_[g][s] * inverse_length()) * S(1 / Constants::weight[g]);
  }

  /// Adds Q to the generalized forces of the nodes.
  void add_force(S* first, S* second) const {
    S force[n][D];
    for (int i = 0; i < n; ++i)
      for (int c = 0; c < D; ++c) force[i][c] = S(0.0);
    for (int g = 0; g < gauss; ++g) {
      S x[vectors][D], q[vectors][D];
      combine(g, u_, x);
      Strains::pull_back(x, stress_[g], q);
      for (int v = 0; v < vectors; ++v)
        for (int i = first_vector(v); i < end_vector(v); ++i) {
          const S factor = coefficient(g, v, i);
          for (int c = 0; c < D; ++c) force[i][c] = fma(factor, q[v][c], force[i][c]);
        }
    }
    for_each_penalty([&](int at, int i, int j) {
      const S stress = penalty(at, i, j);
      for (int c = 0; c < D; ++c) {
        force[i][c] = fma(stress, u_[j][c], force[i][c]);
        if (i != j) force[j][c] = fma(stress, u_[i][c], force[j][c]);
      }
    });
    add_gradient_forces<D>(force, inverse_length(), first, second);
  }

  /// Calls add_stiffness(i, j, block) with D x D blocks of ∂Q/∂e over the element's vectors and,
  /// where damped, add_damping(i, j, block) with those of ∂Q/∂ė. Blocks of one pair add up.
  template <class Stiffness, class Damping>
  void tangent(Stiffness&& add_stiffness, Damping&& add_damping) const {
    Softened b, b_moved;  // Σ_g p_g ∂ε/∂u, and the same of ε̂
    for (int g = 0; g < gauss; ++g) gauss_tangent(g, add_stiffness, add_damping, b, b_moved);
    const S tau = k_[Constants::damping_time];
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        S block[D][D], damping[D][D];
        for (int r = 0; r < D; ++r)
          for (int c = 0; c < D; ++c) {
            S sum(0.0), rate_sum(0.0);
            for (int s = 0; s < D; ++s) {
              const S left = softening(s) * b.d[s][i][r];
              sum = fnma(left, damped_ ? b_moved.d[s][j][c] : b.d[s][j][c], sum);
              if (damped_) rate_sum = fnma(left, b.d[s][j][c], rate_sum);
            }
            block[r][c] = sum;
            damping[r][c] = tau * rate_sum;
          }
        scatter_gradient_block<D>(i, j, block, inverse_length(), add_stiffness);
        if (damped_) scatter_gradient_block<D>(i, j, damping, inverse_length(), add_damping);
      }
    if (linear_curvature_) far_tangent(add_stiffness);
    for_each_penalty(
        [&](int at, int i, int j) { penalty_tangent(at, i, j, add_stiffness, add_damping); });
  }

 private:
  static constexpr int gauss = Constants::gauss;
  static constexpr int vectors = Strains::vectors;
  static constexpr int strains = Strains::count;
  static constexpr int all_strains = gauss * strains;
  static constexpr int last_bending = strains - 1;  ///< K of the plane x y; K₂ comes before it

  /// What an element with linear curvature takes from its strains because it bends far. Its axis is
  /// a cubic between nodes whose slopes go with their sections, and its section the straight line
  /// between two vectors. Of an inextensible bar with φ = K L and the enhancement b these leave the
  /// strains, linear in s = 2x/L - 1 at the Gauss points,
  ///   Γ₁ = 0.3 φ b s,   Γ₂ = -φ³ s/40
  /// (docs/theory/ancf-beams.md#linear-curvature), which EA and kGA of a thin bar would not let be:
  /// it would lock. They are taken out of Γ₁ and Γ₂. Writes the stresses that come to those of the
  /// linear law, and returns the energy that does.
  template <class T>
  T far_bending(const T (&e)[gauss][strains], T (&more)[gauss][strains]) const {
    const T half(0.5);
    const T length = lifted<T>(S(1.0) / inverse_length());
    const T cubed = length * length * length;
    T shear[D][gauss], by_own[D][gauss], by_other[D][gauss], bend[D][gauss], amplitude[D];
    for (int p = 1; p < D; ++p) {
      amplitude[p] = T(0.0);
      for (int g = 0; g < gauss; ++g) {
        const T own = curvature(e, g, p), other = D == 3 ? curvature(e, g, 3 - p) : T(0.0);
        const T before = lifted<T>(reference_curvature(g, p));
        const T before_other = D == 3 ? lifted<T>(reference_curvature(g, 3 - p)) : T(0.0);
        const T factor = T((2 * Constants::place[g] - 1) / 40) * cubed;
        shear[p][g] = e[g][p] + factor * (own * (own * own + other * other) -
                                          before * (before * before + before_other * before_other));
        by_own[p][g] = factor * (T(3.0) * own * own + other * other);
        by_other[p][g] = factor * (T(2.0) * own * other);
        bend[p][g] = own;
        amplitude[p] = amplitude[p] + lifted<T>(pattern(p, g)) * shear[p][g];
      }
      amplitude[p] = lifted<T>(softening(p)) * amplitude[p];
    }
    T stretch[gauss], axial[gauss], excess(0.0), excess_linear(0.0), energy(0.0);
    for (int g = 0; g < gauss; ++g) {
      T product(0.0);
      for (int p = 1; p < D; ++p) product = product + bend[p][g] * amplitude[p];
      stretch[g] = e[g][0] - T(0.3 * (2 * Constants::place[g] - 1)) * length * product;
      excess = excess + lifted<T>(pattern(0, g)) * stretch[g];
      excess_linear = excess_linear + lifted<T>(pattern(0, g)) * e[g][0];
    }
    const T soft = lifted<T>(softening(0));
    for (int g = 0; g < gauss; ++g) {
      const T k = lifted<T>(stiffness(g * strains)), pattern_g = lifted<T>(pattern(0, g));
      axial[g] = k * stretch[g] - soft * pattern_g * excess;
      more[g][0] = k * (stretch[g] - e[g][0]) - soft * pattern_g * (excess - excess_linear);
      energy = energy + half * k * (stretch[g] * stretch[g] - e[g][0] * e[g][0]);
      for (int s = 1; s < strains; ++s) more[g][s] = T(0.0);
    }
    energy = energy - half * soft * (excess * excess - excess_linear * excess_linear);
    for (int p = 1; p < D; ++p) {
      const T softness = lifted<T>(softening(p));
      T pull(0.0), linear(0.0);
      for (int g = 0; g < gauss; ++g) {
        pull = pull - T(0.3 * (2 * Constants::place[g] - 1)) * length * axial[g] * bend[p][g];
        linear = linear + lifted<T>(pattern(p, g)) * e[g][p];
      }
      for (int g = 0; g < gauss; ++g) {
        const T k = lifted<T>(stiffness(g * strains + p)), pattern_g = lifted<T>(pattern(p, g));
        const T stress = k * shear[p][g] + softness * pattern_g * pull - pattern_g * amplitude[p];
        more[g][p] = stress - k * e[g][p] + softness * pattern_g * linear;
        energy = energy + half * k * (shear[p][g] * shear[p][g] - e[g][p] * e[g][p]);
        const T moment = stress * by_own[p][g] -
                         T(0.3 * (2 * Constants::place[g] - 1)) * length * axial[g] * amplitude[p];
        add_moment(more, g, p, moment);
        if (D == 3) add_moment(more, g, 3 - p, stress * by_other[p][g]);
      }
      // softness (Σ p Γ)² = amplitude²/softness
      const T sum_of_shear = pattern_sum(p, shear[p]);
      energy = energy - half * softness * (sum_of_shear * sum_of_shear - linear * linear);
    }
    return energy;
  }
  /// Rate at which the section's normal turns towards t₂ or t₃: K₃, and -K₂.
  template <class T>
  TUMBLE_INLINE T curvature(const T (&e)[gauss][strains], int g, int plane) const {
    const int s = last_bending + 1 - plane;
    const T total = e[g][s] + lifted<T>(reference(g * strains + s));
    return plane == 1 ? total : T(0.0) - total;
  }
  TUMBLE_INLINE S reference_curvature(int g, int plane) const {
    const S& k = reference(g * strains + last_bending + 1 - plane);
    return plane == 1 ? k : S(0.0) - k;
  }
  template <class T>
  TUMBLE_INLINE static void add_moment(T (&more)[gauss][strains], int g, int plane, const T& m) {
    T& out = more[g][last_bending + 1 - plane];
    out = plane == 1 ? out + m : out - m;
  }
  template <class T>
  TUMBLE_INLINE T pattern_sum(int p, const T (&values)[gauss]) const {
    T sum(0.0);
    for (int g = 0; g < gauss; ++g) sum = sum + lifted<T>(pattern(p, g)) * values[g];
    return sum;
  }

  /// Elastic strains, without the part that damping adds.
  void load_elastic(S (&e)[gauss][strains]) const {
    for (int g = 0; g < gauss; ++g) {
      S x[vectors][D];
      combine(g, u_, x);
      Strains::strains(x, e[g]);
      for (int s = 0; s < strains; ++s) e[g][s] = e[g][s] - reference(g * strains + s);
    }
  }
  void bend_far() {
    S e[gauss][strains];
    load_elastic(e);
    more_energy_ = far_bending(e, more_stress_);
    for (int g = 0; g < gauss; ++g)
      for (int s = 0; s < strains; ++s) stress_[g][s] = stress_[g][s] + more_stress_[g][s];
  }
  /// Bᵀ (∂ more/∂ε) B; what the change of B makes of the stresses is in gauss_tangent().
  template <class Stiffness>
  void far_tangent(Stiffness&& add_stiffness) const {
    using J = Jet<S, all_strains>;
    S plain[gauss][strains];
    load_elastic(plain);
    J e[gauss][strains], more[gauss][strains];
    for (int g = 0; g < gauss; ++g)
      for (int s = 0; s < strains; ++s) {
        e[g][s] = J::constant(plain[g][s]);
        e[g][s].d[g * strains + s] = S(1.0);
      }
    far_bending(e, more);
    S B[all_strains][n][D];
    for (int g = 0; g < gauss; ++g) {
      using V = Jet<S, vectors * D>;
      S at[vectors][D];
      combine(g, u_, at);
      V x[vectors][D], strain[strains];
      for (int v = 0; v < vectors; ++v)
        for (int c = 0; c < D; ++c) {
          x[v][c].value = at[v][c];
          x[v][c].d[D * v + c] = S(1.0);
        }
      Strains::strains(x, strain);
      for (int s = 0; s < strains; ++s)
        for (int v = 0; v < vectors; ++v)
          for (int i = first_vector(v); i < end_vector(v); ++i) {
            const S factor = coefficient(g, v, i);
            for (int c = 0; c < D; ++c) {
              // Vectors 1 and 2, and 3 and 4, share their gradient vectors.
              S& b = B[g * strains + s][i][c];
              const S part = factor * strain[s].d[D * v + c];
              b = v == 0 || v % 2 == 1 ? part : b + part;
            }
          }
    }
    for (int i = 0; i < n; ++i)
      for (int r = 0; r < D; ++r) {
        S left[all_strains];
        for (int b = 0; b < all_strains; ++b) left[b] = S(0.0);
        for (int a = 0; a < all_strains; ++a)
          for (int b = 0; b < all_strains; ++b)
            left[b] = fma(B[a][i][r], more[a / strains][a % strains].d[b], left[b]);
        for (int j = 0; j < n; ++j) {
          S block[D][D]{};
          for (int c = 0; c < D; ++c)
            for (int b = 0; b < all_strains; ++b)
              block[r][c] = fma(left[b], B[b][j][c], block[r][c]);
          scatter_gradient_block<D>(i, j, block, inverse_length(), add_stiffness);
        }
      }
  }

  /// By force strain and gradient vector.
  struct Softened {
    S d[D][n][D]{};
  };

  TUMBLE_INLINE const S& inverse_length() const { return k_[Constants::inverse_length]; }
  TUMBLE_INLINE const S& reference(int i) const { return k_[Constants::reference + i]; }
  TUMBLE_INLINE const S& stiffness(int i) const { return k_[Constants::stiffness + i]; }
  TUMBLE_INLINE const S& softening(int s) const { return k_[Constants::softening + s]; }
  TUMBLE_INLINE const S& pattern(int s, int g) const {
    return k_[Constants::pattern + gauss * s + g];
  }
  TUMBLE_INLINE S softened_part(const S (&change)[gauss][strains], int s) const {
    S sum(0.0);
    for (int g = 0; g < gauss; ++g) sum = fma(pattern(s, g), change[g][s], sum);
    return sum;
  }

  // Vector 0 of a section combines gradient vectors 0, 1, 2; vectors 1, 2 combine 3, 4; vectors 3,
  // 4 combine 5, 6.
  static constexpr int first_vector(int v) { return v == 0 ? 0 : v < 3 ? 3 : 5; }
  static constexpr int end_vector(int v) { return v == 0 ? 3 : v < 3 ? 5 : 7; }
  TUMBLE_INLINE S coefficient(int g, int v, int i) const {
    const double t = Constants::place[g];
    if (v == 0)
      return S(i == 0 ? 6 * t * (1 - t) : i == 1 ? (1 - t) * (1 - 3 * t) : t * (3 * t - 2));
    const bool second = i == end_vector(v) - 1;
    if (v % 2 == 1) return S(second ? t : 1 - t);
    return second ? inverse_length() : -inverse_length();
  }
  TUMBLE_INLINE void combine(int g, const S (&u)[n][D], S (&x)[vectors][D]) const {
    for (int v = 0; v < vectors; ++v)
      for (int c = 0; c < D; ++c) {
        S sum(0.0);
        for (int i = first_vector(v); i < end_vector(v); ++i)
          sum = fma(coefficient(g, v, i), u[i][c], sum);
        x[v][c] = sum;
      }
  }

  /// ε̂ = ε - ε₀ + τ ε̇, on scalars or on jets of them; where damped and asked for, ε̇ too.
  template <class T>
  void strain_changes(int g, const T (&x)[vectors][D], T (&change)[strains],
                      T (*rates)[strains] = nullptr) const {
    if (damped_) {
      using Moving = Jet<T, 1>;
      S x_rate[vectors][D];
      combine(g, rate_, x_rate);
      Moving moving[vectors][D], strain[strains];
      for (int v = 0; v < vectors; ++v)
        for (int c = 0; c < D; ++c) {
          moving[v][c].value = x[v][c];
          moving[v][c].d[0] = lifted<T>(x_rate[v][c]);
        }
      Strains::strains(moving, strain);
      const T tau = lifted<T>(k_[Constants::damping_time]);
      for (int s = 0; s < strains; ++s) change[s] = strain[s].value + tau * strain[s].d[0];
      if (rates != nullptr)
        for (int s = 0; s < strains; ++s) (*rates)[s] = strain[s].d[0];
    } else {
      Strains::strains(x, change);
    }
    for (int s = 0; s < strains; ++s) change[s] = change[s] - lifted<T>(reference(g * strains + s));
  }
  template <class T>
  TUMBLE_INLINE static T lifted(const S& x) {
    if constexpr (std::is_same_v<T, S>)
      return x;
    else
      return T::constant(x);
  }

  /// All but the coupling of the Gauss points, whose factors are added to b and b_moved.
  template <class Stiffness, class Damping>
  void gauss_tangent(int g, Stiffness&& add_stiffness, Damping&& add_damping, Softened& b,
                     Softened& b_moved) const {
    using J = Jet<S, vectors * D>;
    S plain[vectors][D];
    combine(g, u_, plain);
    J x[vectors][D], q[vectors][D], moved[strains], stress[strains];
    for (int v = 0; v < vectors; ++v)
      for (int c = 0; c < D; ++c) {
        x[v][c].value = plain[v][c];
        x[v][c].d[D * v + c] = S(1.0);
      }
    strain_changes(g, x, moved);
    for (int s = 0; s < strains; ++s) {
      stress[s].value = stress_[g][s];
      for (int i = 0; i < vectors * D; ++i)
        stress[s].d[i] = stiffness(g * strains + s) * moved[s].d[i];
    }
    Strains::pull_back(x, stress, q);
    expand(
        g, [&](int v, int w, int r, int c) { return q[v][r].d[D * w + c]; }, add_stiffness);
    if (!damped_) {
      accumulate(g, moved, b);
      return;
    }
    accumulate(g, moved, b_moved);
    J strain[strains];
    Strains::strains(x, strain);
    accumulate(g, strain, b);
    const S tau = k_[Constants::damping_time];
    expand(
        g,
        [&](int v, int w, int r, int c) {
          S sum(0.0);
          for (int s = 0; s < strains; ++s)
            sum = fma(stiffness(g * strains + s) * strain[s].d[D * v + r], strain[s].d[D * w + c],
                      sum);
          return tau * sum;
        },
        add_damping);
  }
  /// From a matrix over the section's vectors, entry(v, w, row, column), to one over the nodes.
  template <class Entry, class Add>
  void expand(int g, Entry&& entry, Add&& add) const {
    for (int v = 0; v < vectors; ++v)
      for (int w = 0; w < vectors; ++w) {
        S inner[D][D];
        for (int r = 0; r < D; ++r)
          for (int c = 0; c < D; ++c) inner[r][c] = entry(v, w, r, c);
        for (int i = first_vector(v); i < end_vector(v); ++i)
          for (int j = first_vector(w); j < end_vector(w); ++j) {
            const S factor = coefficient(g, v, i) * coefficient(g, w, j);
            S block[D][D];
            for (int r = 0; r < D; ++r)
              for (int c = 0; c < D; ++c) block[r][c] = factor * inner[r][c];
            scatter_gradient_block<D>(i, j, block, inverse_length(), add);
          }
      }
  }
  template <class J>
  void accumulate(int g, const J (&strain)[strains], Softened& b) const {
    for (int v = 0; v < vectors; ++v)
      for (int i = first_vector(v); i < end_vector(v); ++i) {
        for (int s = 0; s < D; ++s) {
          const S factor = pattern(s, g) * coefficient(g, v, i);
          for (int c = 0; c < D; ++c)
            b.d[s][i][c] = fma(factor, strain[s].d[D * v + c], b.d[s][i][c]);
        }
      }
  }

  /// Calls f(place among the constants, i, j): the penalty is on u_i·u_j, or half of it if i = j.
  template <class F>
  TUMBLE_INLINE static void for_each_penalty(F&& f) {
    int at = gauss * strains;
    for (int node = 0; node < 2; ++node)
      for (int a = 3 + node; a < n; a += 2)
        for (int b = a; b < n; b += 2) f(at++, a, b);
  }
  TUMBLE_INLINE S product(int i, int j) const {
    S sum(0.0);
    for (int c = 0; c < D; ++c) sum = fma(u_[i][c], u_[j][c], sum);
    return i == j ? S(0.5) * sum : sum;
  }
  /// Of product().
  TUMBLE_INLINE S product_rate(int i, int j) const {
    S rate(0.0);
    for (int c = 0; c < D; ++c) {
      rate = fma(u_[i][c], rate_[j][c], rate);
      if (i != j) rate = fma(rate_[i][c], u_[j][c], rate);
    }
    return rate;
  }
  TUMBLE_INLINE S penalty(int at, int i, int j) const {
    S strain = product(i, j) - reference(at);
    if (damped_) strain = fma(k_[Constants::damping_time], product_rate(i, j), strain);
    return stiffness(at) * strain;
  }
  /// Of σ = k (u_i·u_j - ε₀ + τ d/dt): the force on either vector is σ times the other.
  template <class Stiffness, class Damping>
  void penalty_tangent(int at, int i, int j, Stiffness&& add_stiffness,
                       Damping&& add_damping) const {
    const S stress = penalty(at, i, j), k = stiffness(at), tau = k_[Constants::damping_time];
    const int pair[2] = {i, j};
    const int kinds = i == j ? 1 : 2;
    for (int a = 0; a < kinds; ++a)
      for (int b = 0; b < kinds; ++b) {
        const int row_other = pair[kinds - 1 - a], column_other = pair[kinds - 1 - b];
        S block[D][D], damping[D][D];
        for (int r = 0; r < D; ++r)
          for (int c = 0; c < D; ++c) {
            const S left = k * u_[row_other][r];
            S moved = u_[column_other][c];
            if (damped_) moved = fma(tau, rate_[column_other][c], moved);
            block[r][c] = left * moved;
            damping[r][c] = tau * (left * u_[column_other][c]);
            if (r == c && (kinds == 1 || a != b)) block[r][c] = block[r][c] + stress;
          }
        scatter_gradient_block<D>(pair[a], pair[b], block, inverse_length(), add_stiffness);
        if (damped_)
          scatter_gradient_block<D>(pair[a], pair[b], damping, inverse_length(), add_damping);
      }
  }

  const S* k_;
  bool damped_;
  bool linear_curvature_;
  S more_stress_[gauss][strains], more_energy_;
  S u_[n][D], rate_[n][D];
  S change_[gauss][strains], stress_[gauss][strains];
  S rate_of_strain_[gauss][strains];  ///< where damped
};

}  // namespace tumble::beam
