#include <gtest/gtest.h>

#include "tumble/reliability/form.hpp"
#include "tumble/reliability/importance_sampling.hpp"
#include "tumble/reliability/monte_carlo.hpp"
#include "tumble/reliability/replica_interval.hpp"
#include "tumble/reliability/subset_simulation.hpp"
#include "tumble/reliability/test/limit_states.hpp"

namespace tumble {
namespace {

/// Counts what is asked, and lets runs fail where `fails` says so.
struct Watched {
  LimitState g;
  bool (*fails)(std::span<const double>) = nullptr;
  double error = 0;
  std::uint64_t runs = 0;

  LimitState state() {
    return [this](const GermPoints& points) {
      runs += points.size();
      std::vector<LimitValue> values = g(points);
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i].error = error;
        if (fails != nullptr && fails(points.row(i)))
          values[i].g = std::numeric_limits<double>::quiet_NaN();
      }
      return values;
    };
  }
};

double right_half(std::span<const double> x) { return 2 - x[0]; }  // p = Phi(-2) = 0.02275

TEST(ReliabilityMethods, CountTheirRunsAndKeepToTheBudget) {
  for (const std::uint64_t runs : {1000, 1777, 5000}) {
    Watched w{limit_state(plane)};
    EXPECT_EQ(monte_carlo(10, w.state(), {.runs = runs}).runs, w.runs);
    EXPECT_EQ(w.runs, runs);
    w.runs = 0;
    EXPECT_EQ(subset_simulation(10, w.state(), {.runs = runs}).runs, w.runs);
    EXPECT_LE(w.runs, runs);
    w.runs = 0;
    const ProbabilityEstimate e = importance_sampling(10, w.state(), {.runs = runs});
    EXPECT_EQ(e.runs, w.runs);
    EXPECT_LE(w.runs, runs + 10);
    EXPECT_LT(e.search_runs, runs / 2 + 1);
  }
}

TEST(ReliabilityMethods, TheSameValuesGiveTheSameBits) {
  const auto a = subset_simulation(2, limit_state(four_branches), {.runs = 2000, .seed = 7});
  const auto b = subset_simulation(2, limit_state(four_branches), {.runs = 2000, .seed = 7});
  EXPECT_EQ(a.probability, b.probability);
  EXPECT_EQ(a.replicas, b.replicas);
  EXPECT_NE(
      a.probability,
      subset_simulation(2, limit_state(four_branches), {.runs = 2000, .seed = 8}).probability);
}

TEST(ReliabilityMethods, RunsThatFailWidenTheInterval) {
  // Half of what is beyond the limit cannot be computed: p of the rest is Phi(-2) / 2.
  const double truth = standard_normal_cdf(-2);
  const auto fails = [](std::span<const double> x) { return x[0] > 2 && x[1] > 0; };
  Watched w{limit_state(right_half), fails};
  for (const ProbabilityEstimate& e :
       {monte_carlo(2, w.state(), {.runs = 5000}), subset_simulation(2, w.state(), {.runs = 5000}),
        importance_sampling(2, w.state(), {.runs = 5000})}) {
    EXPECT_GT(e.failed, 0U);
    EXPECT_NEAR(e.probability, truth / 2, 0.3 * truth);
    EXPECT_LT(e.lower, truth / 2);
    EXPECT_GT(e.upper, truth);
  }
}

TEST(ReliabilityMethods, ErrorsOfValuesBoundTheEstimate) {
  // If every value may be wrong by 0.1, p is between Phi(-2.1) and Phi(-1.9).
  Watched w{limit_state(right_half), nullptr, 0.1};
  for (const ProbabilityEstimate& e : {monte_carlo(2, w.state(), {.runs = 20000}),
                                       subset_simulation(2, w.state(), {.runs = 20000}),
                                       importance_sampling(2, w.state(), {.runs = 20000})}) {
    EXPECT_NEAR(e.error_lower, standard_normal_cdf(-2.1), 0.15 * e.probability);
    EXPECT_NEAR(e.error_upper, standard_normal_cdf(-1.9), 0.15 * e.probability);
  }
}

TEST(ReliabilityMethods, NothingSeenLeavesABound) {
  const LimitState never = [](const GermPoints& points) {
    return std::vector<LimitValue>(points.size(), {1.0});
  };
  const ProbabilityEstimate m = monte_carlo(3, never, {.runs = 1000});
  EXPECT_EQ(m.probability, 0);
  EXPECT_NEAR(m.upper, 1 - std::pow(0.025, 1e-3), 1e-9);
  const ProbabilityEstimate s = subset_simulation(3, never, {.runs = 1000});
  EXPECT_EQ(s.probability, 0);
  EXPECT_GT(s.upper, 0);
  ASSERT_FALSE(s.warnings.empty());
  EXPECT_NE(s.warnings[0].find("no nearer level"), std::string::npos);
  const ProbabilityEstimate i = importance_sampling(3, never, {.runs = 1000});
  EXPECT_EQ(i.probability, 0);
  EXPECT_GT(i.upper, 1e-3);
  EXPECT_FALSE(i.warnings.empty());
}

TEST(ReliabilityMethods, MostProbableEventsAreFoundFromTheOtherSide) {
  // The origin is beyond the limit: p = Phi(2).
  const LimitState g = limit_state([](std::span<const double> x) { return -2 - x[0]; });
  const ProbabilityEstimate e = importance_sampling(2, g, {.runs = 3000});
  const double truth = standard_normal_cdf(2);
  EXPECT_NEAR(e.probability, truth, 0.005);
  EXPECT_LT(e.lower, truth);
  EXPECT_GT(e.upper, truth);
  ASSERT_EQ(e.design_points.size(), 1U);
  EXPECT_NEAR(e.design_points[0].index, -2, 1e-6);
  EXPECT_NEAR(form(2, g, {}).probability, truth, 1e-6);
}

