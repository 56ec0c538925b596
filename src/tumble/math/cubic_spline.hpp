// Piecewise cubics through points: natural splines, monotone cubics, straight lines, steps.
//
// Set-up (double, once per realisation) writes the coefficients of every interval to a flat array;
// the kernels read that array as S, so that lanes of a batch may pass through different points.
// On interval i, with d = x - x_i,
//     y(x)       = a_i + b_i d + c_i d² + e_i d³
//     ∫ y from x_0 to x = F_i + a_i d + b_i d²/2 + c_i d³/3 + e_i d⁴/4.
// The array holds x, a, b, c, e, F one after the other, n numbers each: an index alone addresses
// all six, which is what a gather per lane needs. Entry n - 1 continues the last interval.
#pragma once
#include <vector>

#include "tumble/math/scalar.hpp"
#include "tumble/math/taylor2.hpp"

namespace tumble {

/// The interval [knots[i], knots[i+1]) that holds x, the first or last one for x outside.
/// A batch type overloads this with an index per lane, and gather() to match.
inline int find_interval(const double* knots, int n, const double& x) {
  int low = 0, high = n > 1 ? n - 1 : 1;  // the answer is in [low, high)
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    (x >= knots[middle] ? low : high) = middle;
  }
  return low;
}

/// The same for knots that all lanes share.
template <class S>
int find_shared_interval(const S* knots, int n, double x) {
  int low = 0, high = n > 1 ? n - 1 : 1;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    (x >= first_lane(knots[middle]) ? low : high) = middle;
  }
  return low;
}

template <class S>
const S& gather(const S* values, int i) {
  return values[i];
}

class CubicSpline {
 public:
  explicit CubicSpline(int points) : n_(points) {}

  int constants_size() const { return 6 * n_; }

  /// Zero second derivative at both ends; x strictly increasing, or std::invalid_argument.
  void write_natural(const std::vector<double>& x, const std::vector<double>& y,
                     double* constants) const;
  /// Straight lines; two equal x make a jump. Decreasing x: std::invalid_argument.
  void write_linear(const std::vector<double>& x, const std::vector<double>& y,
                    double* constants) const;
  /// Cubics that rise and fall only where the points do, with a continuous first derivative. x as
  /// for natural splines.
  void write_monotone(const std::vector<double>& x, const std::vector<double>& y,
                      double* constants) const;
  /// y_i from x_i to x_(i+1). x as for natural splines.
  void write_steps(const std::vector<double>& x, const std::vector<double>& y,
                   double* constants) const;

  template <class S>
  static const S* knots(const S* constants) {
    return constants;
  }
  template <class S>
  const S* values(const S* constants) const {
    return constants + n_;
  }

  /// Value, first and second derivative with respect to x of the cubic of interval i.
  template <class S, class Index>
  Taylor2<S> evaluate(const S* constants, const Index& i, const S& x) const {
    const S d = x - gather(constants, i);
    const S a = gather(constants + n_, i), b = gather(constants + 2 * n_, i);
    const S c = gather(constants + 3 * n_, i), e = gather(constants + 4 * n_, i);
    return {fma(d, fma(d, fma(d, e, c), b), a), fma(d, fma(d, S(3.0) * e, S(2.0) * c), b),
            fma(d, S(6.0) * e, S(2.0) * c)};
  }

  /// The integral from the first knot to x, x in interval i.
  template <class S, class Index>
  S integral(const S* constants, const Index& i, const S& x) const {
    const S d = x - gather(constants, i);
    const S a = gather(constants + n_, i), b = gather(constants + 2 * n_, i);
    const S c = gather(constants + 3 * n_, i), e = gather(constants + 4 * n_, i);
    const S cubic = fma(d, S(0.25) * e, S(1.0 / 3.0) * c);
    return fma(d, fma(d, fma(d, cubic, S(0.5) * b), a), gather(constants + 5 * n_, i));
  }

 private:
  /// The b, c and e of an interval.
  struct Cubic {
    double b = 0, c = 0, e = 0;
  };
  /// `cubic(i, h)` gives interval i, of the length h > 0.
  template <class Cubics>
  void write(const std::vector<double>& x, const std::vector<double>& y, Cubics&& cubic,
             double* constants) const;

  int n_;
};

}  // namespace tumble
