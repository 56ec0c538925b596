// The scalar Kummer-Beta distribution: a Beta distribution tilted by an exponential.
#pragma once
#include <vector>

namespace tumble {

/// What the density proportional to t^(alpha-1) (1-t)^(beta-1) exp(-z t) on (0, 1) integrates to.
struct ScalarKummerBeta {
  double log_partition =
      0.0;            ///< log of the integral, log(B(alpha, beta) 1F1(alpha; alpha+beta; -z))
  double mean = 0.0;  ///< E{t}
  double mean_square = 0.0;  ///< E{t^2}
};

/// Evaluates the integrals for many z and one (alpha, beta).
///
/// With t = 1/(1 + exp(-s)) the integrand is analytic in the strip |Im s| < pi and decays
/// exponentially on both sides, so the trapezoidal rule converges faster than any power of its
/// step (L. N. Trefethen, J. A. C. Weideman, SIAM Review 56, 2014). In s the curvature at the mode
/// t is alpha (1-t)^2 + beta t^2 whatever z is: one step serves all z, and t(s) and the Beta
/// weight are tabulated once.
///
/// Powers near zero would decay slowly in s. They are raised by integration by parts.
class ScalarKummerBetaRule {
 public:
  /// For alpha, beta > 0 and |z| <= largest_z. `step` is in units of the smallest standard
  /// deviation in s.
  ScalarKummerBetaRule(double alpha, double beta, double largest_z, double step);

  ScalarKummerBeta operator()(double z) const;

 private:
  ScalarKummerBeta integrate(double z) const;

  double alpha_, beta_;  // raised if `lower_` is set
  bool lower_;           // whether beta_ is to be lowered by 2 after the integration
  double step_;
  int middle_;                        // the index of s = 0
  std::vector<double> t_, log_beta_;  // t and log(t^alpha (1-t)^beta) at s = (k - middle) step
};

}  // namespace tumble
