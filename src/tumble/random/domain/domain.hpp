// Where the centre of mass of an uncertain body may be: a bounded domain D of space.
//
// Batou & Soize (2012), Eq. (18). What the law of maximum entropy needs of D is the integral of an
// exponential over it (Eq. 21) and points drawn from the same exponential.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "tumble/math/vec3.hpp"
#include "tumble/random/stream/draws.hpp"

namespace tumble {

/// Of the density proportional to exp(-<lambda, x>) on D, in coordinates relative to the barycentre
/// b of D. The integral is kept as a logarithm, so that no lambda overflows it. As derivatives of
/// log_integral by lambda, the gradient is -mean and the Hessian is the covariance.
struct TiltedMoments {
  double log_integral = 0;  ///< log of the integral of exp(-<lambda, x - b>) over D
  Vec3d mean;               ///< of x - b
  Mat3d covariance;         ///< of x
  double rounding = 1e-15;  ///< about the relative error of the integral and of its moments
};

/// Draws independent points of the density proportional to exp(-<lambda, x>) on D, for one lambda.
class TiltedSampler {
 public:
  virtual ~TiltedSampler() = default;
  virtual Vec3d draw(Draws& draws) const = 0;
  /// Draws over proposals, computed and not counted; 1 if nothing is ever rejected.
  double acceptance() const { return acceptance_; }
  /// Whether a draw is an exact map of three uniform numbers, as designs of experiments need.
  virtual bool has_cube_map() const { return false; }
  /// That map. @throws std::logic_error without one.
  virtual Vec3d from_cube(const Vec3d& u) const;

 protected:
  explicit TiltedSampler(double acceptance) : acceptance_(acceptance) {}

 private:
  double acceptance_;
};

/// Points as a map of the unit cube.
using CubeMap = std::function<Vec3d(const Vec3d& u)>;

/// A box with edges along the axes.
struct Bounds {
  Vec3d lower, upper;
};

class Domain {
 public:
  virtual ~Domain() = default;
  Domain(const Domain&) = delete;
  Domain& operator=(const Domain&) = delete;

  double volume() const { return volume_; }
  const Vec3d& barycentre() const { return barycentre_; }
  /// What it is, in a word or two: "box".
  virtual std::string kind() const = 0;
  virtual Bounds bounds() const = 0;
  virtual bool contains(const Vec3d& x) const = 0;
  /// Distance from x to the convex hull of D; for x within, minus the distance to its surface.
  virtual double distance_to_hull(const Vec3d& x) const = 0;
  virtual TiltedMoments tilted_moments(const Vec3d& lambda) const = 0;
  virtual std::unique_ptr<const TiltedSampler> sampler(const Vec3d& lambda) const = 0;
  /// The density proportional to exp(-<lambda, x>) as a map of the unit cube: the sampler's, unless
  /// the domain has another. May outlive the domain.
  virtual CubeMap cube_map(const Vec3d& lambda) const;
  /// Otherwise the map jumps.
  virtual bool is_convex() const { return true; }

 protected:
  Domain(double volume, const Vec3d& barycentre) : volume_(volume), barycentre_(barycentre) {}

 private:
  double volume_;
  Vec3d barycentre_;
};

}  // namespace tumble
