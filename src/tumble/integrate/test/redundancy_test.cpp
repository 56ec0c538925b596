// Conditions that repeat each other: found, named and solved; told from singular positions; and
// refused where a realisation makes them contradict each other.
#include "tumble/integrate/watch/redundancy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tumble/integrate/run.hpp"
#include "tumble/integrate/step/integrator.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

Body link(const std::string& name, const Vec3d& position) {
  Body b;
  b.name = name;
  b.mass = 1;
  b.position = position;
  b.inertia = {0.1, 0.1, 0.1, 0, 0, 0};
  return b;
}
Joint hinge(const std::string& name, const char* first, const char* second, const Vec3d& point,
            const Vec3d& axis = {0, 0, 1}) {
  RevoluteJoint joint;
  joint.between = {MarkerRef{first}, MarkerRef{second}};
  joint.point = point;
  joint.axis = axis;
  return {name, joint};
}

/// Cranks of 1 m upright at x = 0 and x = 2 and their coupler, on four hinges.
Model parallelogram() {
  Model m;
  m.gravity = {1, -9.81, 0};
  m.bodies = {link("crank", {0, 0.5, 0}), link("coupler", {1, 1, 0}), link("rocker", {2, 0.5, 0})};
  m.joints = {hinge("left_base", "ground", "crank", {0, 0, 0}),
              hinge("left_top", "crank", "coupler", {0, 1, 0}),
              hinge("right_base", "ground", "rocker", {2, 0, 0}),
              hinge("right_top", "rocker", "coupler", {2, 1, 0})};
  Probe energy;
  energy.name = "energy";
  energy.system = true;
  energy.quantities = {Quantity::total_energy};
  Probe coupler;
  coupler.name = "coupler";
  coupler.body = BodyRef{"coupler"};
  coupler.quantities = {Quantity::position};
  m.probes = {energy, coupler};
  m.simulation.duration = 1;
  m.simulation.step = 0.005;
  return m;
}

GeneralJoint general(const Joint& joint, std::array<bool, 6> locked) {
  const auto& old = std::get<RevoluteJoint>(joint.kind);
  GeneralJoint changed;
  changed.between = old.between;
  changed.point = old.point;
  changed.locked_motions.has = locked;
  return changed;
}

