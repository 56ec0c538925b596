#include "tumble/integrate/step/turned_nodes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "tumble/dynamics/equations.hpp"
#include "tumble/integrate/plan.hpp"
#include "tumble/integrate/test/test_machines.hpp"
#include "tumble/math/rotation.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {
namespace {

using testing::soft_arm;

constexpr Vec3d turn_of_all{0.3, -0.5, 0.4};

constexpr double unit = 1;  ///< all diagonal entries of the matrix and of the masses

/// Two beams in space and one in the plane of x and y, all free.
Model three_beams() {
  Model model;
  for (const char* name : {"first", "second", "planar"}) {
    Beam beam = soft_arm(name);
    if (beam.name == "second") beam.line = std::array<Vec3d, 2>{Vec3d{1, 0, 0}, Vec3d{1, 0.3, 0.4}};
    if (beam.name == "planar") beam.dimension = BeamDimension::planar;
    model.beams.push_back(beam);
  }
  model.simulation.duration = 0.01;
  model.simulation.step = 1e-3;
  return model;
}

Mat3d turn_in_the_plane(double angle) {
  return Mat3d::from_columns({std::cos(angle), std::sin(angle), 0},
                             {-std::sin(angle), std::cos(angle), 0}, {0, 0, 1});
}

class TurnedNodesOf : public ::testing::Test {
 protected:
  const std::shared_ptr<const System> compiled = compile(three_beams());
  const System& system = *compiled;
  const std::vector<double> constants = prepare(system, system.nominal);
  const InitialState start = initial_state(system, system.nominal);
  const std::vector<double> at_rest = std::vector<double>(static_cast<std::size_t>(system.nv));
  Workspace<double> w{system};
  const Mat3d space = matrix(exp_quaternion(turn_of_all)), plane = turn_in_the_plane(0.7);

  /// A factor is made, of a matrix whose entries are `stiffness` times the masses.
  void factor(TurnedNodes<double>& nodes, double stiffness = 1) {
    w.M.assign(w.M.size(), unit);
    nodes.factored(w, std::vector<double>(w.M.size(), stiffness * unit), true);
  }
  /// Follows the workspace's kinematics, with accelerations of size one.
  void follow(TurnedNodes<double>& nodes, double rounding = 1e-12) {
    nodes.follow(w, at_rest.data(), at_rest.data(), 0, rounding, 1);
  }

  const Mat3d& turn_of(const BeamIndex& beam) const { return beam.dimension == 2 ? plane : space; }

