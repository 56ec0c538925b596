// Coefficients of the generalized-alpha method (Chung & Hulbert 1993) in the Lie-group form of
// Brüls, Cardona & Arnold (2012):
//   q_{n+1} = q_n ∘ exp(u),  u = h v_n + h² (½ - β) a_n + h² β a_{n+1}
//   v_{n+1} = v_n + h (1 - γ) a_n + h γ a_{n+1}
//   (1 - α_m) a_{n+1} + α_m a_n = (1 - α_f) v̇_{n+1} + α_f v̇_n
// with the equations of motion and the constraints imposed at t_{n+1} on (q, v, v̇, λ)_{n+1}. The
// auxiliary a_n approximates v̇(t_n + Δ h), Δ = α_m - α_f, not v̇(t_n).
#pragma once

namespace tumble {

struct GeneralizedAlpha {
  double alpha_m, alpha_f, beta, gamma;

  /// Second order, with spectral radius `rho` in [0, 1] at infinite frequency.
  static GeneralizedAlpha with_spectral_radius(double rho) {
    const double alpha_m = (2 * rho - 1) / (rho + 1), alpha_f = rho / (rho + 1);
    const double gamma = 0.5 - alpha_m + alpha_f;
    return {alpha_m, alpha_f, 0.25 * (gamma + 0.5) * (gamma + 0.5), gamma};
  }
  double shift() const { return alpha_m - alpha_f; }  ///< Δ
  /// v_{n+1} and u change by these factors times a change of v̇_{n+1}.
  double velocity_factor(double h) const { return h * gamma * (1 - alpha_f) / (1 - alpha_m); }
  double position_factor(double h) const { return h * h * beta * (1 - alpha_f) / (1 - alpha_m); }
};

}  // namespace tumble
