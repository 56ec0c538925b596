// Dead loads on an element, as factors of its vectors: the generalized force on vector i is the
// factor times the load.
#pragma once
#include "tumble/beam/shape.hpp"

namespace tumble::beam {

/// A force [N] at a material point: r = Σ s_i e_i, so the factors are the shape functions there.
template <int D>
ShapeValues<D> point_load(double length, const ElementPoint& at) {
  return shape_values<D>(length, at);
}

/// A force per length [N/m] on the axis, from f at the first node linearly to f at the second:
/// factors of f at each of the two, ∫ s_i (1 - ξ) dx and ∫ s_i ξ dx.
template <int D>
struct LineLoad {
  ShapeValues<D> first, second;
};
template <int D>
LineLoad<D> line_load(double length) {
  const double l = length, l2 = length * length;
  LineLoad<D> load{};
  load.first.s[0] = load.second.s[D + 1] = 7 * l / 20;
  load.second.s[0] = load.first.s[D + 1] = 3 * l / 20;
  load.first.s[1] = l2 / 20, load.second.s[1] = l2 / 30;
  load.first.s[D + 2] = -l2 / 30, load.second.s[D + 2] = -l2 / 20;
  return load;
}

}  // namespace tumble::beam
