// Shape functions of the fully parameterised beam elements.
//
// A node has the vectors r, r_x, r_y (plane, D = 2; M. A. Omar, A. A. Shabana, J. Sound Vib. 243
// (2001), 565-576) and r_z (space, D = 3; A. A. Shabana, R. Y. Yakoub, J. Mech. Des. 123 (2001),
// 606-613). With ξ = x/L the position of the material point (x, y, z) is
//   r = (1 - 3ξ² + 2ξ³) r_i + L (ξ - 2ξ² + ξ³) r_x,i + (1 - ξ) (y r_y,i + z r_z,i)
//     + (3ξ² - 2ξ³) r_j     + L (ξ³ - ξ²) r_x,j       + ξ (y r_y,j + z r_z,j)
// an axis of cubic polynomials that carries sections interpolated linearly.
//
// Deformation sees the two positions as their difference only. With the *gradient vectors*
//   u = ((r_j - r_i)/L, r_x,i, r_x,j, r_y,i, r_y,j[, r_z,i, r_z,j])
// every derivative of r is a combination of five vectors in the plane and seven in space.
#pragma once
#include "tumble/math/arithmetic.hpp"

namespace tumble::beam {

template <int D>
inline constexpr int node_vectors = D + 1;  ///< r, r_x, r_y[, r_z]
template <int D>
inline constexpr int element_vectors = 2 * node_vectors<D>;  ///< first node, second node
template <int D>
inline constexpr int node_coordinates = D* node_vectors<D>;
template <int D>
inline constexpr int gradient_vectors = element_vectors<D> - 1;

/// A material point of an element: the axis coordinate x/L in [0, 1], and y, z [m] of the section.
struct ElementPoint {
  double xi, y = 0, z = 0;
};

/// The factors of the element's vectors in the position of a point: r = Σ s_i e_i.
template <int D>
struct ShapeValues {
  double s[element_vectors<D>];
};

/// The factors of the gradient vectors in ∂r/∂x, ∂r/∂y[, ∂r/∂z].
template <int D>
struct ShapeGradients {
  double b[D][gradient_vectors<D>];
};

template <int D>
ShapeValues<D> shape_values(double length, const ElementPoint& p) {
  const double t = p.xi;
  ShapeValues<D> v{};
  v.s[0] = 1 - t * t * (3 - 2 * t);
  v.s[1] = length * t * (1 - t) * (1 - t);
  v.s[D + 1] = t * t * (3 - 2 * t);
  v.s[D + 2] = -length * t * t * (1 - t);
  const double offset[2] = {p.y, p.z};
  for (int k = 0; k < D - 1; ++k) {
    v.s[2 + k] = (1 - t) * offset[k];
    v.s[D + 3 + k] = t * offset[k];
  }
  return v;
}

template <int D>
ShapeGradients<D> shape_gradients(double length, const ElementPoint& p) {
  const double t = p.xi;
  ShapeGradients<D> g{};
  g.b[0][0] = 6 * t * (1 - t);
  g.b[0][1] = (1 - t) * (1 - 3 * t);
  g.b[0][2] = t * (3 * t - 2);
  const double offset[2] = {p.y, p.z};
  for (int k = 0; k < D - 1; ++k) {
    g.b[0][3 + 2 * k] = -offset[k] / length;
    g.b[0][4 + 2 * k] = offset[k] / length;
    g.b[1 + k][3 + 2 * k] = 1 - t;
    g.b[1 + k][4 + 2 * k] = t;
  }
  return g;
}

/// The gradient vectors of an element from the coordinates of its nodes.
template <int D, class S>
TUMBLE_INLINE void load_gradient_vectors(const S* first, const S* second, const S& inverse_length,
                                         S (&u)[gradient_vectors<D>][D]) {
  for (int c = 0; c < D; ++c) {
    u[0][c] = (second[c] - first[c]) * inverse_length;
    for (int k = 1; k < node_vectors<D>; ++k) {
      u[2 * k - 1][c] = first[D * k + c];
      u[2 * k][c] = second[D * k + c];
    }
  }
}

/// Adds generalized forces on the gradient vectors to those on the coordinates of the nodes.
template <int D, class S>
TUMBLE_INLINE void add_gradient_forces(const S (&force)[gradient_vectors<D>][D],
                                       const S& inverse_length, S* first, S* second) {
  for (int c = 0; c < D; ++c) {
    const S f = force[0][c] * inverse_length;
    first[c] = first[c] - f;
    second[c] = second[c] + f;
    for (int k = 1; k < node_vectors<D>; ++k) {
      first[D * k + c] = first[D * k + c] + force[2 * k - 1][c];
      second[D * k + c] = second[D * k + c] + force[2 * k][c];
    }
  }
}

/// Passes the D x D block of gradient vectors i, k on as blocks of the element's vectors: calls
/// add(row vector, column vector, block), vectors counted 0 ... element_vectors - 1.
template <int D, class S, class Add>
TUMBLE_INLINE void scatter_gradient_block(int i, int k, const S (&block)[D][D],
                                          const S& inverse_length, Add&& add) {
  const auto vector = [](int g) {  // of a slope: odd ones belong to the first node
    return g % 2 == 1 ? (g + 1) / 2 : node_vectors<D> + g / 2;
  };
  const auto scaled = [&](const S& factor, int row, int column) {
    S out[D][D];
    for (int a = 0; a < D; ++a)
      for (int b = 0; b < D; ++b) out[a][b] = factor * block[a][b];
    add(row, column, out);
  };
  constexpr int second = node_vectors<D>;
  if (i == 0 && k == 0) {
    const S square = inverse_length * inverse_length;
    scaled(square, 0, 0), scaled(-square, 0, second);
    scaled(-square, second, 0), scaled(square, second, second);
  } else if (i == 0) {
    scaled(-inverse_length, 0, vector(k)), scaled(inverse_length, second, vector(k));
  } else if (k == 0) {
    scaled(-inverse_length, vector(i), 0), scaled(inverse_length, vector(i), second);
  } else {
    add(vector(i), vector(k), block);
  }
}

}  // namespace tumble::beam
