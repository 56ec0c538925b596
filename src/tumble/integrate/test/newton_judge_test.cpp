#include "tumble/integrate/step/newton_judge.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tumble/math/batch.hpp"

namespace tumble {
namespace {

using Tuning = NewtonTuning;

constexpr double tolerance = 1e-8, rounding = 1e-14;
constexpr NewtonAgenda nothing_due{false, 0.0, Tuning::outdated};
constexpr NewtonAgenda measuring{true, 0.0, Tuning::outdated};

/// How a step went whose increments were these, with accelerations of size one.
struct Step {
  int iterations = 0;
  bool converged = false, stuck = false;
  int factors = 0;
};

/// Increments shrink by `rate` from `first` on; a factor of the step's own makes it `own_rate`.
Step take_step(FactorRecord<double>& factor, double first, double rate, double own_rate,
               const NewtonAgenda& agenda = nothing_due) {
  NewtonJudge<double> judge(factor, agenda, tolerance, rounding, true);
  Step step;
  double change = first;
  for (int iteration = 1; iteration <= 30 && judge.active(); ++iteration) {
    if (judge.without_factor()) {
      judge.factored(true);
      rate = own_rate;
      ++step.factors;
    }
    judge.look(iteration, change, 1.0);
    step.iterations = iteration;
    change *= rate;
  }
  step.converged = !judge.active() && !judge.stuck();
  step.stuck = judge.stuck();
  return step;
}

TEST(NewtonAgenda, MeasuresEveryEighthStepAndRenewsEveryTwelfth) {
  int measured = 0, fully = 0, renewed = 0;
  for (long step = 0; step < 96; ++step) {
    const NewtonAgenda agenda = newton_agenda(step, 12);
    measured += agenda.measuring;
    fully += agenda.measuring && agenda.margin == 0;
    renewed += agenda.outdated == Tuning::outdated_at_renewal;
  }
  EXPECT_EQ(measured, 96 / 8);
  EXPECT_EQ(fully, 96 / 32);
  EXPECT_EQ(renewed, 96 / 12);
  EXPECT_TRUE(newton_agenda(0, 12).measuring);
  EXPECT_EQ(newton_agenda(11, 12).outdated, Tuning::outdated_at_renewal);
}

// The number of the step alone decides, so that lanes make their factors in the same step.
TEST(NewtonAgenda, RenewsTurnedFactorsEveryThirdStep) {
  int renewed = 0;
  for (long step = 0; step < 96; ++step) {
    const bool given_up = newton_agenda(step, 12).outdated_if_turned == Tuning::outdated_at_renewal;
    renewed += given_up;
    // Those that have turned follow in the step that begins with new ones.
    EXPECT_EQ(turned_factors_are_due(step + 1), given_up);
  }
  EXPECT_EQ(renewed, 96 / 3);
  EXPECT_EQ(newton_agenda(1, 12).outdated_if_turned, 1);
  // Where few iterations are allowed a new factor comes early enough to serve.
  EXPECT_EQ(newton_agenda(1, 12).patience_if_turned, 9);
  EXPECT_EQ(newton_agenda(1, 8).patience_if_turned, 5);
  EXPECT_EQ(newton_agenda(1, 2).patience_if_turned, Tuning::patience);
}

TEST(NewtonJudge, WantsAFactorFirstAndKeepsOneThatConverges) {
  FactorRecord<double> factor;
  EXPECT_EQ(take_step(factor, 1e-3, 0.01, 0.01).factors, 1);
  for (int i = 0; i < 5; ++i) {
    const Step next = take_step(factor, 1e-3, 0.01, 0.01);
    EXPECT_TRUE(next.converged);
    EXPECT_EQ(next.factors, 0);
  }
  EXPECT_EQ(factor.age, 6);
}

// With increments δ rⁱ what is left after iteration i is δ rⁱ/(1 - r): the step must end where that
// is allowed, and not before.
TEST(NewtonJudge, EndsWhereWhatIsLeftIsAllowed) {
  for (const double rate : {0.2, 0.1, 0.03, 1e-3}) {
    FactorRecord<double> factor;
    take_step(factor, 1e-2, rate, rate);
    const Step step = take_step(factor, 1e-2, rate, rate, measuring);
    EXPECT_TRUE(step.converged);
    const auto left = [&](int i) { return 1e-2 * std::pow(rate, i) / (1 - rate); };
    EXPECT_LE(left(step.iterations), tolerance * (1 + 1e-9)) << rate;
    if (step.iterations > 2) {
      EXPECT_GT(left(step.iterations - 1), tolerance) << rate;
    }
  }
}

TEST(NewtonJudge, TrustsARateMeasuredBeforeUnlessItIsToMeasure) {
  FactorRecord<double> factor;
  take_step(factor, 1e-3, 1e-4, 1e-4);
  take_step(factor, 1e-3, 1e-4, 1e-4);
  EXPECT_NEAR(factor.contraction, 1e-4, 1e-12);
  EXPECT_EQ(take_step(factor, 1e-6, 1e-4, 1e-4).iterations, 1);
  EXPECT_EQ(take_step(factor, 1e-6, 1e-4, 1e-4, measuring).iterations, 2);
  // Where far less is left than allowed, measuring may wait.
  const NewtonAgenda relaxed{true, Tuning::ample, Tuning::outdated};
  EXPECT_EQ(take_step(factor, 1e-6, 1e-4, 1e-4, relaxed).iterations, 1);
}

// A rate grows with the age of the factor: what one step after its making shrinks by a hundred is
// not trusted to do so ten steps later.
TEST(NewtonJudge, ExpectsAnOldFactorToBePoorer) {
  FactorRecord<double> factor{true, 1e-2, 10, 1};
  NewtonJudge<double> judge(factor, nothing_due, tolerance, rounding, true);
  judge.look(1, 5e-7, 1.0);  // at 1e-2 only 5e-9 were left, at ten times that 5.6e-8
  EXPECT_TRUE(judge.active());
}

/// Whether a factor is still wanted after each of the increments.
std::vector<bool> kept_over(FactorRecord<double> factor, bool own, std::vector<double> changes) {
  NewtonJudge<double> judge(factor, nothing_due, tolerance, rounding, true);
  if (own) judge.factored(true);
  std::vector<bool> kept;
  for (const double change : changes) {
    judge.look(static_cast<int>(kept.size()) + 1, change, 1.0);
    kept.push_back(!judge.without_factor());
  }
  return kept;
}

TEST(NewtonJudge, GivesUpAFactorThatGainsTooLittle) {
  const FactorRecord<double> old{true, 0.1, 3, 3};
  EXPECT_EQ(kept_over(old, false, {1, 0.3}), (std::vector<bool>{true, false}));
  // At 0.2 it gains enough to go on, but not for more than four iterations.
  EXPECT_EQ(kept_over(old, false, {1, 0.2, 0.04, 0.008}),
            (std::vector<bool>{true, true, true, false}));
  // A factor of this step's own may be slower, and is given longer.
  EXPECT_EQ(kept_over(old, true, {1, 0.4, 0.16, 0.064, 0.0256}), std::vector<bool>(5, true));
  EXPECT_EQ(kept_over(old, true, {1, 0.6}), (std::vector<bool>{true, false}));
}

// One that turns with beams may be slower, and is given longer.
TEST(NewtonJudge, GivesATurnedFactorMoreTime) {
  const auto kept = [](bool turned, double rate) {
    FactorRecord<double> factor{true, 0.1, 3, 3, turned};
    const NewtonAgenda agenda{false, 0.0, Tuning::outdated, 1, 9};
    NewtonJudge<double> judge(factor, agenda, tolerance, rounding, true);
    judge.turn_factors(turned);
    int iterations = 0;
    for (double change = 1; judge.active() && !judge.without_factor(); change *= rate)
      judge.look(++iterations, change, 1.0);
    return iterations;
  };
  EXPECT_EQ(kept(false, 0.4), 2);
  EXPECT_EQ(kept(true, 0.4), 9);
  EXPECT_EQ(kept(true, 0.6), 2);
  EXPECT_EQ(kept(false, 0.2), 4);
}

TEST(NewtonJudge, RetiresATurnedFactorByItsOwnMeasure) {
  const NewtonAgenda agenda{false, 0.0, Tuning::outdated, Tuning::outdated_at_renewal, 9};
  for (const bool turned : {false, true}) {
    FactorRecord<double> factor{true, 0.05, 3, 3, turned};
    NewtonJudge<double> judge(factor, agenda, tolerance, rounding, true);
    judge.turn_factors(turned);
    judge.look(1, 1e-9, 1.0);
    EXPECT_FALSE(judge.active());
    EXPECT_EQ(factor.valid, !turned);
  }
}

// A rate that was measured while the factor turned says nothing of it where it stays.
TEST(NewtonJudge, ForgetsARateMeasuredTheOtherWay) {
  for (const bool turned : {false, true})
    for (const bool turning : {false, true}) {
      FactorRecord<double> factor{true, 1e-6, 1, 1, turned};
      NewtonJudge<double> judge(factor, nothing_due, tolerance, rounding, true);
      judge.turn_factors(turning);
      EXPECT_EQ(factor.turned, turning);
      judge.look(1, 1e-6, 1.0);  // of which 1e-12 were left at the rate known before
      EXPECT_EQ(judge.active(), turned != turning);
    }
  // Who does not take part keeps what is known.
  FactorRecord<double> factor{true, 1e-6, 1, 1, true};
  NewtonJudge<double> bystander(factor, nothing_due, tolerance, rounding, false);
  bystander.turn_factors(false);
  EXPECT_TRUE(factor.turned);
  EXPECT_EQ(factor.contraction, 1e-6);
}

TEST(NewtonJudge, RetiresAFactorThatConvergedPoorly) {
  FactorRecord<double> factor{true, 0.3, 3, 3};
  take_step(factor, 1e-9, 0.1, 0.1);
  EXPECT_FALSE(factor.valid);
  factor = {true, 0.05, 3, 3};
  take_step(factor, 1e-9, 0.05, 0.1);
  EXPECT_TRUE(factor.valid);
  take_step(factor, 1e-9, 0.05, 0.1, {false, 0.0, Tuning::outdated_at_renewal});
  EXPECT_FALSE(factor.valid);
}

TEST(NewtonJudge, IsStuckWhereItsOwnFactorDiverges) {
  FactorRecord<double> factor;
  const Step step = take_step(factor, 1e-2, 2.0, 2.0);
  EXPECT_TRUE(step.stuck);
  EXPECT_FALSE(step.converged);
  EXPECT_EQ(step.iterations, 4);
}

/// The record of a factor after a step with these increments.
FactorRecord<double> record_after(std::vector<double> changes) {
  FactorRecord<double> factor{true, 0.01, 1, 1};
  NewtonJudge<double> judge(factor, measuring, 1e-20, rounding, true);
  int iteration = 0;
  for (const double change : changes) judge.look(++iteration, change, 1.0);
  return factor;
}

TEST(NewtonJudge, RemembersTheLargestRatioOfAStep) {
  EXPECT_NEAR(record_after({1, 0.1, 1e-4}).contraction, 0.1, 1e-15);
}

// Near the rounding of positions ratios say nothing of the factor.
TEST(NewtonJudge, LearnsNothingFromRounding) {
  EXPECT_EQ(record_after({5 * rounding, 4 * rounding}).contraction, 0.01);
  EXPECT_NEAR(record_after({20 * rounding, 4 * rounding}).contraction, 0.2, 1e-12);
  // What vanished shows no rate above the known one.
  EXPECT_EQ(record_after({100 * rounding, 1.5 * rounding}).contraction, 0.01);
}

TEST(NewtonJudge, EndsWhereRoundingLetsItGainNoMore) {
  FactorRecord<double> factor{true, 0.01, 1, 1};
  NewtonJudge<double> judge(factor, nothing_due, 1e-16, rounding, true);
  int iteration = 0;
  for (const double change : {1e-6, 1e-9, 4e-13}) judge.look(++iteration, change, 1.0);
  EXPECT_TRUE(judge.active());
  judge.look(++iteration, 3e-13, 1.0);
  EXPECT_FALSE(judge.active());
  EXPECT_FALSE(judge.stuck());
}

TEST(NewtonJudge, AllowsRoundingAndNoMoreWhereNothingAccelerates) {
  for (const double asked : {1e-8, 1e-6}) {
    FactorRecord<double> factor{true, 1, 0, 0};
    NewtonJudge<double> judge(factor, nothing_due, asked, rounding, true);
    judge.look(1, 50 * rounding, 0.0);
    EXPECT_TRUE(judge.active());
    judge.look(2, 0.9 * rounding, 0.0);
    EXPECT_FALSE(judge.active());
  }
}

// Lanes decide alone: each ends with the record it would have had by itself.
TEST(NewtonJudge, JudgesLanesAsItJudgesEachAlone) {
  const std::vector<double> rates{0.05, 0.4, 1.5, 1e-5};
  const auto iterate = [](auto& judge, auto change, auto rate) {
    for (int i = 1; i <= 20 && any(judge.active()); ++i) {
      if (const auto wanting = judge.without_factor(); any(wanting)) judge.factored(wanting);
      judge.look(i, change, decltype(change)(1.0));
      change = change * rate;
    }
  };
  FactorRecord<Batch<4>> lanes;
  lanes.valid = Batch<4>(0.0) < Batch<4>(1.0);
  lanes.age = lanes.measured_age = Batch<4>(2.0);
  lanes.contraction = Batch<4>(0.1);
  Batch<4> rate(0.0);
  for (int lane = 0; lane < 4; ++lane) rate.set_lane(lane, rates[static_cast<std::size_t>(lane)]);
  NewtonJudge<Batch<4>> judge(lanes, measuring, tolerance, Batch<4>(rounding),
                              Batch<4>(0.0) < Batch<4>(1.0));
  iterate(judge, Batch<4>(1e-2), rate);
  const Batch<4> stuck = select(judge.stuck(), Batch<4>(1.0), Batch<4>(0.0));
  const Batch<4> valid = select(lanes.valid, Batch<4>(1.0), Batch<4>(0.0));
  for (int lane = 0; lane < 4; ++lane) {
    FactorRecord<double> alone{true, 0.1, 2, 2};
    NewtonJudge<double> own(alone, measuring, tolerance, rounding, true);
    iterate(own, 1e-2, rates[static_cast<std::size_t>(lane)]);
    EXPECT_EQ(lanes.contraction.lane(lane), alone.contraction) << lane;
    EXPECT_EQ(lanes.age.lane(lane), alone.age) << lane;
    EXPECT_EQ(lanes.measured_age.lane(lane), alone.measured_age) << lane;
    EXPECT_EQ(stuck.lane(lane) > 0, own.stuck()) << lane;
    if (!own.stuck()) {  // nobody uses the factor of a lane that failed
      EXPECT_EQ(valid.lane(lane) > 0, alone.valid) << lane;
    }
  }
}

}  // namespace
}  // namespace tumble
