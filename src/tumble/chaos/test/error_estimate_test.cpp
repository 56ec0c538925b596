// Estimates of errors, from coefficients and residuals that are written down here.
#include "tumble/chaos/error/error_estimate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tumble/chaos/error/validation.hpp"

namespace tumble {
namespace {

/// Two normal germs, degrees up to (2, 1); coefficients by term in the order of the set, which is
/// that of total degrees, one column per output.
Expansion expansion_of(const std::vector<std::pair<std::vector<int>, std::vector<double>>>& rows) {
  const std::vector<int> degrees{2, 1};
  const MultiIndexSet terms = MultiIndexSet::tensor(degrees);
  DenseMatrix coefficients(terms.size(), rows.front().second.size());
  for (const auto& [index, values] : rows) {
    const std::vector<MultiIndexSet::Degree> degree(index.begin(), index.end());
    const std::size_t term = terms.find(degree);
    EXPECT_LT(term, terms.size());
    for (std::size_t o = 0; o < values.size(); ++o) coefficients(term, o) = values[o];
  }
  return {PolynomialBasis({hermite_polynomials(2), hermite_polynomials(1)}, terms), coefficients};
}

// Terms that reach the highest degree of some germ, and those that are one degree below it.
TEST(ShellErrors, AreThoseOfTheLastTwoDegrees) {
  const Expansion e = expansion_of({{{0, 0}, {9, 9, 9}},
                                    {{1, 0}, {3, 12, 0}},  // one below 2, and one below 1
                                    {{0, 1}, {4, 3, 0}},
                                    {{2, 0}, {12, 0, 0}},
                                    {{1, 1}, {0, 4, 0}},
                                    {{2, 1}, {0, 0, 0}}});
  const ChaosErrors errors = shell_errors(e, std::vector{2, 1});
  ASSERT_EQ(errors.mean.size(), 3u);
  // 4² + 12² = 160 against 3² = 9, of a variance of 169; and 12² = 144 against 3² + 4².
  EXPECT_DOUBLE_EQ(errors.mean[0], std::sqrt(160.0));
  EXPECT_DOUBLE_EQ(errors.std[0], std::sqrt(169.0 + 160.0) - 13);
  EXPECT_DOUBLE_EQ(errors.relative[0], 160.0 / 169);
  EXPECT_DOUBLE_EQ(errors.mean[1], 12);
  EXPECT_DOUBLE_EQ(errors.std[1], std::sqrt(169.0 + 144.0) - 13);
  EXPECT_DOUBLE_EQ(errors.relative[1], 144.0 / 169);
  for (const auto* list : {&errors.mean, &errors.std, &errors.relative}) EXPECT_EQ((*list)[2], 0);
  EXPECT_FALSE(errors.measured);
  // A germ of degree 0 has no shell: terms of the other one alone count.
  EXPECT_DOUBLE_EQ(shell_errors(e, std::vector{2, 0}).mean[0], 12);
}

TEST(LevelErrors, AreDifferencesToTheLowerLevel) {
  const Expansion e = expansion_of({{{0, 0}, {9, 7}}, {{1, 0}, {3, 0}}, {{0, 1}, {4, 0}}});
  DenseMatrix lower = e.coefficients();
  lower(0, 0) = 8.5;
  for (std::size_t term = 1; term < lower.rows(); ++term) lower(term, 0) *= 0.6;
  lower(lower.rows() - 1, 0) = 4;  // a term that the finer level has found to be none
  const ChaosErrors errors = level_errors(e, lower);
  // Standard deviations of 5 and of sqrt(3² + 4²): 0.6 of it beside the 4.
  EXPECT_DOUBLE_EQ(errors.mean[0], 0.5);
  EXPECT_NEAR(errors.std[0], 0, 1e-15);
  EXPECT_DOUBLE_EQ(errors.relative[0], (0.25 + 0.16 * 25 + 16) / 25);
  lower(lower.rows() - 1, 0) = 0;
  EXPECT_DOUBLE_EQ(level_errors(e, lower).std[0], 2);
  for (const auto* list : {&errors.mean, &errors.std, &errors.relative}) EXPECT_EQ((*list)[1], 0);
}

// Four runs with a variance of 5, of which a tenth is not described: s² = 0.5.
TEST(RegressionErrors, AreThoseOfTheNoiseLeft) {
  const Expansion e = expansion_of({{{0, 0}, {3, 3}}, {{1, 0}, {1.5, 0}}});
  DenseMatrix values(4, 2);
  const double runs[] = {0, 2, 4, 6};
  for (std::size_t i = 0; i < 4; ++i) values(i, 0) = runs[i], values(i, 1) = 3;
  const ChaosErrors errors = regression_errors(e, {0.1, 0}, values);
  EXPECT_NEAR(errors.mean[0], std::sqrt(0.5 / 4), 1e-15);
  EXPECT_NEAR(errors.std[0], std::sqrt(0.5 / 4) + std::sqrt(1.5 * 1.5 + 0.5) - 1.5, 1e-15);
  EXPECT_EQ(errors.relative[0], 0.1);
  EXPECT_EQ(errors.mean[1], 0);
  EXPECT_EQ(errors.std[1], 0);
}

/// Sixteen points of one germ in eight pairs, all of the same weight.
ValidationPoints eight_pairs() {
  ValidationPoints points{DenseMatrix(16, 1), DenseMatrix(16, 1), std::vector<double>(16, 1.0)};
  for (std::size_t i = 0; i < 16; ++i) {
    const auto pair = static_cast<double>(i / 2);
    points.places(i, 0) = (pair + 0.5) / 8 + (i % 2 == 0 ? -1e-3 : 1e-3);
    points.germs(i, 0) = 2 * points.places(i, 0) - 1;
  }
  return points;
}

// The polynomial is the constant 3. Where the model is larger by 0.5 everywhere, that is the error
// of the mean and there is no other; where its residuals are ±d in each pair, the mean has the
// standard error of the differences, with Student's quantile 2.306004 of 8 degrees of freedom.
TEST(Validation, MeasuresWhatTheMeanIsWrongBy) {
  const Expansion e(PolynomialBasis({legendre_polynomials(1)}, MultiIndexSet::total_degree(1, 0)),
                    [] {
                      DenseMatrix c(1, 3);
                      for (std::size_t o = 0; o < 3; ++o) c(0, o) = 3;
                      return c;
                    }());
  constexpr double d = 0.2;
  DenseMatrix values(16, 3);
  for (std::size_t i = 0; i < 16; ++i) {
    const double r = i % 2 == 0 ? d : -d;
    values(i, 0) = 3 + 0.5;
    values(i, 1) = 3 + r;
    values(i, 2) = 3 - 0.5 + r;
  }
  const Validation validation(e, eight_pairs(), values, {}, 0.95);
  const ChaosErrors errors = validation.errors();
  EXPECT_TRUE(errors.measured);
  EXPECT_NEAR(errors.mean[0], 0.5, 1e-14);
  const double half_width = 2.306004 * std::sqrt(8.0) * 2 * d / 16;
  EXPECT_NEAR(errors.mean[1], half_width, 1e-4 * half_width);
  EXPECT_NEAR(errors.mean[2], 0.5 + half_width, 1e-4 * half_width);
  // All of the model's variance, d², is missing. The lower end of the deviation is sure; the upper
  // one allows for a point not met that weighs as much as the heaviest, d²/16, at 1.96 of it.
  const double above = std::sqrt(d * d + 1.959964 * d * d / 16);
  EXPECT_NEAR(errors.std[1], above, 1e-6);
  EXPECT_NEAR(errors.relative[1], 1, 1e-12);
  EXPECT_NEAR(errors.relative_lower[1], 1, 1e-12);
  EXPECT_NEAR(errors.relative_upper[1], std::exp(1.959964 / 16), 1e-6);
}

// A constant that the polynomial has and the model has not changes nothing of its deviation.
TEST(Validation, MeasuresWhatTheDeviationIsWrongBy) {
  DenseMatrix coefficients(2, 1);
  coefficients(0, 0) = 1;
  coefficients(1, 0) = 2;
  const Expansion e(PolynomialBasis({legendre_polynomials(1)}, MultiIndexSet::total_degree(1, 1)),
                    coefficients);
  const ValidationPoints points = eight_pairs();
  DenseMatrix values(16, 1);
  for (std::size_t i = 0; i < 16; ++i) {
    double p[1];
    e.evaluate(points.germs.row(i), p);
    values(i, 0) = p[0] - 0.7;
  }
  const ChaosErrors errors = Validation(e, points, values, {}, 0.95).errors();
  EXPECT_NEAR(errors.mean[0], 0.7, 1e-12);
  // Pairs of places 2e-3 apart differ in p by 2 √3 2 · 2e-3: all that the interval is made of,
  // but for the point not met.
  const double unseen = 0.49 / 16;
  const double most = std::sqrt(4 + 3.2 * std::hypot(unseen, 0.7 * 2 * 0.014 / 2)) - 2;
  EXPECT_GT(errors.std[0], std::sqrt(4 + 1.9 * unseen) - 2);
  EXPECT_LT(errors.std[0], most);
}

}  // namespace
}  // namespace tumble
