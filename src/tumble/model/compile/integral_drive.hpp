// Integrals of drives in closed form (docs/theory/drives.md#integrals).
//
// Constants, polynomials, straight lines, splines and smooth steps are piecewise polynomials, and
// so are their integrals; a harmonic has a harmonic besides. An integral of sums and of integrals
// is a sum of such terms, each integrated once or more, and of a polynomial of its initial values.
// The number of terms, knots and coefficients is structure, what is in them numbers.
#pragma once
#include <vector>

#include "tumble/math/scalar.hpp"
#include "tumble/model/drive.hpp"

namespace tumble {

/// A term of an integral: which drive, and how many times it is integrated.
struct IntegralTerm {
  int drive = 0;
  int order = 1;
  int knots = 0;         ///< one piece more
  int coefficients = 0;  ///< of each piece
  bool harmonic = false;
  /// Knots, centre of each piece, coefficients of each piece; of a harmonic start, circular
  /// frequency, phase and amplitude.
  int numbers() const { return knots + (knots + 1) * (1 + coefficients) + (harmonic ? 4 : 0); }
};
struct IntegralShape {
  int initial = 0;  ///< numbers that come first: coefficients of the polynomial of initial values
  std::vector<IntegralTerm> terms;
  int numbers() const;
};

/// How many terms an integral, or a sum below one, has.
double count_integral_terms(const std::vector<Drive>& drives, int drive);
inline constexpr double most_integral_terms = 1000;

/// The drive of which no integral in closed form is known, -1 if there is none: a product or a
/// random drive, at any depth below a sum or an integral. References must exist and have no cycles.
int drive_without_integral(const std::vector<Drive>& drives, int drive);

/// Of a drive of kind IntegralDrive.
IntegralShape integral_shape(const std::vector<Drive>& drives, int drive);
void write_integral(const std::vector<Drive>& drives, int drive, const IntegralShape& shape,
                    double* out);

/// Σ c_i x^i.
template <class S>
S polynomial_at(const S* c, int n, const S& x) {
  S sum(0.0);
  for (int i = n; i > 0; --i) sum = fma(sum, x, c[i - 1]);
  return sum;
}

/// The value at t. Integrals are continuous, so that t itself may choose the piece.
template <class S>
S integral_value(const IntegralShape& shape, const S* c, double t) {
  S sum = polynomial_at(c, shape.initial, S(t));
  c += shape.initial;
  for (const IntegralTerm& term : shape.terms) {
    int piece = 0;
    while (piece < term.knots && t >= first_lane(c[piece])) ++piece;
    const S* centre = c + term.knots;
    const S* coefficients = centre + term.knots + 1;
    sum = sum + polynomial_at(coefficients + piece * term.coefficients, term.coefficients,
                              S(t) - centre[piece]);
    if (term.harmonic) {
      const S* h = coefficients + (term.knots + 1) * term.coefficients;
      if (t >= first_lane(h[0])) sum = fma(h[3], sin(fma(h[1], S(t) - h[0], h[2])), sum);
    }
    c += term.numbers();
  }
  return sum;
}

}  // namespace tumble
