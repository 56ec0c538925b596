// Where kernels find the constants of a beam's material point that a probe observes.
#pragma once
#include "tumble/beam/shape.hpp"

namespace tumble {

template <int D>
struct BeamPointConstants {
  static constexpr int gradient_size = D * beam::gradient_vectors<D>;

  static constexpr int shape = 0;                         ///< factors of the element's vectors
  static constexpr int place = beam::element_vectors<D>;  ///< x/L
  static constexpr int offset = place + 1;                ///< y, z
  static constexpr int gradients = offset + 2;  ///< those of ∂r/∂x, ∂r/∂y[, ∂r/∂z]
  static constexpr int lame = gradients + gradient_size;  ///< λ, G
  static constexpr int compliance = lame + 2;    ///< 1/(EA, k_y GA, k_z GA, GJ, EI_y, EI_z)
  static constexpr int moduli = compliance + 6;  ///< E, k_y G, k_z G, G J/(I_y + I_z)
  static constexpr int size = moduli + 4;

  /// Of each point of the section: gradients, area vector(D), y, z.
  static constexpr int point_area = gradient_size;
  static constexpr int point_offset = point_area + D;
  static constexpr int point_size = point_offset + 2;
};

}  // namespace tumble
