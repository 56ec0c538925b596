// What ScalarLaw needs of each law; make_kernel() is declared beside the law's parameters.
#pragma once
#include <memory>
#include <vector>

#include "tumble/random/law/law_parameters.hpp"
#include "tumble/random/law/scalar_law.hpp"

namespace tumble {

class LawKernel {
 public:
  virtual ~LawKernel() = default;

  virtual std::vector<NamedValue> parameters() const = 0;
  virtual Support support() const = 0;
  virtual double mean() const = 0;
  virtual double variance() const = 0;

  // These are asked for x inside the support and probabilities inside (0, 1) only.
  virtual double pdf(double x) const = 0;
  virtual double cdf(double x) const = 0;
  virtual double cdf_upper(double x) const = 0;
  virtual double quantile(double p) const = 0;
  virtual double quantile_upper(double q) const = 0;
  /// Overridden where there is a shorter way than through the probability.
  virtual double from_normal_score(double z) const;

  virtual bool has_density() const { return true; }
  virtual std::vector<double> breakpoints() const { return {}; }
  virtual std::vector<Atom> atoms() const { return {}; }
};

}  // namespace tumble
