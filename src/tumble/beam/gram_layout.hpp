// Which numbers describe the strain of an element, and how its energy couples them.
//
// The strain is linear in the Gram matrix g_kl = u_k · u_l of the gradient vectors (shape.hpp): 15
// numbers in the plane, 28 in space. The energy is a quadratic form in them.
//
// A straight element with a section symmetric about y and z has the same energy after a reflection
// of its sections, u_3, u_4 -> -u_3, -u_4 (r_y) or u_5, u_6 -> -u_5, -u_6 (r_z). So products with
// different parities do not couple, and the form falls apart into groups:
//   space: {r_x r_x, r_y r_y, r_z r_z} 12, {r_x r_y} 6, {r_x r_z} 6, {r_y r_z} 4
//   plane: {r_x r_x, r_y r_y} 9, {r_x r_y} 6
// 130 coefficients instead of 406 in space, 66 instead of 120 in the plane.
#pragma once
#include "tumble/beam/reference.hpp"

namespace tumble::beam {
// In a namespace of its own for every instruction set, because kernels refer to the table.
inline namespace TUMBLE_INSTRUCTION_SET {

template <int D, Curvature curvature>
struct GramLayout {
  static constexpr int vectors = gradient_vectors<D>;
  static constexpr int pairs = vectors * (vectors + 1) / 2;
  static constexpr int max_groups = 4;

  int first[pairs] = {}, second[pairs] = {};  ///< the vectors of each pair, first <= second
  int pair[vectors][vectors] = {};            ///< and back, for either order
  int groups = 0;
  int group_start[max_groups + 1] = {};  ///< groups are consecutive pairs
  int packed_start[max_groups] = {};     ///< of each group's lower triangle, stored by rows
  int packed_size = 0;
  int group_of[pairs] = {};
  /// The vectors that make pairs of a group with a vector, and how many there are.
  int partner[vectors][max_groups][vectors] = {}, partners[vectors][max_groups] = {};
  int packed_of[pairs][pairs] = {};  ///< packed() of pairs of one group

  /// Bit 0: odd in r_y; bit 1: odd in r_z.
  static constexpr int parity(int vector) { return vector < 3 ? 0 : vector < 5 ? 1 : 2; }

  constexpr GramLayout() {
    const int parities = curvature == Curvature::straight ? (D == 2 ? 2 : 4) : 1;
    int n = 0;
    for (int p = 0; p < parities; ++p) {
      group_start[p] = n;
      for (int k = 0; k < vectors; ++k)
        for (int l = k; l < vectors; ++l) {
          if (parities > 1 && (parity(k) ^ parity(l)) != p) continue;
          first[n] = k, second[n] = l, group_of[n] = p;
          pair[k][l] = pair[l][k] = n;
          ++n;
        }
      const int size = n - group_start[p];
      packed_start[p] = packed_size;
      packed_size += size * (size + 1) / 2;
    }
    groups = parities;
    group_start[parities] = n;
    for (int k = 0; k < vectors; ++k)
      for (int j = 0; j < vectors; ++j) {
        const int g = group_of[pair[k][j]];
        partner[k][g][partners[k][g]++] = j;
      }
    for (int p = 0; p < pairs; ++p)
      for (int q = 0; q < pairs; ++q)
        if (group_of[p] == group_of[q]) packed_of[p][q] = packed(p, q);
  }

  /// Where the coefficient of pairs p and q of one group is stored.
  constexpr int packed(int p, int q) const {
    const int g = group_of[p], a = (p > q ? p : q) - group_start[g],
              b = (p > q ? q : p) - group_start[g];
    return packed_start[g] + a * (a + 1) / 2 + b;
  }
};

template <int D, Curvature curvature>
inline constexpr GramLayout<D, curvature> gram_layout{};

static_assert(gram_layout<2, Curvature::straight>.packed_size == 66);
static_assert(gram_layout<3, Curvature::straight>.packed_size == 130);
static_assert(gram_layout<2, Curvature::curved>.packed_size == 120);
static_assert(gram_layout<3, Curvature::curved>.packed_size == 406);

}  // namespace TUMBLE_INSTRUCTION_SET
}  // namespace tumble::beam
