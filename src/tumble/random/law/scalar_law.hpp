// The law of one random number.
//
// Every law is drawn by inversion, x = quantile(u), one uniform number a draw: what Gaussian
// copulas, Latin hypercubes and Sobol' points need. See docs/theory/random-inputs.md.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "tumble/random/law/law_parameters.hpp"
#include "tumble/random/stream/draws.hpp"

namespace tumble {

class LawKernel;

/// The smallest closed interval that holds the variable; its ends may be infinite.
struct Support {
  double min, max;
};

/// A single value of positive probability.
struct Atom {
  double value, probability;
};

struct NamedValue {
  std::string name;
  double value;
};

/// What a user is shown of a law.
struct LawReport {
  std::string name;
  std::vector<NamedValue> parameters;  ///< those of the law's own formula, whatever was given
  double mean, std;
  Support support;
  std::vector<std::string> warnings;
  std::vector<std::string> sample_warnings;  ///< of what is estimated from random samples
};

/// Immutable and cheap to copy; may be used by many threads.
class ScalarLaw {
 public:
  /// Throws std::invalid_argument for parameters that are missing, too many or inadmissible.
  explicit ScalarLaw(const ScalarLawParameters& parameters);

  const std::string& name() const { return name_; }
  /// False for laws with atoms: discrete ones, and empirical ones with equal values.
  bool has_density() const;
  /// Zero outside the support. Throws std::domain_error if there is no density, and
  /// std::overflow_error at an end of the support where it is infinite.
  double pdf(double x) const;
  /// P(X <= x)
  double cdf(double x) const;
  /// P(X > x), accurate where cdf(x) is nearly 1.
  double cdf_upper(double x) const;
  /// The smallest x with P(X <= x) >= u, for 0 < u < 1. Both tails are accurate as far as u is: 1 -
  /// u is exact for u >= 1/2.
  double quantile(double u) const;
  /// The smallest x with P(X > x) <= q, for 0 < q < 1: the quantile of 1 - q for q of any
  /// smallness.
  double quantile_upper(double q) const;
  /// The x that has the same place in this law as z has in the standard normal one.
  double from_normal_score(double z) const;
  /// The number that has the same place in this law as x has in another: F^-1(F_other(x)).
  double at_the_place_of(double x, const ScalarLaw& other) const;

  double mean() const;
  double variance() const;
  double std() const;
  Support support() const;
  /// Probabilities at which the quantile function has a jump or a kink; integrals over it are cut
  /// there.
  std::vector<double> breakpoints() const;
  /// The values of a discrete law, ascending, with their probabilities; of any other law, none.
  std::vector<Atom> atoms() const;
  LawReport report() const;

  /// Takes one number.
  double draw(Draws& draws) const { return quantile(draws.uniform()); }

  void add_warning(std::string sentence) { warnings_.push_back(std::move(sentence)); }
  /// One that does not concern methods without random samples, as polynomial chaos.
  void add_sample_warning(std::string sentence) { sample_warnings_.push_back(std::move(sentence)); }

 private:
  std::string name_;
  std::shared_ptr<const LawKernel> kernel_;
  std::vector<std::string> warnings_, sample_warnings_;
};

}  // namespace tumble
