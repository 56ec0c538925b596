// Inertia of an element: M_ij = ∫ ρ s_i s_j dV, constant, the same for each component of a vector.
//
// A straight element with a symmetric section couples axis and sections not at all: the vectors
// fall into the groups (r_i, r_x,i, r_j, r_x,j), (r_y,i, r_y,j), (r_z,i, r_z,j).
// Gravity needs no constants of its own: a beam that falls freely has r̈ = g in both nodes and no
// accelerations of slopes, so M (ë - ë_free) holds inertia and weight.
#pragma once
#include <span>
#include <vector>

#include "tumble/beam/reference.hpp"

namespace tumble::beam {
inline namespace TUMBLE_INSTRUCTION_SET {

/// Where the coefficients of a mass matrix are.
template <int D, Curvature curvature>
struct MassLayout {
  static constexpr int vectors = element_vectors<D>;
  int size = 0;
  int slot[vectors][vectors] = {};  ///< -1 where nothing couples the two

  constexpr MassLayout() {
    for (int i = 0; i < vectors; ++i)
      for (int j = 0; j <= i; ++j) {
        const bool couples = curvature == Curvature::curved || group(i) == group(j);
        slot[i][j] = slot[j][i] = couples ? size++ : -1;
      }
  }
  static constexpr int group(int vector) {
    const int k = vector % node_vectors<D>;
    return k < 2 ? 0 : k - 1;
  }
};

template <int D, Curvature curvature>
inline constexpr MassLayout<D, curvature> mass_layout{};

/// Adds M a to the generalized forces of the nodes; a: accelerations less those of free fall.
template <int D, Curvature curvature, class S>
TUMBLE_INLINE void add_inertia_force(const S* mass, const S* first_a, const S* second_a, S* first,
                                     S* second) {
  constexpr const auto& layout = mass_layout<D, curvature>;
  constexpr int per_node = node_vectors<D>;
  for (int i = 0; i < element_vectors<D>; ++i) {
    S* f = i < per_node ? first + D * i : second + D * (i - per_node);
    for (int j = 0; j < element_vectors<D>; ++j) {
      if (layout.slot[i][j] < 0) continue;
      const S* a = j < per_node ? first_a + D * j : second_a + D * (j - per_node);
      for (int c = 0; c < D; ++c) f[c] = fma(mass[layout.slot[i][j]], a[c], f[c]);
    }
  }
}

}  // namespace TUMBLE_INSTRUCTION_SET

/// The mass matrix of one element, by the density at the Gauss points of its axis.
template <int D, Curvature curvature>
class MassInvariants {
 public:
  static constexpr int size = mass_layout<D, curvature>.size;

  MassInvariants(const Reference<D>& reference, const SectionAlong& section,
                 const Quadrature& rule = {});
  /// Gauss points of the axis, where the density is asked for: x/L of each.
  std::span<const double> places() const { return places_; }
  /// The matrix for densities [kg/m³] at places(), into `size` numbers; linear in them.
  /// @throws std::invalid_argument for another number of values than places.
  void write(std::span<const double> density, double* mass) const;

 private:
  std::vector<double> places_;
  std::vector<std::vector<double>> slices_;
};

}  // namespace tumble::beam
