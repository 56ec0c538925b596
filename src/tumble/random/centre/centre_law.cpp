#include "tumble/random/centre/centre_law.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "tumble/random/domain/shape_frame.hpp"

namespace tumble {
namespace {

constexpr double kSameAsBarycentre = 1e-12;  // of the domain's size, and so the next two
constexpr double kOnTheSurface = 1e-9;
constexpr double kLargestMeanError = 1e-9;

double size_of(const Domain& domain) {
  const Bounds bounds = domain.bounds();
  return norm(bounds.upper - bounds.lower);
}

void require_inside(const Domain& domain, const Vec3d& mean) {
  require_finite("mean of the centre of mass", mean);
  const double distance = domain.distance_to_hull(mean);
  if (distance < -kOnTheSurface * size_of(domain)) return;
  const Bounds bounds = domain.bounds();
  const std::string domain_text =
      fmt::format("the domain ({} within {} and {})", domain.kind(), format_point(bounds.lower),
                  format_point(bounds.upper));
  if (distance > 0)
    throw std::invalid_argument(
        fmt::format("mean of the centre of mass = {} lies {:.7g} m outside the convex hull of {}: "
                    "no law on the "
                    "domain has this mean",
                    format_point(mean), distance, domain_text));
  throw std::invalid_argument(fmt::format(
      "mean of the centre of mass = {} lies on the surface of the convex hull of {}, {:.3g} deep: "
      "it "
      "must lie inside, because all mass of a law with this mean would be on the surface",
      format_point(mean), domain_text, -distance));
}

struct NewtonStep {
  Vec3d step;
  double decrement = 0;  ///< error of the mean, in standard deviations of the law
};

NewtonStep newton_step(const TiltedMoments& moments, const Vec3d& wanted) {
  const Vec3d error = moments.mean - wanted;
  const Eigen::Map<const Eigen::Matrix3d> covariance(moments.covariance.m);  // symmetric
  const Eigen::Vector3d right(error.x, error.y, error.z);
  const Eigen::Vector3d step = covariance.ldlt().solve(right);
  return {{step.x(), step.y(), step.z()}, std::sqrt(std::max(right.dot(step), 0.0))};
}

struct Solution {
  Vec3d lambda;
  TiltedMoments moments;
  int iterations = 0;
};

/// Goes along Newton's step, halved until f falls by a fair part of what the step promises.
bool take_step(const Domain& domain, const Vec3d& wanted, const NewtonStep& newton, Solution& s) {
  const double before = s.moments.log_integral + dot(s.lambda, wanted);
  double fraction = 1.0;
  for (int halvings = 0; halvings < 40; ++halvings, fraction *= 0.5) {
    const Vec3d lambda = s.lambda + fraction * newton.step;
    const TiltedMoments moments = domain.tilted_moments(lambda);
    const double after = moments.log_integral + dot(lambda, wanted);
    // Differences of f are lost in rounding for the last steps, which need no search.
    if (newton.decrement < 1e-3 ||
        after <= before - 0.1 * fraction * newton.decrement * newton.decrement) {
      s.lambda = lambda, s.moments = moments;
      return true;
    }
  }
  return false;
}

// Newton's method for f(lambda) = log I(lambda) + <lambda, wanted>, in coordinates relative to the
// barycentre. On a convex domain f is self-concordant, because the third moment of a log-concave
// law is at most twice the cube of its deviation (S. Bubeck, R. Eldan, "The entropic barrier", COLT
// 2015): steps converge from everywhere, quadratically once the decrement is below 1/4. On other
// meshes the search along the step sees to it that f falls.
Solution solve(const Domain& domain, const Vec3d& wanted) {
  Solution s;
  s.moments = domain.tilted_moments(s.lambda);
  if (norm(wanted) <= kSameAsBarycentre * size_of(domain)) return s;
  double previous = std::numeric_limits<double>::infinity();
  for (; s.iterations < 200; ++s.iterations) {
    const auto [step, decrement] = newton_step(s.moments, wanted);
    // Converged, or as far as rounding lets it: the decrement would fall quadratically otherwise.
    if (decrement <= 1e-15 || (previous < 1e-5 && decrement > 0.1 * previous)) break;
    previous = decrement;
    if (!take_step(domain, wanted, {step, decrement}, s)) break;
  }
  return s;
}

std::vector<std::string> warnings_about(const Domain& domain, const Vec3d& mean,
                                        const TiltedMoments& moments, double acceptance) {
  std::vector<std::string> warnings;
  if (!domain.contains(mean))
    warnings.push_back(
        fmt::format("mean of the centre of mass = {} lies in the convex hull of the {} but not in "
                    "the {} itself: "
                    "no realisation has its centre of mass there",
                    format_point(mean), domain.kind(), domain.kind()));
  if (acceptance < 0.01)
    warnings.push_back(fmt::format(
        "only {:.2g} of the points proposed are kept, because the {} fills so little of its convex "
        "hull: drawing is slow",
        acceptance, domain.kind()));
  if (moments.rounding > 1e-12)
    warnings.push_back(
        fmt::format("parts of the {} cancel each other in its integrals: they are accurate to "
                    "about {:.1e} only",
                    domain.kind(), moments.rounding));
  return warnings;
}

}  // namespace

CentreLaw::CentreLaw(std::shared_ptr<const Domain> domain, const Vec3d& mean)
    : domain_(std::move(domain)), mean_(mean) {
  require_inside(*domain_, mean);
  const Vec3d wanted = mean - domain_->barycentre();
  const Solution s = solve(*domain_, wanted);
  sampler_ = domain_->sampler(s.lambda);

  report_.lambda = s.lambda;
  report_.log_c0_relative = -s.moments.log_integral;
  report_.c0_relative = std::exp(report_.log_c0_relative);
  report_.log_c0 = report_.log_c0_relative + dot(s.lambda, domain_->barycentre());
  report_.covariance = s.moments.covariance;
  // -E{log p} with log p = log C0 - <lambda, a>.
  report_.entropy = s.moments.log_integral + dot(s.lambda, s.moments.mean);
  report_.iterations = s.iterations;
  report_.mean_error = norm(s.moments.mean - wanted) / size_of(*domain_);
  report_.acceptance = sampler_->acceptance();
  report_.warnings = warnings_about(*domain_, mean, s.moments, report_.acceptance);
  if (!(report_.mean_error <= kLargestMeanError))
    throw std::invalid_argument(fmt::format(
        "the law of the centre of mass with mean {} on this {} could not be found: the mean "
        "reached "
        "is off by {:.1e} of the domain's size, and the integrals are accurate to about {:.1e}",
        format_point(mean), domain_->kind(), report_.mean_error, s.moments.rounding));
}

double CentreLaw::log_density(const Vec3d& x) const {
  if (!domain_->contains(x)) return -std::numeric_limits<double>::infinity();
  return report_.log_c0_relative - dot(report_.lambda, x - domain_->barycentre());
}

}  // namespace tumble
