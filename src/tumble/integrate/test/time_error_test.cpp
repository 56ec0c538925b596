// Estimates of the error of the time integration, on values and on a run that fails half-way.
#include "tumble/integrate/accuracy/time_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tumble/model/compile.hpp"

namespace tumble {
namespace {

constexpr double pi = std::numbers::pi;

std::vector<double> error_of(Quantity quantity, const std::vector<double>& values,
                             const std::vector<double>& finer) {
  std::vector<double> error(values.size());
  time_error(2, quantity, static_cast<int>(values.size()), values.data(), finer.data(),
             error.data());
  return error;
}

TEST(TimeError, IsFourThirdsOfTheDifference) {
  const std::vector<double> error = error_of(Quantity::position, {1, 2, 3}, {1.3, 1.7, 3});
  EXPECT_DOUBLE_EQ(error[0], -0.4);
  EXPECT_DOUBLE_EQ(error[1], 0.4);
  EXPECT_EQ(error[2], 0);
}

TEST(TimeError, KnowsWhatMeansTheSame) {
  // A quaternion and its negative.
  for (const double x :
       error_of(Quantity::orientation, {0.5, 0.5, 0.5, 0.5}, {-0.5, -0.5, -0.5, -0.5}))
    EXPECT_EQ(x, 0);
  // Euler angles a turn apart, and no turn at all lost in a counted angle.
  EXPECT_NEAR(error_of(Quantity::euler_123, {pi - 0.01, 0, 0}, {-pi + 0.02, 0, 0})[0], -0.04,
              1e-12);
  EXPECT_NEAR(error_of(Quantity::angle, {pi - 0.01}, {-pi - 0.01})[0], 8 * pi / 3, 1e-12);
  // Rotation vectors on both sides of half a turn.
  const std::vector<double> error =
      error_of(Quantity::rotation_vector, {0, 0, pi - 0.01}, {0, 0, -pi + 0.02});
  EXPECT_NEAR(error[2], -0.04, 1e-12);
}

/// A mass on a spring, which swings with 10 rad/s.
Model swinging(double step) {
  Model m;
  Body b;
  b.name = "b";
  b.mass = 1;
  b.inertia = {1, 1, 1, 0, 0, 0};
  b.velocity = {1, 0, 0};
  m.bodies = {b};
  Bushing spring;
  spring.between = {MarkerRef{"ground"}, MarkerRef{"b"}};
  spring.point = Vec3d{};
  spring.stiffness = {100, 100, 100, 1, 1, 1};
  m.forces = {{"spring", spring}};
  Probe probe;
  probe.name = "b";
  probe.body = BodyRef{"b"};
  probe.quantities = {Quantity::position};
  m.probes = {probe};
  m.simulation.duration = 2;
  m.simulation.step = step;
  m.simulation.output_step = 0.1;
  return m;
}

TEST(TimeError, IsTheErrorOfAnOscillator) {
  const Model model = swinging(5e-3);
  const Plan plan = make_plan(compile(model));
  Trajectory run = tumble::run(plan, model);
  add_time_error(plan, model, run);
  const ProbeSeries& series = run.series.front();
  ASSERT_EQ(series.time_error.size(), series.values.size());
  double largest = 0, told = 0;
  for (std::size_t k = 0; k < run.times.size(); ++k) {
    largest =
        std::max(largest, std::fabs(series.values[3 * k] - 0.1 * std::sin(10 * run.times[k])));
    told = std::max(told, series.time_error[3 * k]);
  }
  EXPECT_GT(largest, 1e-5);
  EXPECT_NEAR(told, largest, 0.05 * largest);
  EXPECT_NEAR(relative_time_error(series), 10 * largest, 0.6 * largest);
  EXPECT_TRUE(run.warnings.empty());
}

}  // namespace
}  // namespace tumble
