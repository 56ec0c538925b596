// Chances of inadmissible values: exact where they are known, between their bounds otherwise.
#include "tumble/field/admissible_range.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "field_samples.hpp"
#include "tumble/field/correlated_fields.hpp"
#include "tumble/field/random_field.hpp"
#include "tumble/random/law/normal_score.hpp"

namespace tumble {
namespace {

FieldMap on_a_beam(const FieldMarginal& marginal, double correlation_length, std::size_t count,
                   const Truncation& truncation = {}) {
  const RandomField field({.marginal = marginal,
                           .kernel = CorrelationKernel::squared_exponential(correlation_length),
                           .curves = {arc_length_curve(1)},
                           .truncation = truncation});
  std::vector<Vec3d> points;
  for (std::size_t p = 0; p < count; ++p)
    points.push_back({static_cast<double>(p) / static_cast<double>(count - 1), 0, 0});
  return field.map(points);
}

/// The fraction of realisations that find_inadmissible() objects to.
double observed(const FieldMap& map, const AdmissibleRange& range, std::uint64_t count) {
  std::uint64_t bad = 0;
  for (std::uint64_t n = 0; n < count; ++n)
    bad += find_inadmissible(map.values(sample_germ(map.germ_size(), 31, n)), range).has_value();
  return static_cast<double>(bad) / static_cast<double>(count);
}

// SciPy 1.10.1: norm.cdf(-2.5), norm.cdf(-1) + norm.cdf(-2), chi2.sf(6.25, 3).
TEST(AdmissibleRange, HasTheChancesOfTheNormalLaw) {
  FieldMap map{.offset = {2.5}, .modes = ModeMatrix(1, 1)};
  map.modes(0, 0) = 1;
  EXPECT_NEAR(exit_probability(map, admissible_young_modulus).at_points[0], 0.006209665325776132,
              1e-16);
  map.offset[0] = 0;
  map.modes(0, 0) = 0.5;
  const double two_sided = exit_probability(map, admissible_poisson_ratio).at_points[0];
  EXPECT_NEAR(two_sided, 0.18140538587963628, 1e-15);

  // Many points, each with its own direction in three dimensions: then the length of the germ
  // counts.
  FieldMap many{.offset = std::vector<double>(3000, 2.5), .modes = ModeMatrix(3000, 3)};
  for (std::size_t p = 0; p < 3000; ++p) many.modes(p, p % 3) = 1;
  const ExitProbability exit = exit_probability(many, admissible_density);
  EXPECT_NEAR(exit.at_most, 0.10006083311939494, 1e-14);
  EXPECT_NEAR(exit.at_least, 0.006209665325776132, 1e-16);
}

// One term: the chance is that of the worst point, since the field has one direction.
TEST(AdmissibleRange, IsExactlyTheLowerBoundForOneTerm) {
  const FieldMap map = on_a_beam({.mean = 3, .std = 1.5}, 4, 50);
  ASSERT_EQ(map.germ_size(), 1u);
  const ExitProbability exit = exit_probability(map, admissible_young_modulus);
  EXPECT_NEAR(exit.at_least, standard_normal_cdf(-3 / map.score_std(exit.worst_point)), 1e-15);
  // Two-sided length of a germ that only one side of can hurt.
  EXPECT_NEAR(exit.at_most, 2 * exit.at_least, 1e-12);
  // 40000 realisations; 5 standard deviations, a false-alarm rate of 6e-7.
  const double p = exit.at_least;
  EXPECT_NEAR(observed(map, admissible_young_modulus, 40'000), p,
              5 * std::sqrt(p * (1 - p) / 40'000));
}

TEST(AdmissibleRange, BoundsEncloseTheObservedFraction) {
  const FieldMap maps[] = {
      on_a_beam({.mean = 3, .std = 1.5}, 0.3, 60),
      on_a_beam({.mean = 3, .std = PositionFunction::piecewise_linear({{0, 0}, {1, 2}})}, 1, 60),
      on_a_beam({.mean = 0.2, .std = 0.15}, 0.6, 3)};
  for (const FieldMap& map : maps) {
    const AdmissibleRange range =
        map.points() == 3 ? admissible_poisson_ratio : admissible_young_modulus;
    const ExitProbability exit = exit_probability(map, range);
    EXPECT_LT(exit.at_least, exit.at_most);
    EXPECT_LE(exit.at_most, 1);
    // 5 standard deviations of a fraction that is the bound: 3e-7 on either side.
    const auto slack = [](double p) { return 5 * std::sqrt(p * (1 - p) / 20'000); };
    const double fraction = observed(map, range, 20'000);
    EXPECT_GT(fraction, exit.at_least - slack(exit.at_least));
    EXPECT_LT(fraction, exit.at_most + slack(exit.at_most));
  }
}

TEST(AdmissibleRange, KnowsFieldsThatCannotLeaveIt) {
  const FieldMap lognormal =
      on_a_beam({.law = FieldLaw::lognormal, .mean = 2e7, .std = 1e7}, 0.5, 20);
  const ExitProbability never = exit_probability(lognormal, admissible_young_modulus);
  EXPECT_EQ(never.at_most, 0);
  EXPECT_EQ(exit_announcement(never, admissible_young_modulus),
            "Young's modulus: every realisation is greater than 0 Pa.");
  // But a lognormal Poisson's ratio can be too large: P(H > 1/2) at a point, from its logarithm.
  const FieldMap ratio = on_a_beam({.law = FieldLaw::lognormal, .mean = 0.3, .std = 0.1}, 4, 20);
  const double s = ratio.score_std(0), m = std::log(0.3) - 0.5 * s * s;
  EXPECT_NEAR(exit_probability(ratio, admissible_poisson_ratio).at_points[0],
              standard_normal_cdf((m - std::log(0.5)) / s), 1e-14);
  // A field without variance is inside, or it is not; the edge is not inside.
  for (const auto& [mean, chance] : {std::pair{0.3, 0.0}, {0.5, 1.0}, {0.6, 1.0}, {-1.0, 1.0}}) {
    const FieldMap constant = on_a_beam({.mean = mean, .std = 0}, 1, 5);
    const ExitProbability exit = exit_probability(constant, admissible_poisson_ratio);
    EXPECT_EQ(exit.at_least, chance) << mean;
    EXPECT_EQ(exit.at_most, chance) << mean;
  }
}

// The paper's modulus, 2e7 +- 2e6 Pa. SciPy 1.10.1: norm.cdf(-10).
TEST(AdmissibleRange, AnnouncesThePapersModulus) {
  const FieldMap modulus = on_a_beam({.mean = 2e7, .std = 2e6}, 1, 60, {.tolerance = 1e-9});
  const ExitProbability exit = exit_probability(modulus, admissible_young_modulus);
  EXPECT_NEAR(exit.at_least, 7.61985302416047e-24, 1e-6 * 7.6e-24);
  EXPECT_LT(exit.at_most, 1e-21);
  EXPECT_THAT(exit_announcement(exit, admissible_young_modulus),
              testing::MatchesRegex("Young's modulus must be greater than 0 Pa; the chance that a "
                                    "realisation is not, somewhere, is between 7.6e-24 and "
                                    "[^ ]*e-22. Such a realisation is recorded as failed."));
}

TEST(AdmissibleRange, CountsOnlyVariablesThatAFieldDependsOn) {
  const auto expansion = std::make_shared<FieldExpansion>(
      uniform_nodes(std::vector{arc_length_curve(1)}, 51),
      CorrelationKernel::squared_exponential(1), Truncation{.terms = 1});
  const FieldMarginal marginal{.mean = 3, .std = 1};
  const CorrelatedFields fields({marginal, marginal}, {.rows = {{1, 0.5}, {0.5, 1}}}, expansion);
  const std::vector<Vec3d> points(10, Vec3d{0.5, 0, 0});
  const FieldMap alone = make_field_map(marginal, *expansion, points);
  EXPECT_EQ(exit_probability(fields.map(0, points), admissible_density).at_most,
            exit_probability(alone, admissible_density).at_most);
}

TEST(AdmissibleRange, FindsWhatARealizationMustNotHave) {
  const double good[] = {0.1, 0.49, -0.99}, bad[] = {0.1, 0.5, 0.7};
  EXPECT_FALSE(find_inadmissible(good, admissible_poisson_ratio));
  const auto found = find_inadmissible(bad, admissible_poisson_ratio);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->point, 1u);
  EXPECT_EQ(inadmissible_message(*found, admissible_poisson_ratio, "s = 0.4 m"),
            "Poisson's ratio = 0.5 at s = 0.4 m must be greater than -1 and less than 0.5");
  EXPECT_TRUE(find_inadmissible(std::vector{std::nan("")}, admissible_density));
  const auto zero = find_inadmissible(std::vector{1.0, 0.0}, admissible_density);
  ASSERT_TRUE(zero);
  EXPECT_EQ(inadmissible_message(*zero, admissible_density, "s = 1 m"),
            "density = 0 kg/m^3 at s = 1 m must be greater than 0 kg/m^3");
}

}  // namespace
}  // namespace tumble
