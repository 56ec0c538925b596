// Elastic force of an element in the continuum formulation, its tangents and its energy.
//
// With h = A (Δg + τ ġ) (τ: retardation time of Kelvin-Voigt damping), the generalized force on
// gradient vector k is
//   Q_k = Σ_l P_kl u_l,   P_kk = 2 h_kk,  P_kl = h_kl
// and with B = ∂g/∂u, whose row of pair (k, l) holds u_l in the columns of u_k and u_k in those of
// u_l,
//   ∂Q/∂u = Bᵀ A (B + τ Ḃ) + P ⊗ I,   ∂Q/∂u̇ = τ Bᵀ A B
// Signs are those of the residual: Q is the derivative of the energy, not the force on the node.
#pragma once
#include <utility>

#include "tumble/beam/continuum.hpp"
#include "tumble/math/scalar.hpp"

namespace tumble::beam {

template <int D, Curvature curvature, class S>
class ContinuumForce {
 public:
  using Constants = ContinuumConstants<D, curvature>;
  static constexpr int n = gradient_vectors<D>;
  static constexpr int pairs = n * (n + 1) / 2;

  /// Kinematics of an element from the coordinates of its nodes. Velocities are read only where
  /// `damped`; a structural choice, never one of values.
  ContinuumForce(const S* constants, const S* first, const S* second, const S* first_rate,
                 const S* second_rate, bool damped)
      : k_(constants), damped_(damped) {
    const S tau = k_[Constants::damping_time];
    load_gradient_vectors<D>(first, second, inverse_length(), u_);
    for (int i = 0; i < n; ++i)
      for (int c = 0; c < D; ++c) w_[i][c] = u_[i][c];
    if (damped) {
      S rate[n][D];
      load_gradient_vectors<D>(first_rate, second_rate, inverse_length(), rate);
      for (int i = 0; i < n; ++i)
        for (int c = 0; c < D; ++c) w_[i][c] = fma(tau, rate[i][c], u_[i][c]);
    }
    // Δg + τ ġ = w_k·u_l + u_k·w_l - u_k·u_l - g₀ with w = u + τ u̇.
    compare_gram(std::make_integer_sequence<int, pairs>{});
    if (damped)
      for (int p = 0; p < pairs; ++p) {
        const int i = layout().first[p], j = layout().second[p];
        for (int c = 0; c < D; ++c) {
          change_[p] = fma(w_[i][c] - u_[i][c], u_[j][c], change_[p]);
          change_[p] = fma(u_[i][c], w_[j][c] - u_[j][c], change_[p]);
        }
      }
    multiply_groups(std::make_integer_sequence<int, layout().groups>{});
  }

  /// Strain energy [J]; of an element that was given no velocities.
  S energy() const {
    S sum(0.0);
    for (int p = 0; p < pairs; ++p) sum = fma(change_[p], h_[p], sum);
    return S(0.5) * sum;
  }

  /// Power that a damped element turns into heat [W]: τ ġᵀ A ġ.
  S dissipation() const {
    const S tau = k_[Constants::damping_time];
    const auto slow = tau > S(0.0);
    const S inverse = select(slow, S(1.0) / select(slow, tau, S(1.0)), S(0.0));
    S rate[pairs];  // τ ġ
    for (int p = 0; p < pairs; ++p) {
      const int i = layout().first[p], j = layout().second[p];
      S sum(0.0);
      for (int c = 0; c < D; ++c) {
        sum = fma(w_[i][c] - u_[i][c], u_[j][c], sum);
        sum = fma(u_[i][c], w_[j][c] - u_[j][c], sum);
      }
      rate[p] = sum;
    }
    const S* a = k_ + Constants::stiffness;
    S power(0.0);
    for (int g = 0; g < layout().groups; ++g) {
      const int start = layout().group_start[g], end = layout().group_start[g + 1];
      for (int p = start; p < end; ++p) {
        S sum(0.0);
        for (int q = start; q < p; ++q) sum = fma(*a++, rate[q], sum);
        power = fma(rate[p], fma(*a++, rate[p], sum + sum), power);
      }
    }
    return inverse * power;
  }

  /// Adds Q to the generalized forces of the nodes.
  void add_force(S* first, S* second) const {
    S force[n][D];
    for (int i = 0; i < n; ++i)
      for (int c = 0; c < D; ++c) {
        S sum = S(0.0);
        for (int j = 0; j < n; ++j) sum = fma(factor(i, j), u_[j][c], sum);
        force[i][c] = sum;
      }
    add_gradient_forces<D>(force, inverse_length(), first, second);
  }

  /// Calls stiffness(i, j, block) with D x D blocks of ∂Q/∂e over the element's vectors and, where
  /// damped, damping(i, j, block) with those of ∂Q/∂ė. Blocks of one pair of vectors add up.
  template <class Stiffness, class Damping>
  void tangent(Stiffness&& stiffness, Damping&& damping) const {
    for (int k = 0; k < n; ++k) {
      S t[D][pairs];
      multiply_column(k, w_, t);
      // Bᵀ A B is symmetric, as is the damping matrix: one half is the other.
      for (int i = damped_ ? 0 : k; i < n; ++i) {
        S block[D][D];
        project(i, t, block);
        for (int c = 0; c < D; ++c) block[c][c] = block[c][c] + factor(i, k);
        scatter_gradient_block<D>(i, k, block, inverse_length(), stiffness);
        if (!damped_ && i != k) scatter_transposed(i, k, block, stiffness);
      }
      if (!damped_) continue;
      multiply_column(k, u_, t);
      for (int i = k; i < n; ++i) {
        S block[D][D];
        project(i, t, block);
        for (int a = 0; a < D; ++a)
          for (int b = 0; b < D; ++b) block[a][b] = k_[Constants::damping_time] * block[a][b];
        scatter_gradient_block<D>(i, k, block, inverse_length(), damping);
        if (i != k) scatter_transposed(i, k, block, damping);
      }
    }
  }

