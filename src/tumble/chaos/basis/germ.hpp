// The random number that polynomials are written in, and the way from it to a random input.
//
// D. Xiu, G. E. Karniadakis, "The Wiener-Askey polynomial chaos for stochastic differential
// equations", SIAM J. Sci. Comput. 24 (2002): the family that is orthonormal under the input's own
// law makes the input a polynomial of degree 1, and the expansion as short as it can be.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "tumble/chaos/basis/orthonormal_polynomials.hpp"
#include "tumble/chaos/basis/stieltjes.hpp"
#include "tumble/random/law/scalar_law.hpp"

namespace tumble {

enum class PolynomialFamily { hermite, legendre, laguerre, jacobi, stieltjes };

const char* name_of(PolynomialFamily family);

enum class GermChoice {
  matching,  ///< the polynomials of the law itself, by the table below
  normal     ///< a standard normal germ, whatever the law: x = F^-1(Phi(germ))
};

/// | law               | family    | germ                      | input                          |
/// |-------------------|-----------|---------------------------|--------------------------------|
/// | normal            | Hermite   | standard normal           | mean + std g                   |
/// | lognormal         | Hermite   | standard normal           | min + exp(log_mean + log_std g)|
/// | uniform           | Legendre  | uniform on [-1, 1]        | affine                         |
/// | gamma, exponential| Laguerre  | gamma, scale 1            | min + scale g                  |
/// | beta              | Jacobi    | beta on [-1, 1]           | affine                         |
/// | Weibull, shape < 1/2 | Hermite | standard normal          | F^-1(Phi(g))                   |
/// | all others        | Stieltjes | (x - mean) / std          | mean + std g                   |
///
/// The polynomials of a lognormal law, and of a Weibull law with a shape below 1/2, are not
/// complete: their moments do not determine the law (O. G. Ernst, A. Mugler, H.-J. Starkloff,
/// E. Ullmann, ESAIM: M2AN 46, 2012), and expansions in them converge to something else.
///
/// Immutable and cheap to copy; may be used by many threads.
class Germ {
 public:
  /// The germ of an input with this law.
  explicit Germ(const ScalarLaw& law, GermChoice choice = GermChoice::matching);
  /// A standard normal number that is an input itself: a coefficient of a random field.
  static Germ standard_normal();
  /// For an input in (0, 1): one of the uniform numbers that a point is made from. Legendre.
  static Germ unit_interval();

  PolynomialFamily family() const { return family_; }
  /// "Jacobi (alpha = 1.5, beta = 0)"
  std::string description() const;

  /// The highest degree there is: one less than the number of values of a discrete law.
  int most_degree() const;
  /// Orthonormal under the germ's law. @throws std::invalid_argument above most_degree().
  OrthonormalPolynomials polynomials(int degree) const;

  /// The germ with the distribution function u, 0 < u < 1, and back.
  double from_uniform(double u) const;
  double to_uniform(double germ) const;
  /// The input that belongs to a value of the germ.
  double input(double germ) const;

 private:
  Germ(PolynomialFamily family, ScalarLaw germ_law);

  PolynomialFamily family_;
  double alpha_ = 0, beta_ = 0;     ///< Jacobi's exponents; Laguerre: alpha_ is the shape
  ScalarLaw germ_law_;              ///< law of the germ; for Stieltjes, of the input
  std::optional<ScalarLaw> input_;  ///< law of the input where the map is through scores
  double shift_ = 0, scale_ = 1;    ///< input = shift + scale germ where it is affine
  std::shared_ptr<const DiscreteMeasure> measure_;  ///< for Stieltjes
};

}  // namespace tumble
