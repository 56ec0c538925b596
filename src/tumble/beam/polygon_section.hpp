// Constants of a section that is a polygon without holes.
//
// Area and moments are closed forms. Torsion and shear need Saint-Venant's functions, which solve
// Laplace's equation in the section; they are found by finite elements when a model is set up.
//   warping ω:  ∂ω/∂n = z n_y - y n_z,   J = ∫ y² + z² dA - ∫ |∇ω|² dA   from above, and
//   Prandtl's φ:  -Δφ = 2, φ = 0 on the outline,   J = 2 ∫ φ dA           from below: their mean
//   flexure χ along y (G. R. Cowper, J. Appl. Mech. 33 (1966), 335-340, equation 18):
//     ∂χ/∂n = -n_y (ν y²/2 + (1 - ν/2) z²) - n_z (2 + ν) y z
//     k = 2 (1 + ν) I / (ν/2 (∫ z² dA - I) - A/I ∫ y (χ + y z²) dA),   I = ∫ y² dA
// and the same along z with y and z exchanged. χ is affine in ν, so k is known for all of them.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tumble/beam/section.hpp"

namespace tumble::beam {

/// More make a drawing, not a section.
inline constexpr std::size_t most_corners = 200;

/// What Cowper's coefficient is made of.
struct ShearIntegrals {
  double area, along, across;  ///< A, ∫ y² dA, ∫ z² dA for shear along y
  double constant, poisson;    ///< ∫ y (χ + y z²) dA = constant + ν poisson
  double coefficient(double nu) const;
};

struct PolygonNumbers {
  std::vector<std::array<double, 2>> corners;  ///< counterclockwise, in the section's own axes
  std::array<double, 2> centroid{};            ///< among the corners as they were given
  double angle = 0;  ///< of the section's axes from those of the corners, about x [rad]
  double area = 0, I_y = 0, I_z = 0;
  double torsion = 0, warping = 0;  ///< J [m⁴], I_ω about the shear centre [m⁶]
  double torsion_error = 0;         ///< J is known to be no further away than this
  /// (y, z) of the shear centre of J. Trefftz, where a force across causes no twist.
  std::array<double, 2> shear_centre{};
  ShearIntegrals shear_y{}, shear_z{};
};

/// What is wrong with corners, in words; nothing if they are those of a polygon that does not cross
/// itself.
std::optional<std::string> polygon_fault(const std::vector<std::array<double, 2>>& corners);

/// `principal`: in axes in which ∫ y z dA = 0, those nearest to the axes of the corners.
/// `fineness`: triangles of the mesh, at least.
/// @throws std::invalid_argument with polygon_fault(), if there is one.
PolygonNumbers polygon_numbers(const std::vector<std::array<double, 2>>& corners, bool principal,
                               int fineness = 1000);
/// The same, remembered: the elements of a beam ask for one section many times.
std::shared_ptr<const PolygonNumbers> cached_polygon_numbers(
    const std::vector<std::array<double, 2>>& corners, bool principal);

/// A rule for integrals over the polygon, exact up to degree 2 order - 1; weights may be negative.
std::vector<SectionPoint> polygon_points(const PolygonNumbers& polygon, int order);

}  // namespace tumble::beam
