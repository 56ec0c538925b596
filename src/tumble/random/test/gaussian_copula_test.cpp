// Dependent random numbers: correlations of scores against closed forms, samples that have the
// correlation asked for, and matrices that are refused.
#include "tumble/random/law/gaussian_copula.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "law_cases.hpp"
#include "tumble/random/law/nataf.hpp"
#include "tumble/random/law/normal_score.hpp"
#include "tumble/random/stream/stream.hpp"

namespace tumble {
namespace {

using Rows = std::vector<std::vector<double>>;
using Of = CorrelationMatrix::Of;
constexpr double pi = std::numbers::pi;

PairCorrelation pair(const ScalarLaw& x, const ScalarLaw& y) {
  return PairCorrelation(x, y, HermiteExpansion(x), HermiteExpansion(y));
}

double score_correlation(const ScalarLaw& x, const ScalarLaw& y, double correlation) {
  return pair(x, y).scores_for(correlation).value;
}

ScalarLaw normal() { return ScalarLaw(NormalLaw{.mean = 4, .std = 2}); }
ScalarLaw lognormal(double s) { return ScalarLaw(LognormalLaw{.log_mean = 1, .log_std = s}); }
ScalarLaw uniform() { return ScalarLaw(UniformLaw{.min = -3, .max = 5}); }
ScalarLaw coin() { return ScalarLaw(DiscreteLaw{.values = {-1, 1}}); }

TEST(Nataf, HasTheClosedFormsOfSmoothLaws) {
  for (const double r : {-0.9, -0.4, 0.01, 0.5, 0.97}) {
    EXPECT_NEAR(score_correlation(normal(), normal(), r), r, 1e-12);
    // corr = r s / sqrt(exp(s^2) - 1)
    const double s = 0.8, t = 0.3;
    EXPECT_NEAR(score_correlation(normal(), lognormal(s), r * s / std::sqrt(std::expm1(s * s))), r,
                1e-11);
    // corr = (exp(r s t) - 1) / sqrt((exp(s^2) - 1) (exp(t^2) - 1))
    const double both = std::expm1(r * s * t) / std::sqrt(std::expm1(s * s) * std::expm1(t * t));
    EXPECT_NEAR(score_correlation(lognormal(s), lognormal(t), both), r, 1e-11);
    // corr = 6 / pi asin(r / 2)
    EXPECT_NEAR(score_correlation(uniform(), uniform(), 6 / pi * std::asin(r / 2)), r, 1e-11);
    EXPECT_NEAR(score_correlation(uniform(), uniform(), r), 2 * std::sin(pi * r / 6), 1e-11);
    // corr = r sqrt(3 / pi)
    EXPECT_NEAR(score_correlation(normal(), uniform(), r * std::sqrt(3 / pi)), r, 1e-11);
  }
}

// Two coins: corr = 2 / pi asin(r). A coin with a normal number: corr = r sqrt(2 / pi).
TEST(Nataf, HasTheClosedFormsOfJumps) {
  for (const double r : {-0.9, -0.4, 0.01, 0.5, 0.97}) {
    EXPECT_NEAR(score_correlation(coin(), coin(), 2 / pi * std::asin(r)), r, 1e-9);
    EXPECT_NEAR(score_correlation(coin(), normal(), r * std::sqrt(2 / pi)), r, 1e-11);
  }
  // Where the powers of r no longer help, the bound of what is neglected holds.
  for (const double r : {0.998, -0.9995, 0.99999}) {
    const double wanted = 2 / pi * std::asin(r);
    const auto [found, error] = pair(coin(), coin()).scores_for(wanted);
    EXPECT_LE(std::abs(2 / pi * std::asin(found) - wanted), error) << r;
    EXPECT_LT(std::abs(found), 1) << r;
    EXPECT_LT(error, 0.06) << r;
  }
}

TEST(Nataf, ExpandsEveryLawWithUnitSumOfSquares) {
  for (const auto& [title, law, terms] : laws_with_density()) {
    const HermiteExpansion expansion(law);
    // Poles and kinks of the density leave a rest; a smooth law leaves nothing but rounding.
    EXPECT_LT(expansion.remainder(), law.breakpoints().empty() ? 1e-6 : 3e-3) << title;
  }
}

TEST(Nataf, KnowsWhatCanBeAttained) {
  // Two exponential numbers: 1 - pi^2 / 6 at least.
  const ScalarLaw exponential(ExponentialLaw{.mean = 3});
  const auto range = pair(exponential, exponential).range();
  EXPECT_NEAR(range.min, 1 - pi * pi / 6, 1e-10);
  EXPECT_NEAR(range.max, 1, 1e-10);
  // A coin of probability p = 1/10 and a uniform number: sqrt(3 p (1 - p)) either way.
  const ScalarLaw rare(DiscreteLaw{.values = {0, 1}, .weights = {9, 1}});
  EXPECT_NEAR(pair(rare, uniform()).range().max, std::sqrt(0.27), 1e-10);
  EXPECT_NEAR(pair(rare, uniform()).range().min, -std::sqrt(0.27), 1e-10);
}

TEST(GaussianCopula, MapsTheUnitCubeThroughScores) {
  const GaussianCopula copula({normal(), uniform()},
                              {.of = Of::normal_scores, .rows = {{1, 0.6}, {0.6, 1}}});
  const double u[2] = {0.3, 0.8};
  double x[2];
  copula.map(u, x);
  const double z0 = standard_normal_score(0.3), z1 = standard_normal_score(0.8);
  EXPECT_NEAR(x[0], 4 + 2 * z0, 1e-14);
  EXPECT_NEAR(x[1], -3 + 8 * standard_normal_cdf(0.6 * z0 + 0.8 * z1), 1e-13);
  double same[2] = {0.3, 0.8};
  copula.map(same, same);
  EXPECT_EQ(same[0], x[0]);
  EXPECT_EQ(same[1], x[1]);
}

TEST(GaussianCopula, LeavesIndependentLawsAlone) {
  std::vector<ScalarLaw> laws;
  for (const auto& c : laws_with_density()) laws.push_back(c.law);
  Rows identity(laws.size(), std::vector<double>(laws.size()));
  for (std::size_t i = 0; i < laws.size(); ++i) identity[i][i] = 1;
  const GaussianCopula copula(laws, {.rows = identity});
  std::vector<double> u, x(laws.size());
  for (std::size_t i = 0; i < laws.size(); ++i) u.push_back(Stream(9, i, 1).uniform(0));
  copula.map(u, x);
  for (std::size_t i = 0; i < laws.size(); ++i)
    EXPECT_NEAR(x[i], laws[i].quantile(u[i]), 1e-12 * std::max(std::abs(x[i]), laws[i].std()));
}

// Means of the products of standardised variables over 40000 draws: each is within 5 of its
// standard errors, a false-alarm rate of 6e-7. Marginal laws: Kolmogorov-Smirnov as in
// scalar_law_test.cpp, 3e-7.
TEST(GaussianCopula, GivesTheCorrelationsOfTheVariables) {
  const std::vector<ScalarLaw> laws = {ScalarLaw(GammaLaw{.mean = 10, .cv = 0.3}),
                                       ScalarLaw(LognormalLaw{.mean = 1, .cv = 0.4}),
                                       ScalarLaw(BetaLaw{.alpha = 2, .beta = 3}),
                                       ScalarLaw(TruncatedNormalLaw{.min = -1, .max = 2})};
  const Rows rows = {
      {1, 0.7, -0.5, 0}, {0.7, 1, -0.3, 0.2}, {-0.5, -0.3, 1, 0.4}, {0, 0.2, 0.4, 1}};
  const GaussianCopula copula(laws, {.rows = rows});
  EXPECT_TRUE(copula.warnings().empty());
  constexpr int count = 40'000;
  std::vector<std::vector<double>> samples(4);
  for (int n = 0; n < count; ++n) {
    double u[4], x[4];
    for (int i = 0; i < 4; ++i) u[i] = Stream(77, n, i).uniform(0);
    copula.map(u, x);
    for (int i = 0; i < 4; ++i) samples[i].push_back(x[i]);
  }
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      double sum = 0, squares = 0;
      for (int n = 0; n < count; ++n) {
        const double product = (samples[i][n] - laws[i].mean()) * (samples[j][n] - laws[j].mean()) /
                               (laws[i].std() * laws[j].std());
        sum += product;
        squares += product * product;
      }
      const double mean = sum / count;
      const double standard_error = std::sqrt((squares / count - mean * mean) / count);
      EXPECT_NEAR(mean, rows[i][j], 5 * standard_error) << i << ' ' << j;
      EXPECT_LT(standard_error, 0.02);
    }
  for (std::size_t i = 0; i < 4; ++i) {
    std::sort(samples[i].begin(), samples[i].end());
    double distance = 0;
    for (int n = 0; n < count; ++n) {
      const double p = laws[i].cdf(samples[i][n]);
      distance = std::max({distance, (n + 1.0) / count - p, p - double(n) / count});
    }
    EXPECT_LT(std::sqrt(count) * distance, 2.8) << i;
  }
}

std::string refusal(const std::vector<ScalarLaw>& laws, const CorrelationMatrix& matrix) {
  try {
    const GaussianCopula copula(laws, matrix);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(GaussianCopula, RefusesWhatIsNoCorrelationMatrix) {
  using testing::HasSubstr;
  const std::vector<ScalarLaw> two = {normal(), uniform()}, three = {normal(), uniform(), normal()};
  for (const Of of : {Of::variables, Of::normal_scores}) {
    EXPECT_THAT(refusal(two, {of, {{1, 0}}}), HasSubstr("1 rows for 2 variables"));
    EXPECT_THAT(refusal(two, {of, {{1, 0}, {0}}}),
                HasSubstr("row 2 has 1 entries; 2 are expected"));
    EXPECT_THAT(refusal(two, {of, {{1, 0}, {0, 0.9}}}), HasSubstr("entry (2, 2) = 0.9 must be 1"));
    EXPECT_THAT(refusal(two, {of, {{1, 0.2}, {0.3, 1}}}),
                HasSubstr("entry (2, 1) = 0.3 differs from entry (1, 2) = 0.2"));
    EXPECT_THAT(refusal(two, {of, {{1, 1}, {1, 1}}}),
                HasSubstr("entry (2, 1) = 1 must lie strictly between -1 and 1"));
    EXPECT_THAT(refusal(two, {of, {{1, std::nan("")}, {std::nan(""), 1}}}),
                HasSubstr("entry (2, 1) = nan"));
    EXPECT_THAT(refusal(three, {of, {{1, 0.9, -0.9}, {0.9, 1, 0.9}, {-0.9, 0.9, 1}}}),
                HasSubstr("must be positive definite; its smallest eigenvalue is -0.8"));
  }
  EXPECT_THAT(refusal({}, {}), HasSubstr("no variables"));
}

TEST(GaussianCopula, RefusesCorrelationsThatTheLawsCannotHave) {
  using testing::HasSubstr;
  const ScalarLaw exponential(ExponentialLaw{.mean = 1});
  EXPECT_THAT(refusal({exponential, exponential}, {.rows = {{1, -0.7}, {-0.7, 1}}}),
              HasSubstr("entry (2, 1) = -0.7 cannot be attained: correlations of these two laws, "
                        "exponential and exponential, lie between -0.644934 and 1"));
  // Legal for the variables, but coins would need scores of correlation sin(pi r / 2).
  EXPECT_THAT(
      refusal({coin(), coin(), coin()},
              {.rows = {{1, 0.6, -0.3}, {0.6, 1, 0.55}, {-0.3, 0.55, 1}}}),
      HasSubstr("the matrix of the normal scores that would give these correlations must be "
                "positive definite"));
  const ScalarLaw constant(DiscreteLaw{.values = {3}});
  EXPECT_THAT(refusal({normal(), constant}, {.rows = {{1, 0.1}, {0.1, 1}}}),
              HasSubstr("variable 2 (discrete) has zero variance"));
}

TEST(GaussianCopula, SaysWhenJumpsSpoilTheCorrelation) {
  const GaussianCopula copula({coin(), coin()}, {.rows = {{1, 0.985}, {0.985, 1}}});
  ASSERT_EQ(copula.warnings().size(), 1u);
  EXPECT_THAT(copula.warnings()[0],
              testing::HasSubstr("entry (2, 1) = 0.985 is met only to within"));
}

// Trivariate normal scores, the last given: mean C_ag C_gg^-1 known and covariance C_aa - C_ag
// C_gg^-1 C_ga.
TEST(GaussianCopula, ConditionedDrawsHaveTheConditionalLaw) {
  const Rows c{{1, 0.5, 0.6}, {0.5, 1, -0.2}, {0.6, -0.2, 1}};
  const GaussianCopula copula({normal(), uniform(), lognormal(0.8)}, {Of::normal_scores, c});
  const std::vector<bool> given{false, false, true};
  const double known[] = {9, 9, 1.5};  // of which the first two are not asked for
  constexpr int draws = 40'000;
  double sum[2]{}, squares[3]{};
  for (std::uint64_t r = 0; r < draws; ++r) {
    const Stream stream(5, r, 77);
    double u[3], z[3];
    for (std::size_t i = 0; i < 3; ++i) u[i] = stream.uniform(i);
    copula.scores(u, z);
    copula.condition(given, known, z);
    EXPECT_NEAR(z[2], 1.5, 1e-12);
    for (std::size_t i = 0; i < 2; ++i) sum[i] += z[i];
    const double a = z[0] - 0.9, b = z[1] + 0.3;  // the means: 0.6 and -0.2 times 1.5
    squares[0] += a * a, squares[1] += b * b, squares[2] += a * b;
  }
  // Five standard errors: a false alarm in a million of these five.
  const double variance[] = {1 - 0.36, 1 - 0.04}, covariance = 0.5 + 0.12;
  EXPECT_NEAR(sum[0] / draws, 0.9, 5 * std::sqrt(variance[0] / draws));
  EXPECT_NEAR(sum[1] / draws, -0.3, 5 * std::sqrt(variance[1] / draws));
  for (const int i : {0, 1})
    EXPECT_NEAR(squares[i] / draws, variance[i], 5 * variance[i] * std::sqrt(2.0 / draws));
  EXPECT_NEAR(squares[2] / draws, covariance,
              5 * std::sqrt((variance[0] * variance[1] + covariance * covariance) / draws));
  // Nothing given changes nothing, all given leaves nothing random.
  double z[] = {0.1, 0.2, 0.3};
  copula.condition({false, false, false}, known, z);
  EXPECT_THAT(z, testing::ElementsAre(0.1, 0.2, 0.3));
  const double all[] = {-1, 0.5, 2};
  copula.condition({true, true, true}, all, z);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(z[i], all[i], 1e-12);
}

}  // namespace
}  // namespace tumble