 private:
  static constexpr const auto& layout() { return gram_layout<D, curvature>; }
  TUMBLE_INLINE const S& inverse_length() const { return k_[Constants::inverse_length]; }
  TUMBLE_INLINE S factor(int i, int j) const {
    const S& h = h_[layout().pair[i][j]];
    return i == j ? h + h : h;
  }

  template <class Add>
  void scatter_transposed(int i, int k, const S (&block)[D][D], Add&& add) const {
    S other[D][D];
    for (int a = 0; a < D; ++a)
      for (int b = 0; b < D; ++b) other[a][b] = block[b][a];
    scatter_gradient_block<D>(k, i, other, inverse_length(), add);
  }

  // Loops whose indices come from tables are written out at compile time: what they find is in
  // registers then.
  template <int... p>
  TUMBLE_INLINE void compare_gram(std::integer_sequence<int, p...>) {
    ((change_[p] = gram_change(p, layout().first[p], layout().second[p])), ...);
  }
  TUMBLE_INLINE S gram_change(int p, int i, int j) const {
    S sum = -k_[Constants::gram + p];
    for (int c = 0; c < D; ++c) sum = fma(u_[i][c], u_[j][c], sum);
    return sum;
  }
  template <int... g>
  TUMBLE_INLINE void multiply_groups(std::integer_sequence<int, g...>) {
    (multiply_group<layout().group_start[g], layout().group_start[g + 1] - layout().group_start[g]>(
         k_ + Constants::stiffness + layout().packed_start[g]),
     ...);
  }
  /// h = A change of one group, each number of whose triangle is read once.
  template <int start, int size>
  TUMBLE_INLINE void multiply_group(const S* a) {
    constexpr int fits_registers = 12;
    if constexpr (size <= fits_registers) {
      S x[size], h[size];
      for (int p = 0; p < size; ++p) x[p] = change_[start + p];
      multiply_rows(a, x, h, std::make_integer_sequence<int, size>{});
      for (int p = 0; p < size; ++p) h_[start + p] = h[p];
    } else {
      for (int p = start; p < start + size; ++p) {
        S sum(0.0);
        for (int q = start; q < p; ++q, ++a) {
          sum = fma(*a, change_[q], sum);
          h_[q] = fma(*a, change_[p], h_[q]);
        }
        h_[p] = S(0.0) + fma(*a++, change_[p], sum);
      }
    }
  }
  template <int size, int... p>
  static TUMBLE_INLINE void multiply_rows(const S* a, const S (&x)[size], S (&h)[size],
                                          std::integer_sequence<int, p...>) {
    (multiply_row<p>(a + p * (p + 1) / 2, x, h, std::make_integer_sequence<int, p>{}), ...);
  }
  template <int p, int size, int... q>
  static TUMBLE_INLINE void multiply_row(const S* a, const S (&x)[size], S (&h)[size],
                                         std::integer_sequence<int, q...>) {
    S sum(0.0);
    ((sum = fma(a[q], x[q], sum), h[q] = fma(a[q], x[p], h[q])), ...);
    h[p] = S(0.0) + fma(a[p], x[p], sum);
  }

  /// A times the columns of B (with v in place of u) that belong to vector k. Sums run over the
  /// pairs with k in the group of each row, and stay in registers.
  void multiply_column(int k, const S (&v)[n][D], S (&t)[D][pairs]) const {
    const S* const stiffness = k_ + Constants::stiffness;
    S value[n][D];
    for (int j = 0; j < n; ++j)
      for (int c = 0; c < D; ++c) value[j][c] = k == j ? v[j][c] + v[j][c] : v[j][c];
    for (int g = 0; g < layout().groups; ++g) {
      const int* const partner = layout().partner[k][g];
      const int count = layout().partners[k][g];
      for (int p = layout().group_start[g]; p < layout().group_start[g + 1]; ++p) {
        S sum[D];
        for (int c = 0; c < D; ++c) sum[c] = S(0.0);
        for (int m = 0; m < count; ++m) {
          const int j = partner[m];
          const S a = stiffness[layout().packed_of[p][layout().pair[k][j]]];
          for (int c = 0; c < D; ++c) sum[c] = fma(a, value[j][c], sum[c]);
        }
        for (int c = 0; c < D; ++c) t[c][p] = sum[c];
      }
    }
  }
  /// The rows of Bᵀ that belong to vector i times the columns t: D x D sums side by side.
  void project(int i, const S (&t)[D][pairs], S (&block)[D][D]) const {
    S sum[D][D];
    for (int b = 0; b < D; ++b) {
      const S& own = t[b][layout().pair[i][i]];
      for (int a = 0; a < D; ++a) sum[a][b] = own * u_[i][a];
    }
    for (int j = 0; j < n; ++j) {
      const int pair = layout().pair[i][j];
      for (int b = 0; b < D; ++b)
        for (int a = 0; a < D; ++a) sum[a][b] = fma(t[b][pair], u_[j][a], sum[a][b]);
    }
    for (int a = 0; a < D; ++a)
      for (int b = 0; b < D; ++b) block[a][b] = sum[a][b];
  }

  const S* k_;
  bool damped_;
  S u_[n][D], w_[n][D];  ///< gradient vectors, and u + τ u̇
  S change_[pairs], h_[pairs];
};

}  // namespace tumble::beam
