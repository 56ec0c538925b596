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
    const S zero(0.0), tau = k_[Constants::damping_time];
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
    S change[pairs];
    for (int p = 0; p < pairs; ++p) {
      const int i = layout().first[p], j = layout().second[p];
      S sum = -k_[Constants::gram + p];
      for (int c = 0; c < D; ++c) sum = fma(u_[i][c], u_[j][c], sum);
      if (damped)
        for (int c = 0; c < D; ++c) {
          sum = fma(w_[i][c] - u_[i][c], u_[j][c], sum);
          sum = fma(u_[i][c], w_[j][c] - u_[j][c], sum);
        }
      change[p] = sum;
      h_[p] = zero;
    }
    const S* a = k_ + Constants::stiffness;
    energy_ = zero;
    for (int g = 0; g < layout().groups; ++g) {
      const int start = layout().group_start[g], end = layout().group_start[g + 1];
      for (int p = start; p < end; ++p) {
        S sum = zero;
        for (int q = start; q < p; ++q) {
          sum = fma(*a, change[q], sum);
          h_[q] = fma(*a, change[p], h_[q]);
          ++a;
        }
        h_[p] = h_[p] + fma(*a, change[p], sum);
        ++a;
      }
    }
    for (int p = 0; p < pairs; ++p) energy_ = fma(change[p], h_[p], energy_);
    energy_ = S(0.5) * energy_;
  }

  /// Strain energy [J]; of an element that was given no velocities.
  const S& energy() const { return energy_; }

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

  /// A times the columns of B (with v in place of u) that belong to vector k.
  void multiply_column(int k, const S (&v)[n][D], S (&t)[D][pairs]) const {
    for (int c = 0; c < D; ++c)
      for (int p = 0; p < pairs; ++p) t[c][p] = S(0.0);
    for (int j = 0; j < n; ++j) {
      const int q = layout().pair[k][j], g = layout().group_of[q];
      S value[D];
      for (int c = 0; c < D; ++c) value[c] = k == j ? v[j][c] + v[j][c] : v[j][c];
      for (int p = layout().group_start[g]; p < layout().group_start[g + 1]; ++p) {
        const S& a = k_[Constants::stiffness + layout().packed(p, q)];
        for (int c = 0; c < D; ++c) t[c][p] = fma(a, value[c], t[c][p]);
      }
    }
  }
  /// The rows of Bᵀ that belong to vector i times the columns t.
  void project(int i, const S (&t)[D][pairs], S (&block)[D][D]) const {
    for (int a = 0; a < D; ++a)
      for (int b = 0; b < D; ++b) {
        const S& own = t[b][layout().pair[i][i]];
        S sum = own * u_[i][a];
        for (int j = 0; j < n; ++j) sum = fma(t[b][layout().pair[i][j]], u_[j][a], sum);
        block[a][b] = sum;
      }
  }

  const S* k_;
  bool damped_;
  S u_[n][D], w_[n][D];  ///< gradient vectors, and u + τ u̇
  S h_[pairs];
  S energy_;
};

}  // namespace tumble::beam
