// Constants of an element in the structural formulation, free of locking: section stiffnesses on
// Reissner's strains at reduced Gauss points of the axis, and penalties that keep the sections of
// the nodes from deforming.
//
//   U = ½ Σ_g w_g L (EA Γ₁² + k_y GA Γ₂² + k_z GA Γ₃² + GJ K₁² + EI_y K₂² + EI_z K₃²)
//     + ½ Σ_nodes L/2 (EA E_yy² + EA E_zz² + GA (2 E_yz)²)
// with strains relative to the undeformed element (structural_strains.hpp), E_yy = ½ (d·d - 1),
// E_zz = ½ (e·e - 1), 2 E_yz = d·e. The section's stretch is asked for in the nodes alone
// (Lobatto's two points), because a vector interpolated between two turned ones is shorter, and to
// resist that would lock.
//
// Force strains Γ need three Gauss points: with two, an axis that runs as the Legendre polynomial
// P₂ between its nodes would be free of strain. But to resist all three values with the full EA and
// kGA is more than the element's coordinates can satisfy in a thin bent beam, and it locks. So only
// the part of Γ linear in x has the full stiffness k; the quadratic part Σ_g a_g Γ_g has
//   1 / (1/k + L²/(12 EI))
// which is no more than what bending the element would cost (the residual bending flexibility of
// R. H. MacNeal, Comput. Struct. 8 (1978), 175-183) and becomes k as L -> 0.
//
// With linear curvature the section turns in an element as the straight line between its nodes plus
// b 3/2 (1 - s²), s = 2x/L - 1, which adds the curvature -6 s b/L and takes B b, B = 3/2 (1 - s²),
// from the shear strain. b is nobody's coordinate: each element chooses the one of least energy,
// and
//   U = ½ Σ_g D_g Γ_g² - ½ (Σ_g D_g B_g Γ_g)² / (H + Σ_g D_g B_g²),   H = 12 EI/L
// for either shear strain: a softening like the other, of another pattern. An enhanced strain in
// the sense of J. C. Simo, M. S. Rifai, Int. J. Numer. Methods Eng. 29 (1990), 1595-1638. Sources
// and discussion: docs/theory/ancf-beams.md.
#pragma once
#include <array>
#include <span>

#include "tumble/beam/reference.hpp"
#include "tumble/beam/structural_strains.hpp"

namespace tumble::beam {

/// Of one section [N, N m²]. In the plane only axial, shear_y, bending_z and stretch count.
struct SectionStiffness {
  double axial;                ///< EA
  double shear_y, shear_z;     ///< k_y GA, k_z GA
  double torsion;              ///< GJ
  double bending_y;            ///< EI_y: in the plane x z
  double bending_z;            ///< EI_z: in the plane x y
  double stretch, distortion;  ///< penalties on E_yy, E_zz and on 2 E_yz: EA, GA
};

/// For a homogeneous section. @throws std::invalid_argument as lame() does.
SectionStiffness section_stiffness(const Section& section, double youngs_modulus, double nu);

// In a namespace of its own for every instruction set, because kernels refer to the tables.
inline namespace TUMBLE_INSTRUCTION_SET {

/// Where a kernel finds the constants of an element.
template <int D>
struct StructuralConstants {
  static constexpr int gauss = 3;
  static constexpr int strains = SectionStrains<D>::count;
  static constexpr int penalties = D * (D - 1) / 2;  ///< E_yy[, E_zz, 2 E_yz] of a node
  static constexpr int inverse_length = 0;
  static constexpr int damping_time = 1;
  static constexpr int reference = 2;  ///< strains at the Gauss points, then at the nodes
  static constexpr int stiffness_size = gauss * strains + 2 * penalties;
  static constexpr int stiffness = reference + stiffness_size;  ///< in the same order
  static constexpr int softening = stiffness + stiffness_size;  ///< of Γ₁, Γ₂[, Γ₃]
  static constexpr int pattern = softening + D;  ///< of the softening: Gauss points by strain
  static constexpr int size = pattern + gauss * D;

  /// x/L and weights of the Gauss points; (√5/9) (1, -2, 1): weight times the normalised P₂, the
  /// pattern of Γ₁ and, where curvature is constant, of all of them.
  static constexpr double place[gauss] = {0.11270166537925831, 0.5, 0.88729833462074169};
  static constexpr double weight[gauss] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  static constexpr double quadratic[gauss] = {0.24845199749997663, -0.49690399499995327,
                                              0.24845199749997663};
};

}  // namespace TUMBLE_INSTRUCTION_SET

/// Geometry of one element; what its numbers are made of.
template <int D>
class StructuralInvariants {
 public:
  /// @throws std::invalid_argument if the length is not positive or a section vector vanishes.
  explicit StructuralInvariants(const Reference<D>& reference);

  /// Where the section is asked for, x/L: first node, three Gauss points, second node.
  static std::span<const double> places();

  /// Everything but stiffnesses. `damping_time` [s]: section forces from strain + damping_time
  /// rate.
  /// @throws std::invalid_argument if it is negative.
  void write_geometry(double damping_time, double* constants) const;
  /// For the sections at places(): stiffnesses and their softening, by constant or linear
  /// curvature.
  /// @throws std::invalid_argument for another number of sections than places.
  void write_stiffness(std::span<const SectionStiffness> sections, double* constants,
                       bool linear_curvature = false) const;

 private:
  using Constants = StructuralConstants<D>;
  double length_;
  std::array<double, Constants::gauss> stretch_;  ///< |∂X/∂x| of the undeformed axis
  std::array<double, Constants::stiffness_size> strain_;
};

}  // namespace tumble::beam