  /// All vectors of all nodes, turned with their beam.
  std::vector<double> turned(std::vector<double> x, int offset) const {
    for (const BeamIndex& beam : system.beams)
      for (int node = 0; node < beam.nodes; ++node)
        for (int vector = 0; vector <= beam.dimension; ++vector) {
          double* at = x.data() + offset + beam.node(node) + beam.dimension * vector;
          const Vec3d y = turn_of(beam) * Vec3d{at[0], at[1], beam.dimension == 3 ? at[2] : 0};
          for (int k = 0; k < beam.dimension; ++k) at[k] = y[k];
        }
    return x;
  }
};

TEST_F(TurnedNodesOf, FindsTheRotationOfABeamAndItsInverse) {
  TurnedNodes<double> nodes(system);
  ASSERT_FALSE(nodes.none());
  update_bodies(system, start.q.data(), start.v.data(), w);
  factor(nodes);
  w.node_q = turned(w.node_q, 0);
  follow(nodes);
  std::vector<double> x(static_cast<std::size_t>(system.nv + system.nc));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(1.0 + static_cast<double>(i));
  const std::vector<double> expected = turned(x, system.beam_v);
  std::vector<double> y = x;
  nodes.turn(y.data());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(y[i], expected[i], 1e-14) << i;
  nodes.turn_back(y.data());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(y[i], x[i], 1e-14) << i;
}

// Stiffness is the same seen from an element that has turned as a whole: K(R q) R x = R K(q) x.
TEST_F(TurnedNodesOf, TurnsTheElasticForceOfAnElementAlong) {
  const double step = 1e-6;
  const auto force = [&](const std::vector<double>& q) {
    std::vector<double> r(static_cast<std::size_t>(system.nv + system.nc)), none(r.size());
    update_bodies(system, q.data(), start.v.data(), w);
    residual(system, constants.data(), none.data(), none.data(), w, r.data());
    return r;
  };
  TurnedNodes<double> nodes(system);
  update_bodies(system, start.q.data(), start.v.data(), w);
  factor(nodes);
  std::vector<double> x(static_cast<std::size_t>(system.nv));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(1.0 + static_cast<double>(i));
  // With nothing but beams, coordinates are those of the residual.
  ASSERT_EQ(system.nq, system.nv);
  const auto slope = [&](const std::vector<double>& q, const std::vector<double>& direction) {
    std::vector<double> more = q, less = q;
    for (std::size_t i = 0; i < q.size(); ++i) {
      more[i] += step * direction[i];
      less[i] -= step * direction[i];
    }
    std::vector<double> up = force(more), down = force(less);
    for (std::size_t i = 0; i < up.size(); ++i) up[i] = (up[i] - down[i]) / (2 * step);
    return up;
  };
  std::vector<double> before = slope(start.q, x);
  const std::vector<double> q = turned(start.q, system.beam_v);
  const std::vector<double> after = slope(q, turned(x, system.beam_v));
  update_bodies(system, q.data(), start.v.data(), w);
  follow(nodes);
  nodes.turn(before.data());
  double largest = 0;
  for (const double value : before) largest = std::max(largest, std::fabs(value));
  ASSERT_GT(largest, 1);
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_NEAR(after[i], before[i], 1e-7 * largest) << i;
}

// A factor is given up after 0.1 rad, and after 0.03 where others are renewed too.
TEST_F(TurnedNodesOf, AskForAFactorSoonerWhereOthersAreRenewed) {
  for (const double angle : {0.02, 0.05, 0.2}) {
    TurnedNodes<double> nodes(system);
    update_bodies(system, start.q.data(), start.v.data(), w);
    factor(nodes);
    const Mat3d turn = turn_in_the_plane(angle);
    const BeamIndex& beam = system.beams.front();
    double* const first = w.node_q.data() + beam.node(0);
    for (int vector = 1; vector <= beam.dimension; ++vector)
      store3(first + 3 * vector, turn * load3(first + 3 * vector));
    const auto far = [&](bool due) {
      return nodes.follow(w, at_rest.data(), at_rest.data(), 0, 1e-12, 1, due);
    };
    EXPECT_EQ(far(false), angle > 0.1) << angle;
    EXPECT_EQ(far(true), angle > 0.03) << angle;
  }
}

// What accelerations turn by far is no motion to follow: a predicted state may be anything.
TEST_F(TurnedNodesOf, StayWhereTheStepDoesNotResolveTheMotion) {
  TurnedNodes<double> nodes(system);
  update_bodies(system, start.q.data(), start.v.data(), w);
  factor(nodes);
  w.node_q = turned(w.node_q, 0);
  std::vector<double> x(static_cast<std::size_t>(system.nv + system.nc), 1.0), v = at_rest,
                                                                               u = at_rest;
  const auto section = static_cast<std::size_t>(system.beam_v + system.beams[0].node(1) + 3);
  v[section] = 50;
  u[section] = 0.1;  // of which 0.05 by the velocity
  nodes.follow(w, u.data(), v.data(), 1e-3, 1e-12, 1);
  nodes.turn(x.data());
  for (const double value : x) EXPECT_EQ(value, 1.0);
  v[section] = 100;
  nodes.follow(w, u.data(), v.data(), 1e-3, 1e-12, 1);
  nodes.turn(x.data());
  EXPECT_GT(std::fabs(x[section] - 1), 0.1);
}

// Rounding of positions, as large as accelerations of 1e-10, is made accelerations of 0.01 by a
// stiffness of 1e8 and of 0.1 by one of 1e9. What is allowed is 0.05.
TEST_F(TurnedNodesOf, StayWhereStiffnessMakesAccelerationsOfRounding) {
  for (const double stiffness : {1e8, 1e9}) {
    TurnedNodes<double> nodes(system);
    update_bodies(system, start.q.data(), start.v.data(), w);
    factor(nodes, stiffness);
    w.node_q = turned(w.node_q, 0);
    follow(nodes, 1e-10);
    EXPECT_EQ(nodes.followed(), stiffness < 3e8);
    std::vector<double> x(static_cast<std::size_t>(system.nv + system.nc), -0.0);
    const std::vector<double> before = x;
    nodes.turn(x.data());
    const bool same = std::memcmp(x.data(), before.data(), x.size() * sizeof(double)) == 0;
    EXPECT_EQ(same, stiffness > 3e8);  // turning makes +0 of -0: a lane that stays must not
  }
}

TEST_F(TurnedNodesOf, StayBeforeTheFirstFactorOfARunAndWhenToldTo) {
  TurnedNodes<double> nodes(system);
  update_bodies(system, start.q.data(), start.v.data(), w);
  follow(nodes);
  EXPECT_FALSE(nodes.followed());
  factor(nodes);
  follow(nodes);
  EXPECT_TRUE(nodes.followed());
  nodes.stay(true);
  EXPECT_FALSE(nodes.followed());
  nodes.start();
  follow(nodes);
  EXPECT_FALSE(nodes.followed());
}

/// A light and stiff cantilever with a mass at its tip that bends slowly: the static cases of
/// tests/python/variability_test.py.
Model slow_cantilever() {
  Model model = testing::timed(2, 0.01);
  Beam arm;
  arm.name = "arm";
  arm.dimension = BeamDimension::planar;
  arm.line = std::array<Vec3d, 2>{Vec3d{0, 0, 0}, Vec3d{1, 0, 0}};
  arm.elements = 64;
  arm.section.rectangle = RectangleSection{0.02, 0.02};
  arm.youngs_modulus = 2e9;
  arm.density = 1;
  arm.damping_time = 0.01;
  model.beams.push_back(arm);
  Body mass;
  mass.name = "mass";
  mass.mass = 0.05;
  mass.rotates = false;
  mass.position = Vec3d{1, 0, 0};
  model.bodies.push_back(mass);
  FixedJoint clamp;
  clamp.between = testing::between("ground", "arm.start");
  model.joints.push_back({"clamp", clamp});
  SphericalJoint glue;
  glue.between = testing::between("arm.end", "mass");
  glue.point = Vec3d{1, 0, 0};
  model.joints.push_back({"glue", glue});
  model.drives.push_back({"slow", SmoothStepDrive{0, 1, 0, 1}});
  model.forces.push_back({"load", PointLoad{{"arm"}, 1, {0, 0.08, 0}, DriveRef{"slow"}}});
  return model;
}

// An unturned factor keeps the mass on the tip to the last bit, velocities included. With one that
// turned they would differ by 1e-13 m/s, of which the restart at 1 s, where the drive ends, would
// make accelerations a thousand times those of the motion.
TEST(TurnedNodes, LeaveAMassOnALightTipToTheLastBit) {
  Model model = slow_cantilever();
  Probe tip;
  tip.name = "tip";
  tip.beam = BeamRef{"arm"};
  tip.at = ArcFraction{1};
  tip.quantities = {Quantity::velocity};
  model.probes = {tip, testing::body_probe("mass", {Quantity::velocity})};
  const Trajectory run = simulate(model);
  EXPECT_EQ(run.statistics.halvings, 0);
  const std::vector<double>&of_tip = run.series.at(0).values, &of_mass = run.series.at(1).values;
  ASSERT_EQ(of_tip.size(), of_mass.size());
  double fastest = 0;
  for (std::size_t i = 0; i < of_tip.size(); ++i) {
    EXPECT_EQ(of_tip[i], of_mass[i]) << i;
    fastest = std::max(fastest, std::fabs(of_tip[i]));
  }
  EXPECT_GT(fastest, 1e-4);
}

// What it is for: an arm whirls about a ball joint by 0.02 rad a step and asks for a factor every
// third step, where it took one each.
TEST(TurnedNodes, LetsFactorsOfAWhirlingArmServeManySteps) {
  Model model;
  Beam arm = soft_arm("arm");
  arm.elements = 4;
  arm.angular_velocity = Vec3d{0, 3, 20};
  model.beams.push_back(arm);
  SphericalJoint ball;
  ball.between = testing::between("ground", "arm.start");
  model.joints.push_back({"ball", ball});
  model.gravity = {0, 0, -9.81};
  model.simulation.duration = 0.6;
  model.simulation.step = 1e-3;
  const RunStatistics statistics = simulate(model).statistics;
  const auto steps = static_cast<double>(statistics.steps);
  // It turns by 0.02 in a step, and a factor serves until 0.1.
  EXPECT_LT(static_cast<double>(statistics.factorizations) / steps, 0.35);
  EXPECT_LT(static_cast<double>(statistics.iterations) / steps, 5);
}

// In the first 0.2 s of the double pendulum of Wu et al. sections, whose shear and stretching are
// faster than the step, swing: accelerations change by more than half of the largest in most steps.
// Its factors turn all the same; without R there it asked for 0.39 a step.
TEST(TurnedNodes, FollowBeamsWhoseSectionsSwing) {
  Model model;
  const auto add_beam = [&](const char* name, const Vec3d& from, const Vec3d& to, int elements) {
    Beam beam;
    beam.name = name;
    beam.line = std::array<Vec3d, 2>{from, to};
    beam.elements = elements;
    beam.section.rectangle = RectangleSection{0.01, 0.01};
    beam.youngs_modulus = 2e7;
    beam.poisson_ratio = 0.3;
    beam.density = 7200;
    model.beams.push_back(beam);
  };
  add_beam("upper", {0, 0, 0}, {0.3, 0, 0}, 3);
  add_beam("lower", {0.3, 0, 0}, {0.3, 0.4, 0}, 4);
  const auto add_ball = [&](const char* name, const char* first, const char* second) {
    SphericalJoint ball;
    ball.between = testing::between(first, second);
    model.joints.push_back({name, ball});
  };
  add_ball("support", "ground", "upper.start");
  add_ball("elbow", "upper.end", "lower.start");
  model.gravity = {0, 0, -9.81};
  model.simulation.duration = 0.2;
  model.simulation.step = 1e-3;
  model.simulation.spectral_radius = 0.9;
  const RunStatistics statistics = simulate(model).statistics;
  const auto steps = static_cast<double>(statistics.steps);
  EXPECT_LT(static_cast<double>(statistics.factorizations) / steps, 0.3);
  EXPECT_LT(static_cast<double>(statistics.iterations) / steps, 5);
}

}  // namespace
}  // namespace tumble
