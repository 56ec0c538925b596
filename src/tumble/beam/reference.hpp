// The undeformed shape of an element and the quadrature over it.
#pragma once
#include <array>
#include <vector>

#include "tumble/beam/section.hpp"
#include "tumble/beam/shape.hpp"

namespace tumble::beam {

/// A straight element has more symmetry than a curved one, and fewer invariants.
enum class Curvature { straight, curved };

/// Where the element's vectors are when it is free of strain.
template <int D>
struct Reference {
  double length;  ///< of the parameter x: the arc length of the axis [m]
  std::array<double, 2 * node_coordinates<D>> nodes;  ///< coordinates of first and second node

  /// From the origin along the first axis; the section vectors are the other axes. A straight beam
  /// may lie anywhere: its strain does not depend on it.
  static Reference straight(double length);
};

/// A quadrature point of the undeformed body.
template <int D>
struct ReferencePoint {
  double weight;                ///< volume [m³]
  ShapeValues<D> value;         ///< of the position
  ShapeGradients<D> gradients;  ///< with respect to orthonormal axes of the undeformed body
};

/// Quadrature points of the sections at one Gauss point of the axis.
template <int D>
struct ReferenceSlice {
  double xi;
  std::vector<ReferencePoint<D>> points;
};

/// How finely an element is integrated when it is set up. Five axial points and order three over
/// the section are exact for a straight element of uniform material: the density of energy is of
/// degree 8 in x and 4 in y, z. A curved one has rational integrands, and a section that varies
/// along the axis raises the degree: a tapered element is integrated to an error that falls with
/// the tenth power of its length.
struct Quadrature {
  int axial = 5;
  int section = 3;
};

/// With the parameters' Jacobian J₀ = ∂X/∂(x, y, z) = Q R, R upper triangular, gradients are taken
/// with respect to axes turned by Q: ∂r/∂(x, y, z) R⁻¹. The material being isotropic, Q matters
/// not; and where the reference is straight, R is the identity.
/// @throws std::invalid_argument if the length is not positive or the reference is folded.
template <int D>
std::vector<ReferenceSlice<D>> reference_slices(const Reference<D>& reference, Curvature curvature,
                                                const SectionAlong& section,
                                                const Quadrature& rule);

/// The deformation at one material point: gradients as above, and the area of the undeformed
/// section as a vector per area dy dz, det(R) R⁻ᵀ e_x in the same axes; the unit vector e_x where
/// the reference is straight. @throws std::invalid_argument as reference_slices() does.
template <int D>
struct ReferenceGradients {
  ShapeGradients<D> gradients;
  std::array<double, D> area;
};
template <int D>
ReferenceGradients<D> reference_gradients(const Reference<D>& reference, Curvature curvature,
                                          const ElementPoint& at);

}  // namespace tumble::beam
