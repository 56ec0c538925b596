// Scalars of a run against what is known of a harmonic oscillator.
#include "tumble/study/run_quantities.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>

namespace tumble::run_quantities_test {

using std::numbers::pi;

QuantityOfInterest quantity(QuantityKind kind, std::size_t first, std::size_t last,
                            std::size_t component = 0) {
  QuantityOfInterest q;
  q.kind = kind;
  q.first = first;
  q.last = last;
  q.formula.add_component(component);
  return q;
}

/// Two numbers at each of 201 times up to 10: e^(-t/10) sin(2 t), and a step from 1 to 3 at t = 4
/// of which the left limit was recorded.
class RunQuantities : public testing::Test {
 protected:
  static constexpr std::size_t last = 200;
  RunQuantities() {
    for (std::size_t i = 0; i <= last; ++i) {
      const double t = 0.05 * static_cast<double>(i);
      times.push_back(t);
      rows.push_back(std::exp(-0.1 * t) * std::sin(2 * t));
      rows.push_back(i <= 80 ? 1.0 : 3.0);
    }
  }
  QuantityValue value(const QuantityOfInterest& q, std::size_t valid = last + 1,
                      const std::vector<double>& breaks = {}) {
    QuantityEvaluator evaluator({&q, 1}, times, 2);
    return evaluator.evaluate(rows.data(), valid, breaks, {}, {})[0];
  }
  std::vector<double> times, rows;
};

TEST_F(RunQuantities, ExtremesOfADampedSine) {
  // Extremes where tan(2 t) = 20, that is at t0 + k pi / 2.
  const double t0 = std::atan(20.0) / 2, at_t0 = std::exp(-0.1 * t0) * std::sin(2 * t0);
  const double t1 = t0 + pi / 2, at_t1 = std::exp(-0.1 * t1) * std::sin(2 * t1);
  // A parabola is wrong by x''' / 6 s (h^2 - s^2), with x''' up to 1.6 half an output from a peak.
  const auto near = [](const QuantityValue& found, double expected, double tolerance) {
    EXPECT_NEAR(found.value, expected, tolerance);
    EXPECT_LE(std::abs(found.value - expected), found.output_error);
    EXPECT_LT(found.output_error, 100 * tolerance);
  };
  near(value(quantity(QuantityKind::peak, 0, last)), at_t0, 1.2e-5);
  near(value(quantity(QuantityKind::time_of_peak, 0, last)), t0, 2e-4);
  near(value(quantity(QuantityKind::minimum, 0, last)), at_t1, 1.2e-5);
  near(value(quantity(QuantityKind::time_of_minimum, 0, last)), t1, 2e-4);
  near(value(quantity(QuantityKind::range, 0, last)), at_t0 - at_t1, 2.4e-5);
  near(value(quantity(QuantityKind::absolute_peak, 0, last)), at_t0, 1.2e-5);
  // In a window that begins behind the first peak, the trough is farthest from zero.
  near(value(quantity(QuantityKind::absolute_peak, 30, last)), -at_t1, 1.2e-5);
  near(value(quantity(QuantityKind::time_of_absolute_peak, 30, last)), t1, 2e-4);
}

TEST_F(RunQuantities, MeansAndFinalValue) {
  // Integrals of e^(-t/5) sin^2(2 t) and e^(-t/10) sin(2 t) over [0, 10].
  const double c = 0.2, e = std::exp(-2.0);
  const double square =
      0.5 * (1 - e) / c - 0.5 * (c - e * (c * std::cos(40.0) - 4 * std::sin(40.0))) / (c * c + 16);
  const double d = 0.1, f = std::exp(-1.0);
  const double plain = (2 - f * (d * std::sin(20.0) + 2 * std::cos(20.0))) / (d * d + 4);
  const QuantityValue rms = value(quantity(QuantityKind::rms, 0, last));
  EXPECT_NEAR(rms.value, std::sqrt(square / 10), 1e-4);
  EXPECT_LE(std::abs(rms.value - std::sqrt(square / 10)), rms.output_error);
  const QuantityValue mean = value(quantity(QuantityKind::mean, 0, last));
  EXPECT_NEAR(mean.value, plain / 10, 1e-4);
  EXPECT_LE(std::abs(mean.value - plain / 10), mean.output_error);
  const QuantityValue final_value = value(quantity(QuantityKind::final_value, 0, 100));
  EXPECT_DOUBLE_EQ(final_value.value, std::exp(-0.5) * std::sin(10.0));
  EXPECT_EQ(final_value.output_error, 0);
}

TEST_F(RunQuantities, Crossings) {
  QuantityOfInterest q = quantity(QuantityKind::first_crossing, 0, last);
  q.level = 0;
  q.direction = CrossingDirection::down;
  EXPECT_NEAR(value(q).value, pi / 2, 1e-6);
  q.direction = CrossingDirection::up;
  EXPECT_NEAR(value(q).value, pi, 1e-6);  // it begins at the level, not below
  q.direction = CrossingDirection::either;
  EXPECT_NEAR(value(q).value, pi / 2, 1e-6);
  q.level = 0.99;  // the peak is 0.92
  EXPECT_TRUE(std::isinf(value(q).value));
  EXPECT_EQ(value(q).output_error, 0);
  q.level = -0.5;
  q.direction = CrossingDirection::up;
  q.last = 40;  // it has gone down by then, and not come back
  EXPECT_TRUE(std::isinf(value(q).value));
}

TEST_F(RunQuantities, StepsAreNotSmoothedOver) {
  QuantityOfInterest q = quantity(QuantityKind::first_crossing, 0, last, 1);
  q.level = 2;
  // At the jump, not on the straight line between the outputs on either side.
  EXPECT_DOUBLE_EQ(value(q, last + 1, {4.0}).value, 4);
  EXPECT_EQ(value(quantity(QuantityKind::peak, 0, last, 1), last + 1, {4.0}).value, 3);
  EXPECT_NEAR(value(quantity(QuantityKind::mean, 0, last, 1), last + 1, {4.0}).value, 2.2, 1e-12);
  // Who does not know of the jump says how little is known.
  EXPECT_GT(value(quantity(QuantityKind::mean, 0, last, 1)).output_error, 0);
}

TEST_F(RunQuantities, RunsThatEndedEarlyCountIfTheirWindowIsOver) {
  EXPECT_FALSE(std::isnan(value(quantity(QuantityKind::peak, 0, 100), 101).value));
  EXPECT_TRUE(std::isnan(value(quantity(QuantityKind::peak, 0, 100), 100).value));
}

TEST_F(RunQuantities, AnExpressionWithoutAValueGivesNone) {
  QuantityOfInterest q = quantity(QuantityKind::peak, 0, last);
  q.formula.add_call(formula_functions().at("sqrt").call, 1);
  EXPECT_TRUE(std::isnan(value(q).value));
  EXPECT_TRUE(std::isinf(value(q).output_error));
}

/// Of each run the last value of its first number; none below zero, and an error at -2.
struct LastValue : UserQuantity {
  void try_out(const UserRuns& nominal) const override { tried = nominal.values.back(); }
  void evaluate(const UserRuns& runs, std::span<double> values) const override {
    blocks.push_back(runs.count);
    const std::size_t row = runs.times.size() * runs.numbers;
    for (std::size_t i = 0; i < runs.count; ++i) {
      const double x = runs.values[(i + 1) * row - runs.numbers];
      if (x == -2) throw NoAnswer("of no use");
      values[i] = x < 0 ? std::nan("") : x;
    }
  }
  mutable std::vector<std::size_t> blocks;
  mutable double tried = 0;
};

TEST(UserQuantities, AreAskedForWholeRunsTogether) {
  std::vector<QuantityOfInterest> all{quantity(QuantityKind::final_value, 0, 1), {}};
  const auto last = std::make_shared<LastValue>();
  all[1].function = last;
  QuantityEvaluator evaluator(all, {0.0, 1.0}, 2);
  const auto row = [](double x) { return std::vector<double>{0, 0, x, 7}; };
  for (int again = 0; again < 2; ++again) {
    last->blocks.clear();
    std::vector<QuantityValue> found;
    for (const double x : {3.0, 4.0, -1.0, 5.0}) {
      const auto values = row(x);
      const std::size_t valid = x == 4 ? 1 : 2;  // one ended early
      for (const QuantityValue& v : evaluator.add(values.data(), valid, {}, {}, {}))
        found.push_back(v);
    }
    evaluator.finish(found);
    EXPECT_EQ(last->blocks, std::vector<std::size_t>{3});
    EXPECT_EQ(found[0].value, 3);  // the formula
    EXPECT_EQ(found[1].value, 3);
    EXPECT_TRUE(std::isnan(found[1].output_error));  // is not known
    EXPECT_TRUE(std::isnan(found[3].value) && std::isnan(found[3].output_error));
    EXPECT_TRUE(std::isnan(found[5].value) && std::isinf(found[5].output_error));
    EXPECT_EQ(found[7].value, 5);
  }
}

TEST(UserQuantities, OneRunWithoutAnAnswerLeavesTheOthersTheirs) {
  QuantityOfInterest q;
  const auto last = std::make_shared<LastValue>();
  q.function = last;
  QuantityEvaluator evaluator({&q, 1}, {0.0}, 1);
  std::vector<QuantityValue> found;
  for (const double x : {1.0, -2.0, 3.0}) found.push_back(evaluator.add(&x, 1, {}, {}, {})[0]);
  evaluator.finish(found);
  EXPECT_EQ(last->blocks, (std::vector<std::size_t>{3, 1, 1, 1}));
  EXPECT_EQ(found[0].value, 1);
  EXPECT_TRUE(std::isnan(found[1].value) && std::isinf(found[1].output_error));
  EXPECT_EQ(found[2].value, 3);
  // By itself, as for the nominal run.
  const double one = 4, none = -2;
  EXPECT_EQ(evaluator.evaluate(&one, 1, {}, {}, {})[0].value, 4);
  EXPECT_TRUE(std::isnan(evaluator.evaluate(&none, 1, {}, {}, {})[0].value));
  EXPECT_TRUE(std::isnan(evaluator.evaluate(&one, 0, {}, {}, {})[0].value));
}

TEST(UserQuantities, AreTriedOutWithTheNominalRun) {
  QuantityOfInterest q;
  const auto last = std::make_shared<LastValue>();
  q.function = last;
  Trajectory nominal;
  nominal.times = {0.0, 1.0};
  ProbeSeries series;
  series.size = 1;
  series.values = {1.0, 2.5};
  nominal.series.push_back(series);
  try_out_functions(nominal, {&q, 1});
  EXPECT_EQ(last->tried, 2.5);
}

}  // namespace tumble::run_quantities_test
