// The maximum-entropy law of a random tensor of inertia.
//
// A. Batou, C. Soize, "Rigid multibody system dynamics with uncertain rigid bodies", Multibody
// Syst. Dyn. 27 (2012), section 3.1.3; equation numbers are theirs. docs/theory/inertia-law.md.
#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tumble/random/inertia/inertia_geometry.hpp"
#include "tumble/random/inertia/kummer_beta_sampler.hpp"
#include "tumble/random/stream/draws.hpp"

namespace tumble {

/// The exponents of Eq. (41). lambda_l must be below -1 and lambda_u below 1.
struct InertiaExponents {
  double lambda_l = 0.0, lambda_u = 0.0;
};
/// The exponents that give the dispersion delta_G = sqrt(E{||G - I||_F^2} / 3).
struct InertiaDispersion {
  double delta = 0.0;
  std::optional<double> lambda_u;  ///< if absent, lambda_u = lambda_l
};

/// Z between 0 and Zmax, E{J} = J.
struct BoundedInertia {
  double mass = 0.0;          ///< nominal [kg]
  Mat3<double> inertia;       ///< nominal, about the centre of mass [kg m^2]
  Mat3<double> moment_bound;  ///< Zmax [m^2]
  std::variant<InertiaExponents, InertiaDispersion> spread;
};
/// Z without an upper bound: Eq. (57) with the dispersion delta.
struct UnboundedInertia {
  double mass = 0.0;
  Mat3<double> inertia;
  double delta = 0.0;
};

/// What the law is, as solved.
struct InertiaReport {
  Mat3<double> moments;               ///< Z of the nominal body [m^2]
  std::optional<Mat3<double>> bound;  ///< Gmax
  double lambda_l = 0.0;              ///< lambda of Eq. (40) without a bound
  std::optional<double> lambda_u;
  Mat3<double> mu;             ///< the multiplier of E{G} = I
  double mu_accuracy = 0.0;    ///< estimate of the largest error of an eigenvalue of mu
  double mean_residual = 0.0;  ///< largest error of E{G} = I that is left
  int iterations = 0;          ///< of Newton's method
  double log_constant = 0.0;   ///< log C_G, with respect to 2^(3/2) prod_{j<=k} dG_jk
  double dispersion = 0.0;     ///< delta_G
  double mean_log_det = 0.0;   ///< E{log det G}
  double acceptance = 1.0;     ///< of the rejection behind draw()
  std::string generator;       ///< what is drawn and then accepted or rejected
  std::vector<std::string> warnings;
};

class InertiaLaw {
 public:
  /// Throw std::invalid_argument with the quantity, its value and the reason if there is no such
  /// law.
  explicit InertiaLaw(const BoundedInertia& input);
  explicit InertiaLaw(const UnboundedInertia& input);

  const InertiaReport& report() const { return report_; }
  const InertiaScale& scale() const { return scale_; }

  /// An exact draw of G, independent of all others: a function of the stream. Throws
  /// std::runtime_error if it would take more than a million proposals.
  Mat3<double> draw_normalized(Draws& draws) const;
  /// J = M (tr(Z) I - Z), Eq. (32), with the mass of the realisation.
  Mat3<double> draw(double mass, Draws& draws) const;
  /// J of a given G and mass.
  Mat3<double> inertia_of(double mass, const Mat3<double>& normalized) const;

  /// log of Eq. (41) or (57); minus infinity outside the support.
  double log_density(const Mat3<double>& normalized) const;

  /// Columns: axes in which mu and Gmax are diagonal. Off-diagonal entries of G in these axes have
  /// mean zero and are uncorrelated with all others.
  const Mat3<double>& axes() const { return axes_; }
  /// Eigenvalues of Gmax along those axes; zero without a bound.
  const Vec3<double>& bound_eigenvalues() const { return bound_; }
  /// In those axes: covariance of the diagonal entries of G, and the variances of all entries.
  const Mat3<double>& diagonal_covariance() const { return diagonal_covariance_; }
  const Mat3<double>& variances() const { return variances_; }

 private:
  InertiaReport report_;
  InertiaScale scale_;
  Mat3<double> axes_;
  Vec3<double> bound_;  // eigenvalues of Gmax
  Mat3<double> diagonal_covariance_, variances_;
  std::optional<KummerBetaSampler> sampler_;  // absent without a bound
};

}  // namespace tumble
