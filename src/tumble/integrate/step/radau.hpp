// Coefficients of the Radau IIA method with three stages (Butcher 1964, Ehle 1969; Hairer & Wanner,
// Solving Ordinary Differential Equations II, 2nd ed. 1996, Table IV.5.6): collocation at
//   c = (4 - √6)/10, (4 + √6)/10, 1,
// of order five, three in each stage. Its last stage is the end of the step.
//
// What decouples the stages of Newton's equations (Hairer & Wanner, Section IV.8) is the
// eigenvalues of A, one real and two conjugate ones, with right eigenvectors t and left ones s,
// s·t = 1:   A = Σ λ_k t_k s_kᵀ.
// With r₉ = 9^(1/3), those are
//   λ = (6 + r₉² - r₉)/30   and   (12 - r₉² + r₉)/60 ± i √3 (r₉² + r₉)/60.
#pragma once
#include <array>
#include <cmath>

#include "tumble/math/complex_number.hpp"

namespace tumble {

class Radau {
 public:
  static constexpr std::size_t stages = 3;
  template <class S>
  using Three = std::array<S, stages>;

  Radau() {
    const double root6 = std::sqrt(6.0);
    c = {(4 - root6) / 10, (4 + root6) / 10, 1.0};
    a = {{{(88 - 7 * root6) / 360, (296 - 169 * root6) / 1800, (-2 + 3 * root6) / 225},
          {(296 + 169 * root6) / 1800, (88 + 7 * root6) / 360, (-2 - 3 * root6) / 225},
          {(16 - root6) / 36, (16 + root6) / 36, 1.0 / 9}}};
    constexpr double r9 = 2.0800838230519041;
    eigenvalue = (6 + r9 * r9 - r9) / 30;
    eigenvalue2 = ComplexNumber((12 - r9 * r9 + r9) / 60, std::sqrt(3.0) * (r9 * r9 + r9) / 60);
    Three<ComplexNumber> t, s;
    find_vectors(ComplexNumber(eigenvalue), t, s);
    for (std::size_t i = 0; i < stages; ++i) right[i] = t[i].re, left[i] = s[i].re;
    find_vectors(eigenvalue2, right2, left2);
  }

  /// Weights of the stages in the integral over a step: the last row of A.
  const Three<double>& weights() const { return a[2]; }

  /// Values at the stages of the polynomial through values at the stages of the step before, at
  /// 1 + ratio c of that step: [of the new stage][of the old stage].
  Three<Three<double>> extrapolation(double ratio) const {
    Three<Three<double>> l{};
    for (std::size_t i = 0; i < stages; ++i)
      for (std::size_t j = 0; j < stages; ++j) {
        l[i][j] = 1;
        for (std::size_t k = 0; k < stages; ++k)
          if (k != j) l[i][j] *= (1 + ratio * c[i] - c[k]) / (c[j] - c[k]);
      }
    return l;
  }

  Three<double> c{};
  Three<Three<double>> a{};
  double eigenvalue = 0;
  ComplexNumber eigenvalue2;               ///< the one above the real axis
  Three<double> right{}, left{};           ///< t and s of the real eigenvalue
  Three<ComplexNumber> right2{}, left2{};  ///< of the complex one

 private:
  /// A - λ has rank two: what is across two of its rows is t, across two of its columns s.
  void find_vectors(ComplexNumber lambda, Three<ComplexNumber>& t, Three<ComplexNumber>& s) const {
    Three<Three<ComplexNumber>> m{};
    for (std::size_t i = 0; i < stages; ++i)
      for (std::size_t j = 0; j < stages; ++j)
        m[i][j] = ComplexNumber(a[i][j]) - (i == j ? lambda : ComplexNumber());
    t = cross(m[0], m[1]);
    s = cross({m[0][0], m[1][0], m[2][0]}, {m[0][1], m[1][1], m[2][1]});
    const ComplexNumber product = s[0] * t[0] + s[1] * t[1] + s[2] * t[2];
    for (ComplexNumber& x : s) x = x / product;
  }
  static Three<ComplexNumber> cross(const Three<ComplexNumber>& x, const Three<ComplexNumber>& y) {
    return {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
  }
};

}  // namespace tumble
