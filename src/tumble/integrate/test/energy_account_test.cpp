// The account of energy closes for every element, and runs whose numbers mean nothing fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tumble/dynamics/test/beam_models.hpp"
#include "tumble/dynamics/test/contact_models.hpp"
#include "tumble/dynamics/test/force_models.hpp"
#include "tumble/integrate/run.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {
namespace {

using ::testing::AllOf;
using testing::Case;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Bodies of order one that move, or the elements between them would have little to do.
Model moving(const Model& still, double step) {
  Model model = still;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    model.bodies[i].velocity = {0.3, -0.2 * static_cast<double>(i), 0.4};
    model.bodies[i].angular_velocity = {0.5, 0.8, -0.6 + 0.3 * static_cast<double>(i)};
  }
  model.simulation.duration = 0.8;
  model.simulation.step = step;
  model.simulation.output_step = 0.1;
  return model;
}

struct Closing {
  double mismatch, exchanged;
};
Closing account_of(const Model& still, double step, PrescribedMotion motion) {
  const Model model = moving(still, step);
  const EnergySummary e = run(make_plan(compile(model, motion)), model).statistics.energy;
  return {e.mismatch, e.exchanged};
}

class ElementAccount : public ::testing::TestWithParam<Case> {};

/// Loads that follow a spatial beam drive it round and round, and the light polygon swings several
/// times as fast as the sections of the others: what they lose falls from 3.4e-4 to 2.0e-5 and
/// from 3.7e-4 to 1.5e-5 of the exchange between steps of 1e-3 s and 2.5e-4 s.
double fine_step(const std::string& name) {
  const bool fast =
      name == "SpatialStructuralStraightFollower" || name == "SpatialStructuralCurvedPolygon";
  return fast ? 2.5e-4 : 1e-3;
}

// Work, heat and stored energy come from different formulas; if one had a wrong factor or sign the
// mismatch would not fall with the square of the step.
TEST_P(ElementAccount, ClosesAtSecondOrder) {
  const double step = fine_step(GetParam().name);
  for (const auto motion : {PrescribedMotion::eliminate, PrescribedMotion::keep}) {
    const Closing coarse = account_of(GetParam().model, 4 * step, motion);
    const Closing fine = account_of(GetParam().model, step, motion);
    ASSERT_GT(fine.exchanged, 1e-2);
    EXPECT_LT(fine.mismatch, 2e-4 * fine.exchanged);
    // Kinks of a piecewise linear table leave single steps of first order.
    EXPECT_LT(fine.mismatch, 0.25 * coarse.mismatch + 1e-9 * fine.exchanged);
  }
}

INSTANTIATE_TEST_SUITE_P(Potential, ElementAccount,
                         ::testing::ValuesIn(testing::conservative_cases()), testing::case_name);
INSTANTIATE_TEST_SUITE_P(Other, ElementAccount, ::testing::ValuesIn(testing::other_force_cases()),
                         testing::case_name);
INSTANTIATE_TEST_SUITE_P(ElasticContact, ElementAccount,
                         ::testing::ValuesIn(testing::elastic_contact_cases()), testing::case_name);
INSTANTIATE_TEST_SUITE_P(LossyContact, ElementAccount,
                         ::testing::ValuesIn(testing::lossy_contact_cases()), testing::case_name);
/// Between a body and the ground the two rows of the user constraint are redundant.
std::vector<Case> joints_that_run() {
  std::vector<Case> cases = testing::joint_cases();
  std::erase_if(cases, [](const Case& c) {
    return c.name == "user_constraint_a_ground" || c.name == "user_constraint_ground_b";
  });
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Joint, ElementAccount, ::testing::ValuesIn(joints_that_run()),
                         testing::case_name);
INSTANTIATE_TEST_SUITE_P(Beam, ElementAccount, ::testing::ValuesIn(testing::beam_cases()),
                         testing::case_name);

/// 2 kg on a slide along x, at 3 m/s, with a spring and a damper to the ground.
Model slide(double stiffness, double damping) {
  Model m;
  Body block;
  block.name = "block";
  block.mass = 2;
  block.position = {1, 0, 0};
  block.velocity = {3, 0, 0};
  block.inertia = {1, 1, 1, 0, 0, 0};
  m.bodies = {block};
  PrismaticJoint rail;
  rail.between = {MarkerRef{"ground"}, MarkerRef{"block"}};
  rail.point = Vec3d{1, 0, 0};
  rail.axis = Vec3d{1, 0, 0};
  m.joints = {{"rail", rail}};
  Spring spring;
  spring.between = {MarkerRef{"ground"}, MarkerRef{"block"}};
  spring.points = std::array{Vec3d{-10, 0, 0}, Vec3d{1, 0, 0}};
  spring.stiffness = testing::linear(stiffness);
  spring.damping = testing::linear(damping);
  m.forces = {{"spring", spring}};
  m.simulation.duration = 2;
  m.simulation.step = 1e-3;
  m.simulation.output_step = 0.1;
  return m;
}