std::string refusal(Model model) {
  model.simulation.redundancy = RedundancyPolicy::refuse;
  try {
    make_plan(compile(model));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Redundancy, CountsWhatIsInExcess) {
  const Plan plan = make_plan(compile(parallelogram()));
  ASSERT_NE(plan.redundancy, nullptr);
  EXPECT_EQ(plan.redundancy->count, 3);
  EXPECT_EQ(plan.degrees_of_freedom(), 1);
}

// A hinge in a plane moves alike however many other hinges hold it there too.
TEST(Redundancy, MovesAsTheSameLoopWithoutIt) {
  const Model four_hinges = parallelogram();
  Model planar = four_hinges;
  planar.joints[3].kind = general(planar.joints[3], {true, true, false, false, false, false});
  EXPECT_EQ(make_plan(compile(planar)).redundancy, nullptr);
  const Trajectory a = simulate(four_hinges), b = simulate(planar);
  EXPECT_EQ(a.statistics.halvings, 0);
  double largest = 0;
  for (std::size_t i = 0; i < a.series[1].values.size(); ++i)
    largest = std::max(largest, std::fabs(a.series[1].values[i] - b.series[1].values[i]));
  EXPECT_LT(largest, 1e-7);
  EXPECT_LT(a.statistics.constraint_drift, 1e-9);
}

// The frames of these hinges have z along the axis, so what repeats is z, rx and ry of each; the
// remedy is tried as it is given.
TEST(Redundancy, IsNamedInTheAxesOfJointsWithARemedyThatWorks) {
  const std::string told = refusal(parallelogram());
  for (const char* name : {"left_base", "left_top", "right_base", "right_top"})
    EXPECT_THAT(told, HasSubstr("joint '" + std::string(name) + "' (z, rx, ry)"));
  EXPECT_THAT(told,
              AllOf(HasSubstr("3 of 20 conditions are redundant"),
                    HasSubstr("make joint 'right_top' one of"), HasSubstr("locked: [x, y]`")));
  Model changed = parallelogram();
  GeneralJoint planar = general(changed.joints[3], {true, true, false, false, false, false});
  // "orientation: {x: ..., y: ...}" as in the message: axes_along() of z, which are those of z.
  changed.joints[3].kind = planar;
  EXPECT_EQ(refusal(changed), "accepted");
}

TEST(Redundancy, OfAJointThatRepeatsAnotherLeavesItOut) {
  Model m = parallelogram();
  m.joints.pop_back();
  m.joints.push_back(hinge("again", "ground", "crank", {0, 0, 0}));
  EXPECT_THAT(refusal(m), AllOf(HasSubstr("5 of 20"), HasSubstr("'left_base'"),
                                HasSubstr("leave out joint 'again'")));
}

// Flat at the start, planar closure: the conditions depend on each other there and nowhere else.
TEST(Redundancy, IsNotASingularPosition) {
  Model m = parallelogram();
  m.bodies = {link("crank", {0.5, 0, 0}), link("coupler", {2, 0, 0}), link("rocker", {2.5, 0, 0})};
  m.joints = {hinge("left_base", "ground", "crank", {0, 0, 0}),
              hinge("left_top", "crank", "coupler", {1, 0, 0}),
              hinge("right_base", "ground", "rocker", {2, 0, 0}),
              {"right_top", general(hinge("", "rocker", "coupler", {3, 0, 0}),
                                    {true, true, false, false, false, false})}};
  EXPECT_EQ(find_redundancy(*compile(m)), nullptr);
}

TEST(Redundancy, TreesCannotHaveAny) {
  Model m = parallelogram();
  m.joints.pop_back();
  EXPECT_FALSE(has_loops(*compile(m)));
  EXPECT_TRUE(has_loops(*compile(parallelogram())));
}

TEST(Redundancy, OtherLengthsAgreeAndOtherAxesContradict) {
  const Model nominal = parallelogram();
  const Plan plan = make_plan(compile(nominal));
  Model longer = nominal;
  std::get<RevoluteJoint>(longer.joints[3].kind).point = Vec3d{2.3, 1.2, 0};
  std::get<RevoluteJoint>(longer.joints[1].kind).point = Vec3d{-0.1, 0.8, 0};
  EXPECT_FALSE(run_recorded(plan, longer).failure);
  for (const double tilt : {1e-3, 0.1}) {
    Model askew = nominal;
    std::get<RevoluteJoint>(askew.joints[1].kind).axis = Vec3d{tilt, 0, 1};
    const RunOutcome outcome = run_recorded(plan, askew);
    ASSERT_TRUE(outcome.failure) << tilt;
    EXPECT_THAT(outcome.failure->reason,
                AllOf(HasSubstr("contradict each other"), HasSubstr("'left_top'")));
    EXPECT_EQ(outcome.failure->time, 0);
  }
}

// Ends given by markers that are some centimetres apart: assembly must close the loop although its
// conditions depend on each other wherever it is closed.
TEST(Redundancy, ALoopThatIsDescribedOpenIsClosed) {
  Model m = parallelogram();
  const auto mark = [](Body& body, const char* name, const Vec3d& position) {
    Marker marker;
    marker.name = name;
    marker.position = position;
    body.markers.push_back(marker);
  };
  mark(m.bodies[1], "end", {2.03, 1.02, 0.04});
  mark(m.bodies[2], "top", {2, 1, 0});
  auto& closing = std::get<RevoluteJoint>(m.joints[3].kind);
  closing.between = {MarkerRef{"rocker.top"}, MarkerRef{"coupler.end"}};
  closing.point = {}, closing.axis = {};
  // The coupler's end is 4 cm out of the plane for good: only hinges with play could close that.
  m.bodies[1].markers[0].position.z = 0;
  const auto system = compile(m);
  const Plan plan = make_plan(system);
  ASSERT_NE(plan.redundancy, nullptr);
  EXPECT_EQ(plan.redundancy->count, 3);
  const std::vector<double> constants = prepare(*plan.system, m);
  Integrator integrator(plan, constants);
  integrator.start(initial_state(*plan.system, m), 0, 0.001);
  EXPECT_LT(integrator.constraint_residual(), 1e-13);
}

// The loop stands on a table that turns it by half a turn about an axis in its plane: what was
// redundant along ground axis z is so along -z, and along x in between.
TEST(Redundancy, FollowsALoopThatTurns) {
  Model m = parallelogram();
  m.gravity = {0, -9.81, 0};
  m.bodies.push_back(link("table", {1, 0, 0}));
  for (std::size_t j : {std::size_t{0}, std::size_t{2}})
    std::get<RevoluteJoint>(m.joints[j].kind).between[0] = MarkerRef{"table"};
  m.joints.push_back(hinge("pivot", "ground", "table", {1, 0, 0}, {0, 1, 0}));
  m.bodies[3].angular_velocity = {0, std::numbers::pi, 0};
  for (std::size_t i = 0; i < 3; ++i) {
    m.bodies[i].angular_velocity = {0, std::numbers::pi, 0};
    m.bodies[i].velocity =
        std::numbers::pi * cross(Vec3d{0, 1, 0}, m.bodies[i].position - Vec3d{1, 0, 0});
  }
  m.simulation.duration = 2;
  m.simulation.step = 0.002;
  const Plan plan = make_plan(compile(m));
  ASSERT_NE(plan.redundancy, nullptr);
  EXPECT_EQ(plan.degrees_of_freedom(), 2);
  const Trajectory turned = run(plan, m);
  EXPECT_EQ(turned.statistics.halvings, 0);
  const auto& energy = turned.series[0].values;
  for (const double e : energy) EXPECT_NEAR(e, energy.front(), 1e-3 * std::fabs(energy.front()));
}

/// A body keeps its height, as the plane of its rail says too.
class KeepsHeight : public UserConstraint {
 public:
  int rows() const override { return 1; }
  void evaluate(const UserContext& context, ConstraintAnswer& answer) const override {
    answer.value[0] = context.bodies[0].p_W.z;
    answer.gradient[0].translation = {0, 0, 1};
  }
};

TEST(Redundancy, OfConstraintsInCodeIsSolvedToo) {
  Model m = parallelogram();
  m.joints.pop_back();
  m.user_constraints.push_back(
      {"height", std::make_shared<KeepsHeight>(), {BodyRef{"coupler"}}, {}, {}});
  const Plan plan = make_plan(compile(m));
  ASSERT_NE(plan.redundancy, nullptr);
  EXPECT_EQ(plan.redundancy->count, 1);
  EXPECT_THAT(plan.redundancy->conditions,
              AllOf(HasSubstr("constraint 'height'"), HasSubstr("'left_top' (z")));
  EXPECT_FALSE(run_recorded(plan, m).failure);
}

}  // namespace
}  // namespace tumble
