#include "tumble/math/cubic_spline.hpp"

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

}  // namespace

void CubicSpline::write_natural(const std::vector<double>& x, const std::vector<double>& y,
                                double* constants) const {
  require_points(x, y, n_, false);
  write(x, y, natural_second_derivatives(x, y), constants);
}

void CubicSpline::write_linear(const std::vector<double>& x, const std::vector<double>& y,
                               double* constants) const {
  require_points(x, y, n_, true);
  write(x, y, std::vector<double>(x.size(), 0.0), constants);
}

void CubicSpline::write(const std::vector<double>& x, const std::vector<double>& y,
                        const std::vector<double>& second, double* constants) const {
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
      b[i] = (y[i + 1] - y[i]) / h - h * (2.0 * second[i] + second[i + 1]) / 6.0;
      c[i] = 0.5 * second[i];
      e[i] = (second[i + 1] - second[i]) / (6.0 * h);
    }
    integral[i + 1] =
        integral[i] + h * (y[i] + h * (b[i] / 2.0 + h * (c[i] / 3.0 + h * e[i] / 4.0)));
    b[i + 1] = b[i] + h * (2.0 * c[i] + h * 3.0 * e[i]);
  }
}

}  // namespace tumble
