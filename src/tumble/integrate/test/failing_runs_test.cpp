// Mechanisms that cannot be simulated say which of their parts is at fault, and when.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tumble/integrate/run.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;

Body link(const std::string& name, const Vec3d& position) {
  Body b;
  b.name = name;
  b.mass = 1;
  b.position = position;
  b.inertia = {0.1, 0.1, 0.1, 0, 0, 0};
  return b;
}
Joint hinge(const std::string& name, const char* first, const char* second, const Vec3d& point) {
  RevoluteJoint joint;
  joint.between = {MarkerRef{first}, MarkerRef{second}};
  joint.point = point;
  joint.axis = Vec3d{0, 0, 1};
  return {name, joint};
}
/// Locks the two motions in the plane only.
Joint planar_hinge(const std::string& name, const char* first, const char* second,
                   const Vec3d& point) {
  GeneralJoint joint;
  joint.between = {MarkerRef{first}, MarkerRef{second}};
  joint.point = point;
  joint.locked_motions.has = {true, true, false, false, false, false};
  return {name, joint};
}

/// A parallelogram: cranks of 1 m upright at x = 0 and x = 2, and their coupler.
Model parallelogram() {
  Model m;
  m.bodies = {link("crank", {0, 0.5, 0}), link("coupler", {1, 1, 0}), link("rocker", {2, 0.5, 0})};
  m.joints = {hinge("left_base", "ground", "crank", {0, 0, 0}),
              hinge("left_top", "crank", "coupler", {0, 1, 0}),
              hinge("right_base", "ground", "rocker", {2, 0, 0})};
  m.simulation.duration = 1;
  m.simulation.step = 0.01;
  return m;
}

