// A ground of heights over a grid: the cubic B-spline that passes through them, and the foot of the
// perpendicular from a point.
//
// h(x, y) = Σ c_ij b(x/Δx - j) b(y/Δy - i), twice continuously differentiable (de Boor, A Practical
// Guide to Splines, 1978); beyond its edges it is continued level. The coefficients follow from the
// heights once per realisation (model/compile/compile_contacts.cpp).
#pragma once
#include "tumble/dynamics/workspace.hpp"
#include "tumble/math/batch.hpp"
#include "tumble/math/cubic_spline.hpp"
#include "tumble/math/dual.hpp"

namespace tumble {
inline namespace TUMBLE_INSTRUCTION_SET {

/// The cell that holds x, in units of the spacing and within the grid.
TUMBLE_INLINE int cell_of(double x) { return static_cast<int>(x); }
inline int cell_of(const Dual& x) { return static_cast<int>(x.value); }
template <int W>
TUMBLE_INLINE BatchIndex<W> cell_of(const Batch<W>& x) {
  double lanes[W];
  x.store(lanes);
  BatchIndex<W> cell{};
  for (int i = 0; i < W; ++i) cell.lane[i] = static_cast<int>(lanes[i]);
  return cell;
}
TUMBLE_INLINE int at_offset(int row, int stride, int column, int offset) {
  return row * stride + column + offset;
}
template <int W>
TUMBLE_INLINE BatchIndex<W> at_offset(const BatchIndex<W>& row, int stride,
                                      const BatchIndex<W>& column, int offset) {
  BatchIndex<W> at{};
  for (int i = 0; i < W; ++i) at.lane[i] = row.lane[i] * stride + column.lane[i] + offset;
  return at;
}
TUMBLE_INLINE double cell_start(int cell, double) { return cell; }
inline Dual cell_start(int cell, const Dual&) { return cell; }
template <int W>
TUMBLE_INLINE Batch<W> cell_start(const BatchIndex<W>& cell, const Batch<W>&) {
  double lanes[W];
  for (int i = 0; i < W; ++i) lanes[i] = cell.lane[i];
  return Batch<W>::load(lanes);
}

}  // namespace TUMBLE_INSTRUCTION_SET

/// The four B-splines of a cell at u in [0, 1], with two derivatives by u.
template <class S>
struct CellSplines {
  S b[4], b1[4], b2[4];
  explicit CellSplines(const S& u) {
    const S v = S(1.0) - u, sixth(1.0 / 6);
    b[0] = sixth * v * v * v;
    b[3] = sixth * u * u * u;
    b[1] = fma(u * u, S(0.5) * u - S(1.0), S(2.0 / 3));
    b[2] = fma(v * v, S(0.5) * v - S(1.0), S(2.0 / 3));
    b1[0] = S(-0.5) * v * v;
    b1[3] = S(0.5) * u * u;
    b1[1] = u * fma(S(1.5), u, S(-2.0));
    b1[2] = -(v * fma(S(1.5), v, S(-2.0)));
    b2[0] = v;
    b2[3] = u;
    b2[1] = fma(S(3.0), u, S(-2.0));
    b2[2] = fma(S(3.0), v, S(-2.0));
  }
};

template <class S>
struct FieldFoot {
  S x, y;                           ///< of the foot [m]
  S h, h_x, h_y, h_xx, h_xy, h_yy;  ///< the height there, and its derivatives
  S inverse[3];  ///< xx, xy, yy of the inverse of the second derivatives of ½ distance²
};

/// The height at foot.x, foot.y.
template <class S>
void evaluate_field(const HeightFieldSurface& field, const S* spacing, const S* coefficients,
                    FieldFoot<S>& foot) {
  const S inverse_x = S(1.0) / spacing[0], inverse_y = S(1.0) / spacing[1];
  // Beyond the edges the height is that of the nearest point: level, without slope.
  const auto held = [](const S& x, int cells, S& inside) {
    const S last(cells);
    const auto low = x<S(0.0), high = x> last;
    inside = select(low | high, S(0.0), S(1.0));
    return select(low, S(0.0), select(high, last, x));
  };
  S in_x, in_y;
  const S x = held(foot.x * inverse_x, field.columns - 1, in_x);
  const S y = held(foot.y * inverse_y, field.rows - 1, in_y);
  const auto column = cell_of(min(x, S(field.columns - 1.5)));
  const auto row = cell_of(min(y, S(field.rows - 1.5)));
  const CellSplines<S> bx(x - cell_start(column, x)), by(y - cell_start(row, y));
  const int stride = field.columns + 2;
  S h(0.0), h_x(0.0), h_y(0.0), h_xx(0.0), h_xy(0.0), h_yy(0.0);
  for (int i = 0; i < 4; ++i) {
    S sum(0.0), sum1(0.0), sum2(0.0);
    for (int j = 0; j < 4; ++j) {
      const S value = gather(coefficients, at_offset(row, stride, column, i * stride + j));
      sum = fma(bx.b[j], value, sum);
      sum1 = fma(bx.b1[j], value, sum1);
      sum2 = fma(bx.b2[j], value, sum2);
    }
    h = fma(by.b[i], sum, h);
    h_x = fma(by.b[i], sum1, h_x);
    h_xx = fma(by.b[i], sum2, h_xx);
    h_y = fma(by.b1[i], sum, h_y);
    h_xy = fma(by.b1[i], sum1, h_xy);
    h_yy = fma(by.b2[i], sum, h_yy);
  }
  foot.h = h;
  foot.h_x = in_x * inverse_x * h_x;
  foot.h_y = in_y * inverse_y * h_y;
  foot.h_xx = in_x * inverse_x * inverse_x * h_xx;
  foot.h_xy = in_x * in_y * inverse_x * inverse_y * h_xy;
  foot.h_yy = in_y * inverse_y * inverse_y * h_yy;
}

/// Newton's iteration for the smallest ½ |p - (x, y, h(x, y))|², from the point below p. Where the
/// second derivatives are not those of a minimum, the part that always is (Gauss and Newton's)
/// takes their place. The number of steps is fixed: lanes stay together.
template <class S>
FieldFoot<S> find_foot(const HeightFieldSurface& field, const S* spacing, const S* coefficients,
                       const Vec3<S>& p) {
  FieldFoot<S> foot;
  foot.x = p.x, foot.y = p.y;
  constexpr int steps = 8;
  for (int step = 0; step <= steps; ++step) {
    evaluate_field(field, spacing, coefficients, foot);
    const S up = foot.h - p.z;
    const S g_xx = fma(foot.h_x, foot.h_x, S(1.0)), g_xy = foot.h_x * foot.h_y;
    const S g_yy = fma(foot.h_y, foot.h_y, S(1.0));
    const S f_xx = fma(up, foot.h_xx, g_xx), f_xy = fma(up, foot.h_xy, g_xy);
    const S f_yy = fma(up, foot.h_yy, g_yy);
    const S full = f_xx * f_yy - f_xy * f_xy;
    const auto sound = (full > S(0.05)) & (f_xx > S(0.05));
    const S xx = select(sound, f_xx, g_xx), xy = select(sound, f_xy, g_xy);
    const S yy = select(sound, f_yy, g_yy);
    const S scale = S(1.0) / (xx * yy - xy * xy);
    foot.inverse[0] = scale * yy, foot.inverse[1] = -(scale * xy), foot.inverse[2] = scale * xx;
    if (step == steps) break;
    const S e_x = fma(up, foot.h_x, foot.x - p.x), e_y = fma(up, foot.h_y, foot.y - p.y);
    foot.x = foot.x - (foot.inverse[0] * e_x + foot.inverse[1] * e_y);
    foot.y = foot.y - (foot.inverse[1] * e_x + foot.inverse[2] * e_y);
  }
  return foot;
}

}  // namespace tumble
