// Multilevel Monte Carlo: a statistic of a quantity P from pairs of runs on neighbouring grids.
//
// With P_l the quantity on the grid of level l,
//   E[P_L] = E[P_0] + sum_l E[P_l - P_(l-1)],
// and each term is estimated by runs of its own, the two of a difference with the same random
// numbers: M. B. Giles, "Multilevel Monte Carlo path simulation", Operations Research 56 (2008)
// 607-617, and Acta Numerica 24 (2015) 259-328. Likewise
//   Var[P_L] = Var[P_0] + sum_l (Var[P_l] - Var[P_(l-1)])
// with sample variances of the same pairs: C. Bierig, A. Chernov, "Convergence analysis of
// multilevel Monte Carlo variance estimators", Numerische Mathematik 130 (2015) 579-613.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "tumble/model/study/multilevel_request.hpp"

namespace tumble {

/// The pairs of a level that did not fail; on level 0 there are no coarse runs.
struct LevelSample {
  std::vector<double> fine, coarse;
};

/// What the pairs of one level say of the statistic.
struct LevelEstimate {
  std::uint64_t pairs = 0;
  double difference = 0;     ///< from the level before; on level 0 the statistic itself
  double difference_se = 0;  ///< its standard error
  double pair_variance = 0;  ///< of what one pair adds: difference_se^2 times the pairs
  double value = 0;          ///< the statistic on this grid, from these pairs alone
  /// Of what one run adds to the statistic, on this grid and on the one before.
  double run_variance = 0, coarse_run_variance = 0;
};

struct MultilevelEstimate {
  std::vector<LevelEstimate> levels;
  double value = 0;
  double standard_error = 0;
  double quantile = 0;  ///< of Student's t, by which the standard error is widened
  /// Half the width of the confidence interval of the statistic on the finest grid.
  double statistical_error = 0;
  /// With which power of the grid the differences fade, and whether that was observed; otherwise it
  /// is taken to be 1.
  double order = 1;
  bool order_observed = false;
  /// What the finest grid is off by, at most, as far as the differences tell.
  double bias = 0;
  double error() const { return statistical_error + bias; }
};

/// `refinements`: how many times finer the grid of each level is than that of the one before; that
/// of level 0 is of no meaning. At least two levels, of at least two pairs each.
///
/// The interval is Student's, with the degrees of freedom of Welch and Satterthwaite. The bias is
/// the sum of the differences that finer grids would still make, as a geometric series with the
/// ratio refinement^-order from the last difference or, if that gives more, from the one before,
/// times a safety factor: 1.25 where the order was observed, by a fit to the differences that stand
/// out of their errors, and 2 where it is assumed (P. J. Roache, "Perspective: a method for uniform
/// reporting of grid refinement studies", Journal of Fluids Engineering 116 (1994) 405-413, has
/// 1.25 and 3). An order above 2, that of the time integration, is not believed.
MultilevelEstimate multilevel_estimate(std::span<const LevelSample> samples,
                                       MultilevelStatistic statistic, double confidence,
                                       std::span<const double> refinements);

/// How many pairs each level is to have so that the statistical error is at most `allowed` for the
/// least work, by Lagrange: in proportion to sqrt(pair_variance / work). Never fewer than there
/// are, and at most eight times as many, so that variances are measured anew before a guess from
/// few pairs is acted upon; at least one level gets more. `pair_work`: of one pair.
std::vector<std::uint64_t> choose_pairs(const MultilevelEstimate& estimate,
                                        std::span<const double> pair_work, double allowed);

/// Plain Monte Carlo that would claim the same error.
struct PlainMonteCarlo {
  std::size_t level = 0;  ///< whose grid it has: of those whose bias is small enough the cheapest
  double bias = 0;        ///< of that grid
  double runs = 0;
  double work = 0;
};

/// `run_work`: of one run on the grid of each level. How much runs vary on a grid is added up from
/// level to level, as the statistic is: few runs on a fine grid would not tell.
PlainMonteCarlo plain_monte_carlo(const MultilevelEstimate& estimate,
                                  std::span<const double> run_work);

}  // namespace tumble
