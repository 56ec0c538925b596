// What a method found out about the probability of g <= 0.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "tumble/reliability/limit_state.hpp"

namespace tumble {

/// A nested event g <= threshold of subset simulation.
struct SubsetLevel {
  double threshold = 0;    ///< of g; 0 of the last
  double probability = 0;  ///< on condition of the level before, over all replicas
  double acceptance = 1;   ///< of the moves that filled the level before
  std::uint64_t runs = 0;  ///< of the replicas, at the level before
};

/// A point of g = 0 nearest to the origin, or nearest in its neighbourhood.
struct DesignPoint {
  std::vector<double> germs;
  double index = 0;                ///< its distance, beta; negative if the origin has g <= 0
  std::vector<double> importance;  ///< alpha^2, shares of the germs that sum to 1
  double g = 0;                    ///< there
  bool converged = false;
  double share = 0;  ///< of the points of importance sampling drawn around it
};

struct ProbabilityEstimate {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();

  double probability = none;           ///< runs that failed count as not beyond the limit
  double lower = none, upper = none;   ///< NaN for an approximation
  double cv = none;                    ///< standard error over estimate; NaN for an approximation
  std::uint64_t runs = 0, failed = 0;  ///< all of the method, and those without a value
  std::uint64_t search_runs = 0;       ///< of these, for levels or design points
  /// The estimate if all values were wrong by their errors, towards the limit and away from it.
  double error_lower = none, error_upper = none;

  std::vector<double> replicas;  ///< subset simulation: an estimate each
  std::vector<SubsetLevel> levels;
  std::vector<DesignPoint> design_points;  ///< the nearest first
  double effective_runs = none;            ///< importance sampling: independent draws it is worth
  double nominal_share = none;  ///< importance sampling: of the estimate, from failures that no
                                ///< design point stands for
  double breitung = none, hohenbichler = none;  ///< second order, both
  std::vector<double> curvatures;
  std::vector<std::string> warnings;

  bool is_approximation() const { return !(lower <= upper); }
};

/// Final points of a method: the estimate is the sum of the weights of those with g <= 0.
struct WeightedValue {
  double weight;
  LimitValue value;
};

/// Fills error_lower and error_upper. A value whose error is unknown counts as wrong by anything;
/// a run that failed as it does in the estimate.
void add_error_bounds(ProbabilityEstimate& estimate, std::span<const WeightedValue> values);

/// Phi^-1(1 - p), the distance of a plane beyond which the probability is p.
double reliability_index(double probability);

}  // namespace tumble
