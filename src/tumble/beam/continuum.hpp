// Elastic constants of an element in the continuum formulation, without quadrature in a step.
//
// St. Venant-Kirchhoff material: density of energy λ/2 (tr E)² + G E:E with Green's strain
// E = ½ (Fᵀ F - I); in the plane, plane strain. With the Gram matrix g of the gradient vectors and
// that of the undeformed element g₀ (gram_layout.hpp),
//   E(x) = L(x) (g - g₀)                                        because E is affine and E(g₀) = 0
//   U = ½ Δgᵀ A Δg,   A = ∫ λ t tᵀ + 2 G Σ_αβ L_αβ L_αβᵀ dV,   Δg = g - g₀,  t = L_αα
// so referring g to its undeformed value absorbs the strain's -I, and small strains keep their
// digits. A is a sum over the Gauss points of the axis, λ and G of each multiplying matrices that
// depend on geometry alone (D. García-Vallejo et al., Nonlinear Dyn. 35 (2004), 313-329, have
// invariants of the coordinates themselves: 24⁴ numbers instead of 130).
// Derivation: docs/theory/ancf-beams.md.
#pragma once
#include <span>
#include <vector>

#include "tumble/beam/gram_layout.hpp"
#include "tumble/beam/material.hpp"

namespace tumble::beam {

/// Where a kernel finds the constants of an element: 1/L, retardation time, g₀, A.
template <int D, Curvature curvature>
struct ContinuumConstants {
  static constexpr int inverse_length = 0;
  static constexpr int damping_time = 1;
  static constexpr int gram = 2;
  static constexpr int stiffness = gram + gradient_vectors<D> * (gradient_vectors<D> + 1) / 2;
  static constexpr int stiffness_size = gram_layout<D, curvature>.packed_size;
  static constexpr int size = stiffness + stiffness_size;
};

/// The invariants of one element: geometry, no material.
template <int D, Curvature curvature>
class ContinuumInvariants {
 public:
  /// @throws std::invalid_argument as reference_slices() does.
  ContinuumInvariants(const Reference<D>& reference, const SectionAlong& section,
                      const Quadrature& rule = {});

  /// Gauss points of the axis, where the material is asked for: x/L of each.
  std::span<const double> places() const { return places_; }

  /// Everything but A. `damping_time` [s]: Kelvin-Voigt, stress from E + damping_time Ė.
  /// @throws std::invalid_argument if it is negative.
  void write_geometry(double damping_time, double* constants) const;

  /// A for the material at each of places(), into stiffness_size numbers. It is linear in the
  /// material: where that is an affine function of random numbers, so is A, and the terms may be
  /// computed once with the material's own terms. @throws std::invalid_argument for another number
  /// of values than places.
  void write_stiffness(std::span<const Lame> material, double* stiffness) const;

 private:
  double inverse_length_;
  std::vector<double> gram_;  ///< g₀ by pairs
  std::vector<double> places_;
  std::vector<std::vector<double>> volumetric_, shear_;  ///< by place: factors of λ and G
};

}  // namespace tumble::beam