TEST(EnergyAccount, CountsWhatADamperTakes) {
  // v = v0 exp(-c t / m): the damper takes ½ m v0² (1 - exp(-2 c t / m)).
  const EnergySummary e = simulate(slide(0, 1.5)).statistics.energy;
  EXPECT_DOUBLE_EQ(e.start, 9);
  // The first sample, 2 ms late, leaves h² Ṗ/2 = 4e-5 J.
  EXPECT_NEAR(e.dissipated, 9 * (1 - std::exp(-2 * 1.5)), 1e-4);
  EXPECT_EQ(e.work, 0);
  EXPECT_LT(e.mismatch, 1e-4);
  EXPECT_DOUBLE_EQ(e.exchanged, 9);
}

TEST(EnergyAccount, CountsTheWorkOfALoad) {
  Model m = slide(0, 0);
  AppliedForce push;
  push.body = {"block"};
  push.force = {4, 7, 0};  // the rail takes the 7 N
  m.forces.push_back({"push", push});
  // x = 3 t + t², so after 2 s the force of 4 N has done 4 · 10 J.
  const EnergySummary e = simulate(m).statistics.energy;
  EXPECT_NEAR(e.work, 40, 1e-5);
  EXPECT_NEAR(e.end, 49, 1e-9);
  EXPECT_EQ(e.dissipated, 0);
}

TEST(EnergyAccount, CountsTheImpulseOfAnImposedVelocityThatJumps) {
  // The rail pulls the block at 0 m/s until t = 1 s and at 5 m/s from then on; through a spring of
  // no stiffness nothing else happens. The drive brings ½ m v² = 25 J at once.
  Model m = slide(0, 0);
  m.bodies[0].velocity = {};
  m.drives = {{"u", PiecewiseLinearDrive{}}};
  std::get<PiecewiseLinearDrive>(m.drives[0].kind).times = {1, 3};
  std::get<PiecewiseLinearDrive>(m.drives[0].kind).values = {0, 10};
  std::get<PrismaticJoint>(m.joints[0].kind).motion = testing::motions({"", "", "u", "", "", ""});
  Body rider = m.bodies[0];  // or the machine would have no freedom and no equations
  rider.name = "rider";
  rider.position = {0, 5, 0};
  m.bodies.push_back(rider);
  for (const auto motion : {PrescribedMotion::eliminate, PrescribedMotion::keep}) {
    const EnergySummary e = run(make_plan(compile(m, motion)), m).statistics.energy;
    const double expected =
        motion == PrescribedMotion::keep ? 25 : 0;  // a prescribed body is left out
    EXPECT_NEAR(e.work, expected, 1e-5);
    EXPECT_NEAR(e.end, expected, 1e-9);
    EXPECT_LT(e.mismatch, 1e-5);
  }
}

TEST(EnergyAccount, IsQuietAtRest) {
  // A preloaded spring in balance, and nothing that moves: rounding alone is left.
  Model m = slide(1e9, 0);
  m.bodies[0].velocity = {};
  EXPECT_NO_THROW(simulate(m));
}

std::string failure_of(const Model& model) {
  const RunOutcome outcome = run_recorded(make_plan(compile(model)), model);
  return outcome.failure ? outcome.failure->reason : "none";
}

/// The rod of examples/classics/pendulum.yaml: a steel cylinder of 1 m, released from the
/// horizontal.
Model pendulum(double step, double duration) {
  Model m;
  m.gravity = {0, 0, -9.81};
  Body rod;
  rod.name = "rod";
  rod.mass = 2.466150233;
  rod.position = {0.5, 0, 0};
  rod.inertia = {1.233075117e-4, 0.20557417, 0.20557417, 0, 0, 0};
  m.bodies = {rod};
  RevoluteJoint hinge;
  hinge.between = {MarkerRef{"ground"}, MarkerRef{"rod"}};
  hinge.point = Vec3d{0, 0, 0};
  hinge.axis = Vec3d{0, 1, 0};
  m.joints = {{"hinge", hinge}};
  m.simulation.duration = duration;
  m.simulation.step = step;
  m.simulation.output_step = step;
  return m;
}

