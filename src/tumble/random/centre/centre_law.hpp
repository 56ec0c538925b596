// The random centre of mass: maximum entropy on a domain with a given mean.
//
// Batou & Soize (2012), Eqs. (18)-(23): the density is C0 exp(-<lambda_r, a>) on the domain D, with
// C0 and lambda_r such that it integrates to 1 and has the mean given.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "tumble/random/domain/domain.hpp"

namespace tumble {

/// What was solved for, and how well.
struct CentreLawReport {
  Vec3d lambda;  ///< lambda_r; does not depend on the origin of coordinates
  double c0_relative =
      0;  ///< C0 in coordinates relative to the barycentre of D, as the paper has it
  double log_c0_relative = 0;  ///< its logarithm
  double log_c0 = 0;           ///< logarithm of C0 in the coordinates of D; C0 itself may overflow
  Mat3d covariance;            ///< of the law
  double entropy = 0;          ///< Eq. (19)
  int iterations = 0;          ///< of Newton's method; 0 for a uniform law
  double mean_error = 0;       ///< |mean of the law - mean given| over the diagonal of D's bounds
  double acceptance = 1;       ///< of the independent draws: draws over proposals
  std::vector<std::string> warnings;
};

class CentreLaw {
 public:
  /// lambda_r minimises the convex function log integral_D exp(-<lambda, a>) da + <lambda, mean>,
  /// whose gradient is mean given - mean of the law. It is uniform, lambda_r = 0, if the mean given
  /// is the barycentre to within 1e-12 of the domain's size.
  /// @throws std::invalid_argument if the mean is not inside the convex hull of the domain.
  CentreLaw(std::shared_ptr<const Domain> domain, const Vec3d& mean);

  const CentreLawReport& report() const { return report_; }
  const Domain& domain() const { return *domain_; }
  const Vec3d& mean() const { return mean_; }
  /// Minus infinity outside the domain.
  double log_density(const Vec3d& x) const;

  /// An independent point of the law.
  Vec3d draw(Draws& draws) const { return sampler_->draw(draws); }
  /// Whether points are an exact map of the unit cube (box, ball, ellipsoid), as designs need, and
  /// the map. Then draw() is the map of the next three numbers.
  bool has_cube_map() const { return sampler_->has_cube_map(); }
  Vec3d from_cube(const Vec3d& u) const { return sampler_->from_cube(u); }

 private:
  std::shared_ptr<const Domain> domain_;
  Vec3d mean_;
  CentreLawReport report_;
  std::shared_ptr<const TiltedSampler> sampler_;
};

}  // namespace tumble
