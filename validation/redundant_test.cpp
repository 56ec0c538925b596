// Mechanisms with more conditions than they need, run as one would write them down, against minimal
// coordinates (hinged_loop.hpp): Bricard's mechanism, a planar four-bar on four hinges, and a door
// on two.
#include <gtest/gtest.h>

#include <cmath>

#include "hinged_loop.hpp"
#include "tumble/integrate/run.hpp"

namespace tumble::validation {
namespace {

using Vec = HingedLoop::Vec;

/// A thin bar from hinge to hinge.
HingedLoop::Link bar(const Vec& from, const Vec& to, double mass) {
  const Vec d = to - from;
  const HingedLoop::Mat thin =
      mass / 12 * (d.squaredNorm() * HingedLoop::Mat::Identity() - d * d.transpose());
  return {mass, 0.5 * (from + to), thin + 1e-3 * mass * HingedLoop::Mat::Identity()};
}

/// Six hinges at corners of a cube of 1 m, each axis across the two edges that meet there; five
/// bars of 1 kg along edges, the sixth edge is the ground (IFToMM library of benchmark problems,
/// Bricard's mechanism). Grübler counts 0 degrees of freedom; it moves.
HingedLoop bricard() {
  const std::vector<Vec> corner{{0, 0, 0},  {1, 0, 0},  {1, -1, 0},
                                {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  HingedLoop loop;
  loop.gravity = {0, -9.81, 0};
  for (std::size_t i = 0; i < 6; ++i) {
    const Vec before = corner[i] - corner[(i + 5) % 6], after = corner[(i + 1) % 6] - corner[i];
    loop.hinges.push_back({corner[i], before.cross(after)});
    if (i < 5) loop.links.push_back(bar(corner[i], corner[i + 1], 1.0));
  }
  return loop;
}

/// Crank, coupler and rocker in a plane with the given normal: x and z of the plane as in the xz
/// plane for the normal y.
HingedLoop four_bar(const Vec& normal) {
  const Eigen::Quaterniond turn =
      Eigen::Quaterniond::FromTwoVectors(Vec::UnitY(), normal.normalized());
  const auto at = [&](double x, double z) -> Vec { return turn * Vec(x, 0, z); };
  const std::vector<Vec> pin{at(0, 0), at(0.1, 0.5), at(1.4, 1.1), at(1.5, 0)};
  HingedLoop loop;
  for (const Vec& p : pin) loop.hinges.push_back({p, turn * Vec::UnitY()});
  const std::array<double, 3> mass{1, 3, 2};
  for (std::size_t i = 0; i < 3; ++i) loop.links.push_back(bar(pin[i], pin[i + 1], mass[i]));
  return loop;
}

/// A door that hangs askew.
HingedLoop door() {
  HingedLoop loop;
  const Vec axis = Vec(0.2, -0.1, 1).normalized(), side = axis.unitOrthogonal();
  loop.hinges = {{Vec(0.1, 0.2, 0) + 0.3 * axis, axis}, {Vec(0.1, 0.2, 0) + 1.7 * axis, axis}};
  HingedLoop::Mat J = Vec(6.71, 8.05, 1.36).asDiagonal();
  loop.links = {{20, Vec(0.1, 0.2, 0) + 0.45 * side + axis, J}};
  return loop;
}

struct Errors {
  double position = 0, force = 0, torque = 0;  ///< relative to the largest of all
};

/// Largest differences of positions and reactions from the reference at some times.
Errors compare(const HingedLoop& loop, double speed, double duration, double step) {
  HingedLoop::State state = loop.start(speed);
  Model model = loop.model(state);
  constexpr int outputs = 20;
  model.simulation.duration = duration;
  model.simulation.step = step;
  model.simulation.output_step = duration / outputs;
  const Trajectory run = simulate(model);
  const std::size_t n = loop.links.size();
  Errors error;
  double largest_force = 0, largest_torque = 0, largest_shift = 0;
  const auto value = [&](std::size_t series, int k) {
    const double* x = &run.series[series].values[static_cast<std::size_t>(3 * k)];
    return Vec(x[0], x[1], x[2]);
  };
  for (int k = 0; k <= outputs; ++k) {
    if (k > 0) loop.advance(state, duration / outputs, 100);
    for (std::size_t i = 0; i < n; ++i) {
      const Vec place = loop.place(state, i, loop.links[i].centre);
      largest_shift = std::max(largest_shift, (place - loop.links[i].centre).norm());
      error.position = std::max(error.position, (value(i, k) - place).norm());
    }
    const auto reactions = loop.reactions(state);
    for (std::size_t j = 0; j <= n; ++j) {
      largest_force = std::max(largest_force, reactions[j].force.norm());
      largest_torque = std::max(largest_torque, reactions[j].torque.norm());
      error.force = std::max(error.force, (value(n + 2 * j, k) - reactions[j].force).norm());
      error.torque = std::max(error.torque, (value(n + 2 * j + 1, k) - reactions[j].torque).norm());
    }
  }
  EXPECT_GT(largest_shift, 0.3);  // it moved
  error.position /= largest_shift;
  error.force /= largest_force;
  error.torque /= std::max(largest_torque, 1e-3 * largest_force);
  std::printf("  step %.1e: position %.2e, force %.2e, torque %.2e; drift %.1e\n", step,
              error.position, error.force, error.torque, run.statistics.constraint_drift);
  return error;
}

void expect_agreement(const HingedLoop& loop, double speed, double duration, double step) {
  const Errors coarse = compare(loop, speed, duration, 2 * step),
               fine = compare(loop, speed, duration, step);
  // Reactions that are not determined are the least ones of both, so that all can be compared.
  EXPECT_LT(fine.position, 1e-4);
  EXPECT_LT(fine.force, 1e-4);
  EXPECT_LT(fine.torque, 1e-4);
  EXPECT_LT(fine.position, coarse.position / 3.3);  // of second order
}

std::pair<int, int> freedom_and_redundancy(const HingedLoop& loop) {
  Model model = loop.model(loop.start(0));
  model.simulation.duration = 1;
  model.simulation.step = 1e-3;
  const Plan plan = make_plan(compile(model));
  return {plan.degrees_of_freedom(), plan.redundancy ? plan.redundancy->count : 0};
}

TEST(RedundantMechanisms, HaveOneDegreeOfFreedomEach) {
  EXPECT_EQ(freedom_and_redundancy(bricard()), std::pair(1, 1));
  EXPECT_EQ(freedom_and_redundancy(four_bar(Vec::UnitY())), std::pair(1, 3));
  EXPECT_EQ(freedom_and_redundancy(four_bar({0.3, -0.8, 0.5})), std::pair(1, 3));
  EXPECT_EQ(freedom_and_redundancy(door()), std::pair(1, 5));
}

TEST(RedundantMechanisms, BricardMovesAndReactsAsByMinimalCoordinates) {
  expect_agreement(bricard(), 0, 2, 5e-4);
}

TEST(RedundantMechanisms, FourSpatialHingesMoveAndReactAsByMinimalCoordinates) {
  expect_agreement(four_bar(Vec::UnitY()), 2, 2, 5e-4);
  expect_agreement(four_bar({0.3, -0.8, 0.5}), -3, 2, 2.5e-4);
}

TEST(RedundantMechanisms, ADoorOnTwoHingesMovesAndReactsAsByMinimalCoordinates) {
  expect_agreement(door(), 2, 3, 1e-3);
}

// In its own plane the reactions of the planar four-bar are determined, across it they are not.
TEST(RedundantMechanisms, OnlyReactionsAcrossThePlaneAreUndetermined) {
  const HingedLoop loop = four_bar(Vec::UnitY());
  Model model = loop.model(loop.start(1));
  model.simulation.duration = 0.01;
  model.simulation.step = 1e-3;
  const Trajectory run = simulate(model);
  for (const ProbeSeries& series : run.series) {
    if (series.quantity == Quantity::position)
      EXPECT_EQ(series.undetermined, std::vector<int>{});
    else if (series.quantity == Quantity::force)
      EXPECT_EQ(series.undetermined, std::vector<int>{1}) << series.probe;
    else
      EXPECT_EQ(series.undetermined, (std::vector<int>{0, 2})) << series.probe;
  }
  EXPECT_NE(run.redundancy.find("3 of 20 conditions are redundant"), std::string::npos);
}

// The hinges of a door share any load; what they carry together follows from its motion: with the
// angle θ about the axis u, J_u θ̈ = u·(r × m g), and m (a - g) is the sum of the forces.
TEST(RedundantMechanisms, TheHingesOfADoorCarryTogetherWhatItsMotionAsks) {
  const HingedLoop loop = door();
  Model model = loop.model(loop.start(0));
  model.simulation.duration = 0.01;
  model.simulation.step = 1e-3;
  const Trajectory run = simulate(model);
  const Vec u = loop.hinges[0].axis.normalized(), c = loop.links[0].centre;
  const Vec arm = c - loop.hinges[0].point;
  const Vec r = arm - u * u.dot(arm);
  const double m = loop.links[0].mass;
  const double J = u.dot(loop.links[0].inertia * u) + m * r.squaredNorm();
  const double turning = u.dot(r.cross(m * loop.gravity)) / J;
  const Vec expected = m * (turning * u.cross(r) - loop.gravity);
  const auto force = [&](std::size_t series) {
    const auto& x = run.series[series].values;
    return Vec(x[0], x[1], x[2]);
  };
  // The second hinge is listed with the ground last, and reports what acts on the ground.
  EXPECT_LT((force(1) - force(3) - expected).norm(), 1e-9 * expected.norm());
}

}  // namespace
}  // namespace tumble::validation