TEST(DivergedRuns, FailWithTheReason) {
  EXPECT_THAT(failure_of(pendulum(0.5, 20)),
              AllOf(HasSubstr("energy account is off"), HasSubstr("body 'rod'"),
                    HasSubstr("steps of 0.5 s are too large"), HasSubstr("t = ")));
  EXPECT_EQ(failure_of(pendulum(0.01, 20)), "none");
}

TEST(DivergedRuns, KeepTheOutputsBeforeTheFailure) {
  const Model model = pendulum(0.5, 20);
  const RunOutcome outcome = run_recorded(make_plan(compile(model)), model);
  ASSERT_TRUE(outcome.failure);
  ASSERT_FALSE(outcome.trajectory.times.empty());
  EXPECT_LT(outcome.trajectory.times.back(), outcome.failure->time);
}

/// A symmetric top in steady precession on a spherical joint: mass 1 kg, 0.2 m from joint to
/// centre, axis 60 degrees from the vertical. With A = 0.01 + m l² = 0.05 and C = 0.005 about the
/// joint, spin component n along the axis and precession p about the vertical,
///   A p² cos θ - C n p + m g l = 0   (slow root).
Model steady_top(double n, double step) {
  const double A = 0.05, C = 0.005, m = 1, g = 9.81, l = 0.2, theta = std::numbers::pi / 3;
  const double a = A * std::cos(theta), b = C * n, c = m * g * l;
  const double p = 2 * c / (b + std::sqrt(b * b - 4 * a * c));
  Model model;
  model.gravity = {0, 0, -g};
  Body top;
  top.name = "top";
  top.mass = m;
  const Vec3d axis{std::sin(theta), 0, std::cos(theta)};
  top.position = l * axis;
  top.inertia = {0.01, 0.01, 0.005, 0, 0, 0};
  top.orientation = testing::turned({0, theta, 0});
  // ω = p e_z + (n - p cos θ) axis has the component n along the axis.
  top.angular_velocity = Vec3d{0, 0, p} + (n - p * std::cos(theta)) * axis;
  top.velocity = cross(top.angular_velocity, top.position);
  model.bodies = {top};
  SphericalJoint joint;
  joint.between = {MarkerRef{"ground"}, MarkerRef{"top"}};
  joint.point = Vec3d{0, 0, 0};
  model.joints = {{"tip", joint}};
  Probe force;
  force.name = "tip";
  force.joint = JointRef{"tip"};
  force.quantities = {Quantity::force};
  model.probes = {force};
  model.simulation.duration = 0.5;
  model.simulation.step = step;
  model.simulation.output_step = 1e-2;
  return model;
}

double largest_force(const Trajectory& run) {
  double largest = 0;
  for (const double f : run.series[0].values) largest = std::max(largest, std::abs(f));
  return largest;
}

TEST(FastRotation, WarnsWhereForcesAreWrong) {
  const Model model = steady_top(500, 1e-3);
  const RunOutcome outcome = run_recorded(make_plan(compile(model)), model);
  EXPECT_THAT(outcome.trajectory.warnings,
              ElementsAre(AllOf(HasSubstr("body 'top'"), HasSubstr("0.51 rad"),
                                HasSubstr("step of 0.001 s"), HasSubstr("steps of 0.0006 s"))));
}

TEST(FastRotation, SaysNothingWhereForcesAreRight) {
  const Trajectory run = simulate(steady_top(500, 5e-4));
  EXPECT_THAT(run.warnings, IsEmpty());
  // The steady top carries its weight, and holds the slow circle of its centre.
  EXPECT_NEAR(largest_force(run), 9.81, 0.2);
}

TEST(Halvings, WarnWhenThereAreMany) {
  Model m = pendulum(0.01, 1);
  m.simulation.max_iterations = 2;  // so that Newton often gives up
  m.simulation.step = 0.05;
  m.simulation.output_step = 0.05;
  const RunOutcome outcome = run_recorded(make_plan(compile(m)), m);
  ASSERT_GE(outcome.trajectory.statistics.halvings, 3);
  EXPECT_THAT(outcome.trajectory.warnings,
              ::testing::Contains(
                  HasSubstr(std::to_string(outcome.trajectory.statistics.halvings) + " of " +
                            std::to_string(outcome.trajectory.statistics.steps) + " steps")));
}

}  // namespace
}  // namespace tumble
