// The points of g = 0 nearest to the origin, where most of the probability of g <= 0 lies if there
// is little of it (A. M. Hasofer, N. C. Lind, Journal of the Engineering Mechanics Division 100,
// 1974).
//
// From each start the iteration of Rackwitz and Fiessler goes to the nearest point of the plane
// that is tangent to g, by a step that makes the merit |u|^2 / 2 + c |g| smaller (Y. Zhang, A. Der
// Kiureghian, IFIP WG 7.5, 1995). Gradients are differences of runs. At a kink, where g is the
// larger of two functions, tangent planes of either side take turns: the last few are kept, and
// the step goes to the point nearest to the origin that is behind all of them.
#pragma once
#include "tumble/reliability/probability_estimate.hpp"

namespace tumble {

struct DesignPointOptions {
  std::uint64_t seed = 1;
  std::uint64_t runs = 1000;  ///< no iteration begins that would exceed them
  std::size_t starts = 0;     ///< 0: by the number of germs and runs
  double difference = 1e-3;   ///< of germs, for gradients
  int most_iterations = 30;
};

struct DesignPoints {
  std::vector<DesignPoint> points;  ///< the nearest first, each once
  double at_origin = 0;             ///< g there
  std::uint64_t runs = 0, failed = 0;
  std::size_t starts = 0, converged = 0;
};

/// The least runs with which a search makes sense: some iterations from one start.
std::uint64_t least_search_runs(std::size_t dimension);
/// Enough for ten starts.
std::uint64_t ample_search_runs(std::size_t dimension);

DesignPoints find_design_points(std::size_t dimension, const LimitState& g,
                                const DesignPointOptions& options);

}  // namespace tumble
