// Gauss-Legendre quadrature with ten points: exact for polynomials up to degree 19.
#pragma once
#include <array>

namespace tumble {

struct QuadraturePoint {
  double place, weight;
};

/// On [-1, 1]. Abscissae and weights: M. Abramowitz, I. A. Stegun, Handbook of Mathematical
/// Functions (1964), table 25.4, n = 10.
constexpr std::array<QuadraturePoint, 10> gauss_legendre_10 = {{
    {-0.973906528517171720, 0.066671344308688138},
    {-0.865063366688984511, 0.149451349150580593},
    {-0.679409568299024406, 0.219086362515982044},
    {-0.433395394129247191, 0.269266719309996355},
    {-0.148874338981631211, 0.295524224714752870},
    {0.148874338981631211, 0.295524224714752870},
    {0.433395394129247191, 0.269266719309996355},
    {0.679409568299024406, 0.219086362515982044},
    {0.865063366688984511, 0.149451349150580593},
    {0.973906528517171720, 0.066671344308688138},
}};

/// Integral of `f` from `a` to `b`, which is one panel: `f` should be smooth at its scale.
template <class F>
double gauss_legendre(const F& f, double a, double b) {
  const double centre = 0.5 * (a + b), half = 0.5 * (b - a);
  double sum = 0;
  for (const auto& [place, weight] : gauss_legendre_10) sum += weight * f(centre + half * place);
  return half * sum;
}

}  // namespace tumble
