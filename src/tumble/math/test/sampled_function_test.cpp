#include "tumble/math/sampled_function.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace tumble::sampled_function_test {

using std::numbers::pi;

template <class F>
SampledFunction sampled(const F& f, double from, double to, std::size_t intervals) {
  SampledFunction x;
  for (std::size_t i = 0; i <= intervals; ++i) {
    x.time.push_back(from + (to - from) * static_cast<double>(i) / static_cast<double>(intervals));
    x.value.push_back(f(x.time.back()));
  }
  x.rough.assign(intervals, 0);
  return x;
}

TEST(SampledFunction, ParabolaIsFoundExactlyOnAnUnevenGrid) {
  SampledFunction x{{0, 0.3, 0.4, 1.1, 1.2}, {}, {0, 0, 0, 0}};
  for (const double t : x.time) x.value.push_back(2 - 3 * (t - 0.47) * (t - 0.47));
  EXPECT_NEAR(highest(x).value, 2, 1e-14);
  EXPECT_NEAR(highest(x).time, 0.47, 1e-14);
}

TEST(SampledFunction, PeakOfASineConvergesWithFourthOrder) {
  // sin(t) about its peak at pi / 2, which is no sample.
  const auto error = [](std::size_t intervals) {
    const SampledFunction x = sampled([](double t) { return std::sin(t); }, 0.1, 2.9, intervals);
    return std::abs(highest(x).value - 1);
  };
  EXPECT_LT(error(20), 2e-5);  // the largest sample is wrong by up to h^2 / 8 = 2.5e-3
  EXPECT_LT(error(320), 2e-5 / 65536 * 4);
  const SampledFunction x = sampled([](double t) { return std::sin(t); }, 0.1, 2.9, 40);
  EXPECT_NEAR(highest(x).time, pi / 2, 1e-4);
}

TEST(SampledFunction, PeakAtAnEndIsTheSampleThere) {
  const SampledFunction rising = sampled([](double t) { return t * t; }, 0, 1, 10);
  EXPECT_EQ(highest(rising).value, 1);
  EXPECT_EQ(highest(rising).time, 1);
  const SampledFunction constant = sampled([](double) { return 3.0; }, 0, 1, 10);
  EXPECT_EQ(highest(constant).value, 3);
  EXPECT_EQ(highest(constant).time, 0);
}

TEST(SampledFunction, NoParabolaGoesOverAJump) {
  SampledFunction x{{0, 1, 2, 3}, {0, 0.9, 1, -5}, {0, 0, 1}};
  EXPECT_EQ(highest(x).value, 1);
  EXPECT_EQ(highest(x).time, 2);
  x.rough[2] = 0;
  EXPECT_GT(highest(x).value, 1);
}

TEST(SampledFunction, CrossingOfASineConvergesWithFourthOrder) {
  const double level = 0.37, expected = std::asin(level);
  const auto error = [&](std::size_t intervals) {
    const SampledFunction x = sampled([](double t) { return std::sin(t); }, -1.0, 4.0, intervals);
    return std::abs(first_rise(x, level).value() - expected);
  };
  // The cubic is wrong by at most 9/16 h^4 / 24 in the middle, the slope there is cos(expected).
  const double h = 0.25, bound = 9.0 / 16 * std::pow(h, 4) / 24 / std::cos(expected);
  EXPECT_LT(error(20), bound);
  EXPECT_LT(error(320), bound / 65536);
}

TEST(SampledFunction, CrossingBesideAJumpIsOnTheStraightLine) {
  const SampledFunction x{{0, 1, 2, 3}, {0, 0, 4, 4}, {0, 1, 0}};
  EXPECT_DOUBLE_EQ(first_rise(x, 1).value(), 1.25);
}

TEST(SampledFunction, CrossingWantsToComeFromBelow) {
  const auto wave = [](double t) { return std::cos(t); };
  const SampledFunction x = sampled(wave, 0, 7, 700);  // begins at 1
  EXPECT_NEAR(first_rise(x, 0.5).value(), 2 * pi - pi / 3, 1e-7);
  EXPECT_FALSE(first_rise(x, 1.5));
  EXPECT_FALSE(first_rise(sampled(wave, 0, 5, 500), 0.5));
  // To the level itself is enough.
  EXPECT_EQ(first_rise(SampledFunction{{0, 1, 2}, {0, 1, 0}, {0, 0}}, 1.0).value(), 1);
}

TEST(SampledFunction, WhatIsBelowTheHighestIsCrossed) {
  // Also between samples that all stay below.
  for (int phase = 0; phase < 50; ++phase) {
    const auto wave = [phase](double t) { return -std::cos(t - 0.021 * phase); };
    const SampledFunction x = sampled(wave, 0, 4.4, 11);
    const Extreme top = highest(x);
    ASSERT_GT(top.value, 0.99);
    const double just_below = top.value - 1e-9;
    ASSERT_TRUE(first_rise(x, just_below)) << phase;
    EXPECT_NEAR(*first_rise(x, just_below), top.time, 1e-3);
    EXPECT_FALSE(first_rise(x, top.value + 1e-9));
  }
}

