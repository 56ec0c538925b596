// A random centre of mass as a function of three independent uniform numbers.
//
// Designs of experiments and polynomials need such a function; where exact draws need none they
// stay the way of Monte Carlo. docs/theory/germs.md.
#pragma once
#include "tumble/random/centre/centre_law.hpp"

namespace tumble {

/// Immutable and cheap to copy; may be used by many threads.
class CentreMap {
 public:
  /// Measures its own error.
  explicit CentreMap(const CentreLaw& law);

  Vec3d operator()(const Vec3d& u) const { return map_(u); }
  /// Bound of the error of every probability, by map_error().
  double error() const { return error_; }

 private:
  CubeMap map_;
  double error_ = 0;
};

}  // namespace tumble
