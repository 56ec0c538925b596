// The scalar Kummer-Beta distribution: a Beta distribution tilted by an exponential.
#pragma once
#include <vector>

namespace tumble {

/// Of the density proportional to t^(alpha-1) (1-t)^(beta-1) exp(-z t) on (0, 1).
struct ScalarKummerBeta {
  /// log of its integral, log(B(alpha, beta) 1F1(alpha; alpha+beta; -z)).
  double log_partition = 0.0;
  double mean = 0.0;         ///< E{t}
  double mean_square = 0.0;  ///< E{t^2}
};

/// Evaluates the integrals for many z and one (alpha, beta).
///
/// With t = 1/(1 + exp(-s)) the integrand is analytic in the strip |Im s| < pi and decays
/// exponentially on both sides, so the trapezoidal rule converges faster than any power of its
/// step (L. N. Trefethen, J. A. C. Weideman, SIAM Review 56, 2014). In s the curvature at the mode
/// t is alpha (1-t)^2 + beta t^2 whatever z is: one step serves all z, and t(s) and the Beta
/// weight are tabulated once.
class ScalarKummerBetaRule {
 public:
  /// For alpha >= 1, beta > 0 and |z| <= largest_z. `step` is in units of the smallest standard
  /// deviation in s.
  ScalarKummerBetaRule(double alpha, double beta, double largest_z, double step);

  /// Leaves out what is below exp(cut) of the largest term, cut < 0.
  ScalarKummerBeta operator()(double z, double cut) const;

 private:
  /// Nodes for one pair of powers.
  class Table {
   public:
    Table(double alpha, double beta, double largest_z, double step);
    ScalarKummerBeta integrate(double z, double cut) const;

   private:
    double alpha_, beta_, step_;
    int middle_;                        // the index of s = 0
    std::vector<double> t_, log_beta_;  // t and log(t^alpha (1-t)^beta) at (k - middle) step
  };

  double alpha_, beta_;
  Table direct_;
  std::vector<Table> raised_;  // of beta + 2, for beta near 0; else empty
};

}  // namespace tumble