TEST(SampledFunction, MeansAreThoseOfTheTrapezoidalRule) {
  const SampledFunction x{{0, 1, 3}, {2, 4, -2}, {0, 0}};
  EXPECT_DOUBLE_EQ(time_mean(x), (3 * 1 + 1 * 2) / 3.0);
  EXPECT_DOUBLE_EQ(time_mean_square(x), (10 * 1 + 10 * 2) / 3.0);
  EXPECT_EQ(time_mean({{1}, {7}, {}}), 7);
  // Over whole periods of a sine it is exact.
  const SampledFunction sine = sampled([](double t) { return 3 * std::sin(t); }, 0, 4 * pi, 64);
  EXPECT_NEAR(std::sqrt(time_mean_square(sine)), 3 / std::numbers::sqrt2, 1e-14);
}

TEST(SampledFunction, EverySecondSampleKeepsTheEndsAndTheRoughIntervals) {
  const SampledFunction even{{0, 1, 2, 3, 4}, {0, 10, 20, 30, 40}, {0, 1, 0, 0}};
  const SampledFunction half = even.every_second();
  EXPECT_EQ(half.time, (std::vector<double>{0, 2, 4}));
  EXPECT_EQ(half.value, (std::vector<double>{0, 20, 40}));
  EXPECT_EQ(half.rough, (std::vector<std::uint8_t>{1, 0}));
  const SampledFunction odd{{0, 1, 2, 3}, {0, 10, 20, 30}, {0, 0, 1}};
  EXPECT_EQ(odd.every_second().time, (std::vector<double>{0, 2, 3}));
  EXPECT_EQ(odd.every_second().rough, (std::vector<std::uint8_t>{0, 1}));
}

/// What a load of 10 N does from `at` on to the acceleration of a damped mass of 1 kg; left limits.
double after_step(double t, double at) { return t <= at ? 0 : 10 * std::exp(-(t - at)); }

TEST(SampledFunction, LimitsAtAJumpAreWhereEitherSideLeads) {
  for (const double at : {0.5, 0.52, 0.501, 0.519}) {
    const SampledFunction x =
        sampled([at](double t) { return after_step(t, at + 1e-12); }, 0, 1, 50);
    const std::vector<double> breaks{at};
    const double fine = highest(x.with_limits(breaks)).value;
    const double coarse = highest(x.every_second().with_limits(breaks)).value;
    EXPECT_NEAR(fine, 10, 0.5 * 0.02 * 0.02 * 10 * 2.1) << at;
    const double bent = highest(x.with_limits(breaks, 2)).value;
    EXPECT_NEAR(bent, 10, 2e-4) << at;
    EXPECT_GE(std::abs(fine - coarse) + std::abs(fine - bent), std::abs(fine - 10)) << at;
    EXPECT_NEAR(highest(x.with_limits(breaks)).time, at, 1e-12);
    EXPECT_NEAR(time_mean(x.with_limits(breaks)), 10 * (1 - std::exp(at - 1)), 2e-3) << at;
  }
}

TEST(SampledFunction, PulseBetweenBreaksHasItsMean) {
  const auto pulse = [](double t) { return t > 0.501 && t <= 0.599 ? 10.0 : 0.0; };
  const SampledFunction x = sampled(pulse, 0, 1, 50);
  const std::vector<double> breaks{0.501, 0.599};
  EXPECT_NEAR(time_mean(x.with_limits(breaks)), 0.98, 1e-12);
  EXPECT_NEAR(time_mean_square(x.with_limits(breaks)), 9.8, 1e-12);
  EXPECT_NEAR(*first_rise(x.with_limits(breaks), 5), 0.501, 1e-12);
  // None of six samples lies in it: nobody can tell.
  const SampledFunction few = sampled(pulse, 0, 1, 5).with_limits(breaks);
  EXPECT_EQ(few.time, (std::vector<double>{0, 0.2, 0.4, 0.501, 0.599, few.time[5], 0.8, 1}));
  EXPECT_EQ(few.rough, (std::vector<std::uint8_t>{0, 0, 0, 1, 0, 0, 0}));
  // A steep ramp has two breaks.
  const std::vector<double> ramps{0.501, 0.5010001, 0.599, 0.5990001};
  EXPECT_NEAR(time_mean(x.with_limits(ramps)), 0.98, 1e-5);
}

TEST(SampledFunction, LimitOfWhatTurnsRoundIsTheNearestSample) {
  // Samples that swing from one to the next do not tell what they come from.
  SampledFunction x{{0, 1, 2, 3, 4, 5}, {0, 0, 1, -1, 1, -1}, {0, 0, 0, 0, 0}};
  EXPECT_EQ(x.with_limits(std::vector<double>{1.0}).value,
            (std::vector<double>{0, 0, 1, 1, -1, 1, -1}));
}

TEST(SampledFunction, NoParabolaGoesOverAKink) {
  for (const double at : {0.3, 0.303, 0.3099, 0.3141}) {
    const SampledFunction tent =
        sampled([at](double t) { return 10 - 9.81 * std::abs(t - at); }, 0, 1, 50);
    const double found = highest(tent).value;
    EXPECT_LE(found, 10 + 1e-12) << at;
    EXPECT_GE(found + kink_above(tent), 10 - 1e-12) << at;
    const SampledFunction clipped =
        sampled([at](double t) { return std::min(1.0, 3 * (t + at) - 4.9 * t * t); }, 0, 1, 50);
    EXPECT_EQ(highest(clipped).value, 1) << at;
  }
  const SampledFunction sine = sampled([](double t) { return std::sin(t); }, 0, 2 * pi, 10);
  EXPECT_EQ(kink_above(sine), 0);
}

}  // namespace tumble::sampled_function_test
