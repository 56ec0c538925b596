// Coefficients of the implicit two-step family with a tunable spectral radius at infinite frequency
// (P. Masarati, M. Lanz, P. Mantegazza: Multistep integration of ordinary, stiff and
// differential-algebraic problems for multibody dynamics applications, XVI Congresso Nazionale
// AIDAA, Palermo 2001), which MBDyn calls `ms`. With p = h_{n-1} the step before and h_n = α p,
//   x_n = (1 - β) x_{n-1} + β x_{n-2} + p (b₀ ẋ_n + b₁ ẋ_{n-1} + b₂ ẋ_{n-2}),
//   b₀ = δ/α + α/2,  b₁ = β/2 + α/2 - (1 + α) δ/α,  b₂ = β/2 + δ.
// Second order for any β and δ:
//   x = t:    α = -β + b₀ + b₁ + b₂ is α = -β + (α + β),
//   x = t²/2: α²/2 = β/2 + α b₀ - b₂  is  α²/2 = β/2 + δ + α²/2 - β/2 - δ.
// β and δ follow from ρ: for ẋ = s x and |s| → ∞ what is left is b₀ z² + b₁ z + b₂ = 0, which has
// with equal steps the double root z = -ρ. ρ = 0 is the backward differentiation formula of second
// order, ρ = 1 the trapezoidal rule over both steps.
#pragma once

namespace tumble {

struct Multistep {
  double beta, b0, b1, b2;

  /// @param rho spectral radius in [0, 1]
  /// @param ratio α: a step over the step before it
  static Multistep with_spectral_radius(double rho, double ratio = 1) {
    const double damped = (1 - rho) * (1 - rho), rest = 2 * (1 + ratio) - damped;
    const double beta = ratio * (damped * (2 + ratio) + 2 * (2 * rho - 1) * (1 + ratio)) / rest;
    const double delta = 0.5 * ratio * ratio * damped / rest;
    return {beta, delta / ratio + 0.5 * ratio,
            0.5 * beta + 0.5 * ratio - (1 + ratio) * delta / ratio, 0.5 * beta + delta};
  }
  /// With equal steps h: the velocities v + h² d that keep positions on a path with the third
  /// derivative v̈ in every step are those with d = this times v̈. From x = t³/6 in the formula
  /// above: (1 + β)/6 = (b₀ + b₂)/2 + (1 + β) d.
  double velocity_offset() const { return 1.0 / 6 - 0.5 * (b0 + b2) / (1 + beta); }
};

}  // namespace tumble
