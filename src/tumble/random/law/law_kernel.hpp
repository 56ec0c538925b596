// What ScalarLaw needs of each law, and who makes it.
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

using Kernel = std::unique_ptr<const LawKernel>;

// boost_laws.cpp
Kernel make_kernel(const NormalLaw& law);
Kernel make_kernel(const LognormalLaw& law);
Kernel make_kernel(const UniformLaw& law);
Kernel make_kernel(const TriangularLaw& law);
Kernel make_kernel(const BetaLaw& law);
Kernel make_kernel(const GammaLaw& law);
Kernel make_kernel(const WeibullLaw& law);
Kernel make_kernel(const GumbelLaw& law);
Kernel make_kernel(const ExponentialLaw& law);
// truncated_normal_law.cpp
Kernel make_kernel(const TruncatedNormalLaw& law);
// observed_laws.cpp
Kernel make_kernel(const EmpiricalLaw& law);
Kernel make_kernel(const DiscreteLaw& law);

}  // namespace tumble