TEST(DesignPoints, AreAllFoundOfFourBranches) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const DesignPoints found =
        find_design_points(2, limit_state(four_branches), {.seed = seed, .runs = 1000});
    ASSERT_EQ(found.points.size(), 4U) << seed;
    EXPECT_NEAR(found.points[0].index, 3, 0.01);
    EXPECT_NEAR(found.points[1].index, 3, 0.01);
    EXPECT_NEAR(found.points[2].index, 3.5, 0.01);
    EXPECT_NEAR(found.points[3].index, 3.5, 0.01);
    for (const DesignPoint& point : found.points) EXPECT_NEAR(point.importance[0], 0.5, 0.01);
  }
}

TEST(DesignPoints, StandAtKinks) {
  // RP25, where both parts of max(g1, g2) vanish: x2 = 2 + x1^2 / 8, x1 = 2 + x2 / 16.
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const DesignPoints found =
        find_design_points(2, limit_state(known_problems()[1].g), {.seed = seed, .runs = 3000});
    ASSERT_FALSE(found.points.empty());
    EXPECT_NEAR(found.points[0].index, 3.369, 0.2) << seed;
  }
}

TEST(DesignPoints, AreGivenUpAfterFourStepsThatGainNothing) {
  // Twice as far from failing wherever it is asked next, so that no step is better than none.
  // Start, four times a difference and six lengths of a step, and the difference that is not
  // followed by any.
  double g = 1;
  const LimitState ever_safer = [&](const GermPoints& points) {
    std::vector<LimitValue> values;
    for (std::size_t i = 0; i < points.size(); ++i) values.push_back({g *= 2});
    return values;
  };
  const DesignPoints found = find_design_points(1, ever_safer, {.runs = 1000, .starts = 1});
  EXPECT_EQ(found.runs, 1U + 4 * (1 + 6) + 1);
  EXPECT_EQ(found.converged, 0U);
}

TEST(ImportanceSampling, SaysThatADesignPointIsMissing) {
  // From the origin alone, two branches are found at best.
  const ProbabilityEstimate e =
      importance_sampling(2, limit_state(four_branches), {.runs = 20000, .starts = 1});
  ASSERT_LT(e.design_points.size(), 3U);
  ASSERT_FALSE(e.warnings.empty());
  EXPECT_NE(e.warnings.back().find("other ways to fail"), std::string::npos);
}

TEST(Sorm, KnowsTheProbabilityBeyondAParaboloid) {
  // g = b - x1 + k/2 (x2^2 + x3^2): P = E[Phi(-b - k R^2 / 2)], R^2 / 2 exponential. By quadrature
  // with b = 3, k = 0.2 : Phi(-3) times 0.6034...
  const LimitState g = limit_state(
      [](std::span<const double> x) { return 3 - x[0] + 0.1 * (x[1] * x[1] + x[2] * x[2]); });
  double exact = 0;
  constexpr double h = 1e-4;
  for (double e = h / 2; e < 40; e += h)
    exact += h * std::exp(-e) * standard_normal_cdf(-3 - 0.2 * e);
  const ProbabilityEstimate first = form(3, g, {}), second = form(3, g, {.second_order = true});
  EXPECT_TRUE(first.is_approximation());
  EXPECT_NEAR(first.probability, standard_normal_cdf(-3), 2e-5);
  EXPECT_EQ(second.curvatures.size(), 2U);
  EXPECT_NEAR(second.curvatures[0], 0.2, 0.01);
  EXPECT_NEAR(second.hohenbichler, exact, 0.02 * exact);
  EXPECT_NEAR(second.breitung, exact, 0.08 * exact);
}

TEST(SubsetSimulation, ShowsItsLevels) {
  const ProbabilityEstimate e = subset_simulation(10, limit_state(plane), {.runs = 10000});
  ASSERT_GE(e.levels.size(), 4U);
  double product = 1;
  for (std::size_t k = 0; k < e.levels.size(); ++k) {
    product *= e.levels[k].probability;
    if (k == 0) continue;
    EXPECT_LT(e.levels[k].threshold, e.levels[k - 1].threshold);
    EXPECT_NEAR(e.levels[k].acceptance, 0.44, 0.2);
  }
  EXPECT_EQ(e.levels.back().threshold, 0);
  EXPECT_NEAR(product, e.probability, 1e-12);
  EXPECT_EQ(e.replicas.size(), 8U);
}

TEST(SubsetSimulation, SaysThatChainsAreFew) {
  const ProbabilityEstimate e = subset_simulation(10, limit_state(plane), {.runs = 2000});
  ASSERT_EQ(e.warnings.size(), 1U);
  EXPECT_NE(e.warnings[0].find("Markov chains at a level"), std::string::npos) << e.warnings[0];
}

TEST(ReplicaInterval, CountsAZeroAsHalfOfTheSmallest) {
  const ReplicaInterval with = replica_interval({1, 2, 4, 0}, 0.95);
  EXPECT_DOUBLE_EQ(with.mean, 1.75);
  // Logarithms 0, 1, 2, -1 in units of log 2: variance 5 / 3.
  EXPECT_NEAR(with.cv, std::log(2.0) * std::sqrt(5.0 / 12), 1e-12);
  EXPECT_GT(with.upper, 1.75 * std::exp(3.182 * with.cv));
}

}  // namespace
}  // namespace tumble