template <class Error, class Run>
std::string message(Run run) {
  try {
    run();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(RedundantJoints, FourSpatialHingesInALoopAreRefusedByName) {
  Model m = parallelogram();
  m.joints.push_back(hinge("right_top", "rocker", "coupler", {2, 1, 0}));
  m.simulation.redundancy = RedundancyPolicy::refuse;
  const std::string told = message<InputError>([&] { make_plan(compile(m)); });
  EXPECT_THAT(told, AllOf(HasSubstr("redundant"), HasSubstr("simulation.redundancy")));
  // The three rows in excess are out of the plane: every hinge of the loop takes part in them.
  EXPECT_THAT(told, AllOf(HasSubstr("'left_base'"), HasSubstr("'left_top'"),
                          HasSubstr("'right_base'"), HasSubstr("'right_top'")));
}

TEST(RedundantJoints, TheSameLoopWithAPlanarHingeIsAccepted) {
  Model m = parallelogram();
  m.joints.push_back(planar_hinge("right_top", "rocker", "coupler", {2, 1, 0}));
  EXPECT_NO_THROW(make_plan(compile(m)));
}

TEST(RedundantJoints, ASliderCrankWithFourSpatialJointsIsRefusedByName) {
  Model m;
  m.bodies = {link("crank", {0, 0.5, 0}), link("rod", {1, 0.5, 0}), link("slider", {2, 0, 0})};
  m.joints = {hinge("bearing", "ground", "crank", {0, 0, 0}),
              hinge("pin", "crank", "rod", {0, 1, 0}), hinge("wrist", "rod", "slider", {2, 0, 0})};
  PrismaticJoint guide;
  guide.between = {MarkerRef{"ground"}, MarkerRef{"slider"}};
  guide.point = Vec3d{2, 0, 0};
  guide.axis = Vec3d{1, 0, 0};
  m.joints.push_back({"guide", guide});
  m.simulation.duration = 1;
  m.simulation.step = 0.01;
  m.simulation.redundancy = RedundancyPolicy::refuse;
  const std::string told = message<InputError>([&] { make_plan(compile(m)); });
  EXPECT_THAT(told, HasSubstr("redundant"));
  EXPECT_THAT(told, AllOf(HasSubstr("'bearing'"), HasSubstr("'pin'"), HasSubstr("'wrist'"),
                          HasSubstr("'guide'")));
}

TEST(RedundantJoints, TheSameJointTwiceNamesBoth) {
  Model m = parallelogram();
  m.joints.push_back(hinge("again", "ground", "crank", {0, 0, 0}));
  m.simulation.redundancy = RedundancyPolicy::refuse;
  const std::string told = message<InputError>([&] { make_plan(compile(m)); });
  EXPECT_THAT(told, AllOf(HasSubstr("'left_base'"), HasSubstr("'again'")));
}

TEST(SingularMotion, AFlatParallelogramIsNamedWithItsTime) {
  // The crank is turned down until all links lie on one line at t = 0.5, where the coupler may
  // leave either way; the break there makes the run start anew from exactly that place.
  Model m = parallelogram();
  m.joints.push_back(planar_hinge("right_top", "rocker", "coupler", {2, 1, 0}));
  std::get<RevoluteJoint>(m.joints[0].kind).motion.drive[5] = "turn";
  m.drives = {{"turn", PiecewiseLinearDrive{{0, 0.5, 1}, {0, -std::numbers::pi / 2, -2}}}};
  try {
    simulate(m);
    FAIL() << "went through a singular position";
  } catch (const SimulationError& error) {
    EXPECT_NEAR(error.time(), 0.5, 0.02) << error.what();
    EXPECT_THAT(error.what(), HasSubstr("t = 0."));
    EXPECT_THAT(error.what(), AnyOf(HasSubstr("joint '"), HasSubstr("body '")));
  }
}

TEST(DivergingMotion, AnArmPulledBeyondItsReachIsNamedWithItsTime) {
  // Two links of 1 m; a rod pulls their end towards (3, 0, 0), from 2.2 m at t = 0 to 0.2 m at
  // t = 1. They are stretched when it is 1 m, at t = 0.6.
  Model m;
  m.bodies = {link("upper", {0, 0.5, 0}), link("lower", {0.5, 1, 0})};
  m.joints = {hinge("shoulder", "ground", "upper", {0, 0, 0}),
              hinge("elbow", "upper", "lower", {0, 1, 0})};
  DistanceJoint rod;
  rod.between = {MarkerRef{"ground"}, MarkerRef{"lower"}};
  rod.points = {Vec3d{3, 0, 0}, Vec3d{1, 1, 0}};
  rod.length = 2.2;
  rod.motion = DriveRef{"pull"};
  m.joints.push_back({"rod", rod});
  m.drives = {{"pull", PolynomialDrive{{0, -2}, 0}}};
  m.simulation.duration = 1;
  m.simulation.step = 0.01;
  try {
    simulate(m);
    FAIL() << "went beyond its reach";
  } catch (const SimulationError& error) {
    EXPECT_NEAR(error.time(), 0.6, 0.02) << error.what();
    EXPECT_THAT(error.what(), HasSubstr("t = 0."));
    EXPECT_THAT(error.what(), AnyOf(HasSubstr("joint '"), HasSubstr("body '")));
  }
}

/// A user force that breaks down after a while.
class BreaksDown : public UserForce {
 public:
  void evaluate(const UserContext& context, std::span<Wrench> wrenches) const override {
    wrenches[0].force.x = std::sqrt(0.5 - context.time);
  }
};

TEST(DivergingMotion, OneNumberThatIsNoneEndsTheRun) {
  // The bodies are independent: the second stays well, and must not hide what befell the first.
  Model m;
  m.bodies = {link("first", {0, 0, 0}), link("second", {1, 0, 0})};
  m.user_forces.push_back({"fuse", std::make_shared<BreaksDown>(), {BodyRef{"first"}}, {}, {}});
  m.simulation.duration = 1;
  m.simulation.step = 0.01;
  try {
    simulate(m);
    FAIL() << "went on with NaN";
  } catch (const SimulationError& error) {
    EXPECT_NEAR(error.time(), 0.5, 0.02);
    EXPECT_THAT(error.what(), AllOf(HasSubstr("user force 'fuse': the force on body 'first' is not "
                                              "finite at t = 0.5"),
                                    HasSubstr(" s")));
  }
}

/// Without an answer from the first instant on.
class NeverAnswers : public UserForce {
 public:
  void evaluate(const UserContext&, std::span<Wrench> wrenches) const override {
    wrenches[0].torque.y = std::nan("");
  }
};

TEST(DivergingMotion, AUserForceThatIsNeverANumberIsNamed) {
  Model m;
  m.bodies = {link("first", {0, 0, 0})};
  m.user_forces.push_back({"fuse", std::make_shared<NeverAnswers>(), {BodyRef{"first"}}, {}, {}});
  m.simulation.duration = 1;
  m.simulation.step = 0.01;
  EXPECT_EQ(message<SimulationError>([&] { simulate(m); }),
            "user force 'fuse': the torque on body 'first' is not finite at t = 0 s");
}

/// Its energy alone is none.
class NoEnergy : public BreaksDown {
 public:
  void evaluate(const UserContext&, std::span<Wrench>) const override {}
  double potential_energy(const UserContext& context) const override {
    return std::log(0.25 - context.time);
  }
};

TEST(DivergingMotion, AUserEnergyThatIsNoNumberIsNamed) {
  Model m;
  m.bodies = {link("first", {0, 0, 0})};
  m.user_forces.push_back({"fuse", std::make_shared<NoEnergy>(), {BodyRef{"first"}}, {}, {}});
  m.simulation.duration = 1;
  m.simulation.step = 0.01;
  m.probes.push_back({});
  m.probes[0].name = "all";
  m.probes[0].system = true;
  m.probes[0].quantities = {Quantity::total_energy};
  EXPECT_EQ(message<SimulationError>([&] { simulate(m); }),
            "user force 'fuse': the potential energy is not finite at t = 0.25 s");
}

/// A row whose gradient fails where the body has fallen by 0.1 m.
class Frays : public UserConstraint {
 public:
  int rows() const override { return 1; }
  void evaluate(const UserContext& context, ConstraintAnswer& answer) const override {
    const double z = context.bodies[0].p_W.z;
    answer.value[0] = context.bodies[0].p_W.x;
    answer.gradient[0].translation = {z < -0.1 ? std::nan("") : 1, 0, 0};
  }
};

TEST(DivergingMotion, AUserConstraintThatIsNoNumberIsNamed) {
  Model m;
  m.gravity = {0, 0, -9.81};
  m.bodies = {link("first", {0, 0, 0})};
  m.user_constraints.push_back({"wire", std::make_shared<Frays>(), {BodyRef{"first"}}, {}, {}});
  m.simulation.duration = 1;
  m.simulation.step = 0.01;
  try {
    simulate(m);
    FAIL() << "went on with NaN";
  } catch (const SimulationError& error) {
    EXPECT_NEAR(error.time(), std::sqrt(0.2 / 9.81), 0.01);  // z = -g t²/2
    EXPECT_THAT(error.what(), HasSubstr("user constraint 'wire': the gradient of row 0 for body "
                                        "'first' is not finite at t = 0.1"));
  }
}

/// Answers for x >= 0 only, where the motion stays; a displaced sample or an iterate need not.
class OneSided : public UserForce {
 public:
  void evaluate(const UserContext& context, std::span<Wrench> wrenches) const override {
    wrenches[0].force.x = std::sqrt(context.bodies[0].p_W.x - 0.999);
  }
};

TEST(DivergingMotion, AUserForceNeedNotAnswerWhereTheModelNeverComes) {
  Model m;
  m.bodies = {link("first", {1, 0, 0})};
  m.user_forces.push_back({"fuse", std::make_shared<OneSided>(), {BodyRef{"first"}}, {}, {}});
  m.simulation.duration = 0.1;
  m.simulation.step = 0.01;
  EXPECT_NO_THROW(simulate(m));
}

/// Has no answer the first time it is asked at the ends of a step of 0.01 s and of its first half.
class HesitatesTwice : public UserForce {
 public:
  void evaluate(const UserContext& context, std::span<Wrench> wrenches) const override {
    for (std::size_t i = 0; i < 2; ++i)
      if (!asked_[i] && std::fabs(context.time - times[i]) < 1e-9) {
        asked_[i] = true;
        wrenches[0].force.x = std::nan("");
      }
  }

 private:
  static constexpr double times[2] = {0.03, 0.025};
  mutable bool asked_[2] = {false, false};
};

/// Thrown, with a user force on it.
Model stone(std::shared_ptr<UserForce> fuse) {
  Model m;
  m.gravity = {0, 0, -9.81};
  m.bodies = {link("stone", {0, 0, 0})};
  m.bodies[0].velocity = {3, 0, 0};
  m.user_forces.push_back({"fuse", std::move(fuse), {BodyRef{"stone"}}, {}, {}});
  Probe flight;
  flight.name = "flight";
  flight.body = BodyRef{"stone"};
  flight.quantities = {Quantity::position, Quantity::velocity};
  m.probes = {flight};
  m.simulation.duration = 0.1;
  m.simulation.step = 0.01;
  return m;
}

/// It falls by ½ g t², which the method integrates exactly, if each part of a step has its own
/// size.
void expect_free_fall(const Trajectory& run) {
  ASSERT_EQ(run.times.size(), 11u);
  for (std::size_t k = 0; k < run.times.size(); ++k) {
    const double t = run.times[k];
    EXPECT_NEAR(run.series[0].values[3 * k], 3 * t, 1e-12) << t;
    EXPECT_NEAR(run.series[0].values[3 * k + 2], -0.5 * 9.81 * t * t, 1e-12) << t;
    EXPECT_NEAR(run.series[1].values[3 * k + 2], -9.81 * t, 1e-12) << t;
  }
}

// The step to 0.03 s is made of two quarters and a half.
TEST(Halving, AHalvedHalfIsFollowedByAWholeOne) {
  const Trajectory run = simulate(stone(std::make_shared<HesitatesTwice>()));
  EXPECT_EQ(run.statistics.halvings, 2);
  EXPECT_EQ(run.statistics.steps, 9 + 3);
  expect_free_fall(run);
}

/// Has no answer the first time it is asked about what comes after a time.
class HesitatesAfter : public UserForce {
 public:
  explicit HesitatesAfter(double time) : time_(time) {}
  void evaluate(const UserContext& context, std::span<Wrench> wrenches) const override {
    if (asked_ || context.time < time_ + 1e-9) return;
    asked_ = true;
    wrenches[0].force.x = std::nan("");
  }

 private:
  double time_;
  mutable bool asked_ = false;
};

// The step after the break is made of halves. The restart with whole ones fails, and the halves of
// the step that it was for are as long as the steps before it: they need a restart all the same.
TEST(Halving, NothingIsLeftOfARestartThatFailed) {
  Model m = stone(std::make_shared<HesitatesAfter>(0.06));
  m.drives = {{"kink", PiecewiseLinearDrive{{0, 0.05, 0.1}, {0, 0, 1}}}};
  m.simulation.break_steps = 1;
  m.simulation.break_substeps = 2;
  const Trajectory run = simulate(m);
  EXPECT_EQ(run.statistics.halvings, 1);
  expect_free_fall(run);
}

TEST(Assembly, PartsThatCannotMeetAreNamed) {
  Model m = parallelogram();
  DistanceJoint rod;  // the crank's end cannot come within 0.5 m of a point 3 m away
  rod.between = {MarkerRef{"ground"}, MarkerRef{"crank"}};
  rod.points = {Vec3d{3, 0, 0}, Vec3d{0, 1, 0}};
  rod.length = 0.5;
  m.joints.push_back({"short_rod", rod});
  const std::string told = message<SimulationError>([&] { simulate(m); });
  EXPECT_THAT(told, AllOf(HasSubstr("assembled"), HasSubstr("'short_rod'")));
}

}  // namespace
}  // namespace tumble
