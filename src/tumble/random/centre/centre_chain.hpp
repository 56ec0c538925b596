// The law of the centre of mass by a Metropolis-Hastings chain: the paper's way, and a cross-check
// of independent draws.
//
// Batou & Soize (2012), Appendix D, with one correction: on rejection the state is repeated. A
// chain that lists accepted moves only, as step (4) there has it, has another law.
#pragma once
#include <cstddef>
#include <vector>

#include "tumble/random/centre/centre_law.hpp"

namespace tumble {

struct ChainSettings {
  std::size_t burn_in = 500;  ///< steps before the first point
  std::size_t thinning = 10;  ///< steps from one point to the next
  double step = 1.0;          ///< standard deviation of a proposal, in those of the law
};

/// A random walk: from x to x + step sqrt(3) L (2 u - 1), with u uniform in the unit cube and L L^T
/// the covariance of the law, kept with probability min(1, p(new) / p(old)). It starts at the mean
/// or, if that is outside the domain, at an independent draw. All numbers come from one stream, one
/// after the other: a longer chain begins with the points of a shorter one.
class CentreChain {
 public:
  /// @throws std::invalid_argument for a thinning of 0, or a step that is not positive.
  CentreChain(const CentreLaw& law, const Stream& stream, const ChainSettings& settings = {});

  /// Adds points until there are `count`.
  void extend_to(std::size_t count);
  const std::vector<Vec3d>& points() const { return points_; }

  /// Accepted proposals over all, those of the burn-in left out.
  double acceptance() const;
  /// Of each coordinate, see effective_sample_size().
  Vec3d effective_sample_size() const;

 private:
  void advance(std::size_t steps);

  CentreLaw law_;
  Draws draws_;
  ChainSettings settings_;
  Mat3d proposal_;  ///< step sqrt(3) L
  Vec3d state_;
  double log_density_ = 0;
  std::size_t proposed_ = 0, accepted_ = 0;
  std::vector<Vec3d> points_;
};

}  // namespace tumble
