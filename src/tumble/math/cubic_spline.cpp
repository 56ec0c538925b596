#include "tumble/math/cubic_spline.hpp"

#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace tumble {
namespace {

void require_points(const std::vector<double>& x, const std::vector<double>& y, int n,
                    bool may_repeat) {
  const auto size = static_cast<std::size_t>(n);
  if (n < 1 || x.size() != size || y.size() != size)
    throw std::invalid_argument("a table needs one value for each of its points, at least one");
  for (std::size_t i = 1; i < size; ++i)
    if (!(may_repeat ? x[i] >= x[i - 1] : x[i] > x[i - 1]))
      throw std::invalid_argument("the points of a table must be in increasing order");
}

// Second derivatives M_i of the natural spline: M_0 = M_{n-1} = 0 and, inside, continuity of the
// first derivative,
//   h_{i-1} M_{i-1} + 2 (h_{i-1} + h_i) M_i + h_i M_{i+1} = 6 (s_i - s_{i-1}),
// h_i the lengths and s_i the chord slopes. Diagonally dominant: eliminated without pivoting.
std::vector<double> natural_second_derivatives(const std::vector<double>& x,
                                               const std::vector<double>& y) {
  const std::size_t n = x.size();
  std::vector<double> second(n, 0.0), upper(n, 0.0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double h0 = x[i] - x[i - 1], h1 = x[i + 1] - x[i];
    const double right = 6.0 * ((y[i + 1] - y[i]) / h1 - (y[i] - y[i - 1]) / h0);
    const double pivot = 2.0 * (h0 + h1) - h0 * upper[i - 1];
    upper[i] = h1 / pivot;
    second[i] = (right - h0 * second[i - 1]) / pivot;
  }
  for (std::size_t i = n; i-- > 1;) second[i - 1] -= upper[i - 1] * second[i];
  return second;
}

// Slopes d_i of F. N. Fritsch and J. Butland (1984), SIAM J. Sci. Stat. Comput. 5, 300: inside a
// weighted harmonic mean of the chord slopes s on both sides, zero where these differ in sign,
//   (w_1 + w_2) / d_i = w_1 / s_(i-1) + w_2 / s_i,   w_1 = 2 h_i + h_(i-1),   w_2 = h_i + 2
//   h_(i-1);
// at the ends the slope of the parabola through three points, kept from turning back.
double end_slope(double h0, double h1, double s0, double s1) {
  const double d = ((2.0 * h0 + h1) * s0 - h0 * s1) / (h0 + h1);
  if (d * s0 <= 0.0) return 0.0;
  if (s0 * s1 <= 0.0 && std::fabs(d) > 3.0 * std::fabs(s0)) return 3.0 * s0;
  return d;
}

std::vector<double> monotone_slopes(const std::vector<double>& x, const std::vector<double>& y) {
  const std::size_t n = x.size();
  std::vector<double> slope(n, 0.0);
  if (n < 2) return slope;
  const auto h = [&](std::size_t i) { return x[i + 1] - x[i]; };
  const auto s = [&](std::size_t i) { return (y[i + 1] - y[i]) / h(i); };
  if (n == 2) {
    slope[0] = slope[1] = s(0);
    return slope;
  }
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double before = s(i - 1), after = s(i);
    if (before * after <= 0.0) continue;
    const double w1 = 2.0 * h(i) + h(i - 1), w2 = h(i) + 2.0 * h(i - 1);
    slope[i] = (w1 + w2) / (w1 / before + w2 / after);
  }
  slope[0] = end_slope(h(0), h(1), s(0), s(1));
  slope[n - 1] = end_slope(h(n - 2), h(n - 3), s(n - 2), s(n - 3));
  return slope;
}

}  // namespace

void CubicSpline::write_natural(const std::vector<double>& x, const std::vector<double>& y,
                                double* constants) const {
  require_points(x, y, n_, false);
  const std::vector<double> second = natural_second_derivatives(x, y);
  const auto cubic = [&](std::size_t i, double h) -> Cubic {
    return {(y[i + 1] - y[i]) / h - h * (2.0 * second[i] + second[i + 1]) / 6.0, 0.5 * second[i],
            (second[i + 1] - second[i]) / (6.0 * h)};
  };
  write(x, y, cubic, constants);
}

void CubicSpline::write_linear(const std::vector<double>& x, const std::vector<double>& y,
                               double* constants) const {
  require_points(x, y, n_, true);
  const auto cubic = [&](std::size_t i, double h) -> Cubic { return {(y[i + 1] - y[i]) / h}; };
  write(x, y, cubic, constants);
}

void CubicSpline::write_monotone(const std::vector<double>& x, const std::vector<double>& y,
                                 double* constants) const {
  require_points(x, y, n_, false);
  const std::vector<double> slope = monotone_slopes(x, y);
  const auto cubic = [&](std::size_t i, double h) -> Cubic {
    const double chord = (y[i + 1] - y[i]) / h;
    return {slope[i], (3.0 * chord - 2.0 * slope[i] - slope[i + 1]) / h,
            (slope[i] + slope[i + 1] - 2.0 * chord) / (h * h)};
  };
  write(x, y, cubic, constants);
}

void CubicSpline::write_steps(const std::vector<double>& x, const std::vector<double>& y,
                              double* constants) const {
  require_points(x, y, n_, false);
  write(
      x, y, [](std::size_t, double) { return Cubic{}; }, constants);
}

template <class Cubics>
void CubicSpline::write(const std::vector<double>& x, const std::vector<double>& y, Cubics&& cubic,
                        double* constants) const {
  const std::size_t n = x.size();
  double* const b = constants + 2 * n;
  double* const c = constants + 3 * n;
  double* const e = constants + 4 * n;
  double* const integral = constants + 5 * n;
  for (std::size_t i = 0; i < n; ++i) {
    constants[i] = x[i];
    constants[n + i] = y[i];
    b[i] = c[i] = e[i] = integral[i] = 0.0;
  }
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const double h = x[i + 1] - x[i];
    if (h > 0.0) {  // otherwise a jump, whose empty interval is never looked up
      const Cubic piece = cubic(i, h);
      b[i] = piece.b;
      c[i] = piece.c;
      e[i] = piece.e;
    }
    integral[i + 1] =
        integral[i] + h * (y[i] + h * (b[i] / 2.0 + h * (c[i] / 3.0 + h * e[i] / 4.0)));
    b[i + 1] = b[i] + h * (2.0 * c[i] + h * 3.0 * e[i]);
  }
}

}  // namespace tumble
