// Sound runs that an account of energy could mistake for bad ones, and bad ones that hide behind
// large works and stiff dampers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tumble/dynamics/test/beam_models.hpp"
#include "tumble/dynamics/test/force_models.hpp"
#include "tumble/integrate/run.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing::linear;

using Between = std::array<MarkerRef, 2>;
Between between(const char* a, const char* b) { return {MarkerRef{a}, MarkerRef{b}}; }

Body body(const std::string& name, double mass, Vec3d position, std::array<double, 6> inertia) {
  return testing::body(name, mass, position, inertia, {0, 0, 0});
}

template <class Kind>
Joint on_axis(const std::string& name, Between ends, Vec3d point, Vec3d axis,
              const std::string& turned_by = "", const std::string& moved_by = "") {
  Kind joint;
  joint.between = ends;
  joint.point = point;
  joint.axis = axis;
  joint.motion = testing::motions({"", "", moved_by, "", "", turned_by});
  return {name, joint};
}

void set_times(Model& m, double duration, double step, double output_step) {
  m.simulation.duration = duration;
  m.simulation.step = step;
  m.simulation.output_step = output_step;
}

/// A disc of 5 kg whose centre of mass is 4 mm beside its axis z, on a housing of 20 kg that four
/// rubber mounts hold; a motor turns it at 300 rad/s, 0.15 rad a step.
Model driven_rotor() {
  Model m;
  m.gravity = {0, -9.81, 0};
  m.bodies = {body("housing", 20, {0, 0, 0}, {0.4, 0.4, 0.4, 0, 0, 0}),
              body("disc", 5, {0.004, 0, 0.1}, {0.02, 0.02, 0.04, 0, 0, 0})};
  m.bodies[1].angular_velocity = {0, 0, 300};
  Bushing mount;
  mount.between = between("ground", "housing");
  mount.point = Vec3d{0, 0, 0};
  mount.stiffness = {2e6, 2e6, 5e6, 1e5, 1e5, 1e5};
  mount.damping = {300, 300, 500, 20, 20, 20};
  m.forces = {{"mount", mount}};
  m.drives = {{"motor", PolynomialDrive{{0, 300}, 0}}};
  m.joints = {
      on_axis<RevoluteJoint>("shaft", between("housing", "disc"), {0, 0, 0.1}, {0, 0, 1}, "motor")};
  set_times(m, 0.5, 5e-4, 5e-3);
  return m;
}

/// The same disc on soft bearings that do not hold its rotation, spun and left alone: beyond its
/// critical speed it turns about its centre of mass.
Model free_rotor() {
  Model m = driven_rotor();
  m.bodies.erase(m.bodies.begin());
  m.joints.clear();
  m.drives.clear();
  auto& bearing = std::get<Bushing>(m.forces[0].kind);
  bearing.between = between("ground", "disc");
  bearing.point = Vec3d{0, 0, 0.1};
  bearing.stiffness = {2e5, 2e5, 5e5, 1e3, 1e3, 0};
  bearing.damping = {100, 100, 100, 1, 1, 0};
  return m;
}

/// Crank 0.15 m, rod 0.5 m, slider 2 kg along x. The motor turns the crank at 20 rad/s: what it
/// gives in one half turn it takes back in the other, but for the friction.
Model slider_crank(const Characteristic& friction) {
  Model m;
  m.gravity = {0, 0, -9.81};
  m.bodies = {body("crank", 1, {0.075, 0, 0}, {1e-3, 2e-3, 2e-3, 0, 0, 0}),
              body("rod", 1.5, {0.4, 0, 0}, {1e-3, 0.03, 0.03, 0, 0, 0}),
              body("slider", 2, {0.65, 0, 0}, {0.01, 0.01, 0.01, 0, 0, 0})};
  m.drives = {{"motor", PolynomialDrive{{0, 20}, 0}}};
  m.joints = {
      on_axis<RevoluteJoint>("main", between("ground", "crank"), {0, 0, 0}, {0, 1, 0}, "motor"),
      on_axis<RevoluteJoint>("big_end", between("crank", "rod"), {0.15, 0, 0}, {0, 1, 0}),
      on_axis<PrismaticJoint>("guide", between("ground", "slider"), {0.65, 0, 0}, {1, 0, 0})};
  // Of the pin the guide and the big_end leave x and z open.
  m.joints.push_back({"pin", testing::general_joint(between("rod", "slider"),
                                                    {true, false, true, false, false, false}, {})});
  std::get<GeneralJoint>(m.joints.back().kind).point = Vec3d{0.65, 0, 0};
  std::get<GeneralJoint>(m.joints.back().kind).orientation = testing::turned({0, 0, 0});
  Spring rub;
  rub.between = between("ground", "slider");
  rub.points = std::array{Vec3d{-5, 0, 0}, Vec3d{0.65, 0, 0}};
  rub.damping = friction;
  m.forces = {{"friction", rub}};
  set_times(m, 1.5, 1e-3, 1e-2);
  return m;
}

/// 40 N against the motion, either way, but for the slowest.
Characteristic dry_friction() {
  return {
      Characteristic::Form::table, 0, {}, {"", {-9, -0.02, 0.02, 9}, {-41, -40, 40, 41}}, false};
}

/// 2 kg on a slide along x, at 3 m/s, with a spring and a damper to the ground.
Model slide(double stiffness, double damping) {
  Model m;
  m.bodies = {body("block", 2, {1, 0, 0}, {1, 1, 1, 0, 0, 0})};
  m.bodies[0].velocity = {3, 0, 0};
  m.joints = {on_axis<PrismaticJoint>("rail", between("ground", "block"), {1, 0, 0}, {1, 0, 0})};
  Spring spring;
  spring.between = between("ground", "block");
  spring.points = std::array{Vec3d{-10, 0, 0}, Vec3d{1, 0, 0}};
  spring.stiffness = linear(stiffness);
  spring.damping = linear(damping);
  m.forces = {{"spring", spring}};
  set_times(m, 2, 1e-3, 2e-2);
  return m;
}

/// A stiff damper between two blocks of which one moves, and then a fall of 20 m: the first step
/// finds heat that never was.
Model damped_pair_falling() {
  Model m = slide(0, 1e7);
  m.gravity = {9.81, 0, 0};
  m.bodies.push_back(body("other", 2, {2, 0, 0}, {1, 1, 1, 0, 0, 0}));
  m.joints.push_back(
      on_axis<PrismaticJoint>("second_rail", between("ground", "other"), {2, 0, 0}, {1, 0, 0}));
  auto& damper = std::get<Spring>(m.forces[0].kind);
  damper.between = between("block", "other");
  damper.points = std::array{Vec3d{1, 0, 0}, Vec3d{2, 0, 0}};
  return m;
}

/// Two blocks with a spring between them that no step resolves, preloaded by 10 J, on a fall of
/// 20 m: what numerical damping takes at once is all that has moved by then.
Model strained_pair_falling() {
  Model m = damped_pair_falling();
  auto& spring = std::get<Spring>(m.forces[0].kind);
  spring.stiffness = linear(2e9);
  spring.damping = linear(0);
  spring.length = 1 - 1e-4;
  m.bodies[0].velocity = m.bodies[1].velocity = Vec3d{0, 0, 0};
  return m;
}

/// A rod of 1 m, released from the horizontal.
Model pendulum(double duration, double step) {
  Model m;
  m.gravity = {0, 0, -9.81};
  m.bodies = {body("rod", 2.5, {0.5, 0, 0}, {1e-4, 0.2, 0.2, 0, 0, 0})};
  m.joints = {on_axis<RevoluteJoint>("hinge", between("ground", "rod"), {0, 0, 0}, {0, 1, 0})};
  set_times(m, duration, step, step);
  return m;
}

/// A cantilever of rubber that falls under its weight, and one that a motor swings around.
Model cantilever(bool turned) {
  Model m;
  m.gravity = {0, 0, -9.81};
  Beam beam = testing::straight_beam("arm", BeamDimension::spatial, BeamFormulation::structural,
                                     {0, 0, 0}, {1, 0, 0});
  beam.elements = 4;
  beam.section.rectangle = RectangleSection{0.03, 0.03};
  beam.youngs_modulus = 5e6;
  beam.density = 1100;
  m.beams = {beam};
  m.bodies = {body("hub", 1, {0, 0, 0}, {0.1, 0.1, 0.1, 0, 0, 0})};
  SmoothStepDrive turn;
  turn.end = 1;
  turn.to = 6;
  m.drives = {{"turn", turn}};
  m.joints = {on_axis<RevoluteJoint>("root", between("ground", "hub"), {0, 0, 0}, {0, 0, 1},
                                     turned ? "turn" : "")};
  FixedJoint clamp;
  clamp.between = between("hub", "arm.start");
  m.joints.push_back({"clamp", clamp});
  set_times(m, 1, 1e-3, 1e-2);
  return m;
}

/// A block that noise pushes: a kink every three steps.
Model shaken(bool smooth) {
  Model m = slide(400, 3);
  m.bodies[0].velocity = {0, 0, 0};
  std::mt19937 random(5);
  std::vector<double> times, values;
  for (int i = 0; i <= 600; ++i) {
    times.push_back(3.3e-3 * i);
    values.push_back(std::uniform_real_distribution(-50.0, 50.0)(random));
  }
  if (smooth)
    m.drives = {{"noise", TableDrive{{"", times, values}}}};
  else
    m.drives = {{"noise", PiecewiseLinearDrive{}}};
  if (auto* drive = std::get_if<PiecewiseLinearDrive>(&m.drives[0].kind))
    drive->times = times, drive->values = values;
  AppliedForce push;
  push.body = {"block"};
  push.force = {1, 0, 0};
  push.drive = DriveRef{"noise"};
  m.forces.push_back({"push", push});
  return m;
}

std::vector<testing::Case> sound_cases() {
  const auto dense = [](Model m, double duration, double step) {
    set_times(m, duration, step, step);
    return m;
  };
  Model trapezoidal = damped_pair_falling();
  trapezoidal.simulation.spectral_radius = 0.99;
  Model late = pendulum(3, 1e-2);  // a push that comes after two seconds of rest
  late.gravity = {};
  AppliedForce push;
  push.body = {"rod"};
  push.force = {0, 0, 30};
  push.axes = Axes::body;
  push.drive = DriveRef{"late"};
  SmoothStepDrive begin;
  begin.start = 2;
  begin.end = 2.5;
  late.drives = {{"late", begin}};
  late.forces = {{"push", push}};
  return {{"DrivenUnbalancedRotor", driven_rotor()},
          {"FreeUnbalancedRotor", free_rotor()},
          {"SliderCrank", slider_crank(linear(0))},
          {"SliderCrankWithDamper", slider_crank(linear(30))},
          {"SliderCrankWithDryFriction", slider_crank(dry_friction())},
          {"StiffDamper", slide(0, 1e4)},
          {"VeryStiffDamper", slide(0, 1e7)},
          {"StiffSpringWithStiffDamper", slide(1e4, 1e6)},
          {"DryFriction",
           [] {
             Model m = slide(100, 0);
             std::get<Spring>(m.forces[0].kind).damping = dry_friction();
             return m;
           }()},
          {"DampedPairFalling", damped_pair_falling()},
          {"DampedPairFallingUndamped", trapezoidal},
          {"StrainedPairFalling", strained_pair_falling()},
          {"FirstInstants", pendulum(1e-3, 1e-5)},
          {"FirstStep", pendulum(1e-2, 1e-2)},
          {"FirstInstantsOfARotor", dense(driven_rotor(), 2e-3, 5e-5)},
          {"PushedLate", late},
          {"BeamUnderItsWeight", cantilever(false)},
          {"BeamSwungAround", cantilever(true)},
          {"NoiseWithKinks", shaken(false)},
          {"SmoothNoise", shaken(true)}};
}

class SoundRun : public ::testing::TestWithParam<testing::Case> {};

TEST_P(SoundRun, Passes) {
  for (const auto motion : {PrescribedMotion::eliminate, PrescribedMotion::keep}) {
    const Model& model = GetParam().model;
    const RunOutcome outcome = run_recorded(make_plan(compile(model, motion)), model);
    EXPECT_FALSE(outcome.failure) << outcome.failure->reason;
    const EnergySummary& e = outcome.trajectory.statistics.energy;
    EXPECT_LT(e.relative_mismatch, 0.05)
        << "exchanged " << e.exchanged << ", work " << e.work << ", heat " << e.dissipated
        << ", mismatch " << e.mismatch;
  }
}

INSTANTIATE_TEST_SUITE_P(Problem, SoundRun, ::testing::ValuesIn(sound_cases()), testing::case_name);

/// A pendulum that spins by two radians a step beside a carriage that a motor drags through oil:
/// thousands of joules of work go where they belong, into heat, beside what the pendulum makes.
Model hidden_divergence(double damping) {
  Model m = pendulum(20, 0.02);
  m.bodies[0].angular_velocity = {0, 100, 0};
  m.bodies.push_back(body("carriage", 2, {0, 3, 0}, {1, 1, 1, 0, 0, 0}));
  m.drives = {{"motor", HarmonicDrive{1, 1, 0, 0, 0}}};
  m.joints.push_back(on_axis<PrismaticJoint>("rail", between("ground", "carriage"), {0, 3, 0},
                                             {1, 0, 0}, "", "motor"));
  Spring oil;
  oil.between = between("ground", "carriage");
  oil.points = std::array{Vec3d{-10, 3, 0}, Vec3d{0, 3, 0}};
  oil.damping = linear(damping);
  m.forces = {{"oil", oil}};
  return m;
}

TEST(HiddenDivergence, IsFoundBehindLargeWork) {
  for (const auto motion : {PrescribedMotion::eliminate, PrescribedMotion::keep}) {
    const Model model = hidden_divergence(10);
    const RunOutcome outcome = run_recorded(make_plan(compile(model, motion)), model);
    ASSERT_TRUE(outcome.failure) << outcome.trajectory.statistics.energy.relative_mismatch << " of "
                                 << outcome.trajectory.statistics.energy.exchanged << " J";
    EXPECT_THAT(outcome.failure->reason, HasSubstr("too large for this motion"));
  }
}

// An account does not see a hundredth of what was exchanged; how far bodies turn in a step is seen.
TEST(HiddenDivergence, WarnsOfTheRotationWhereTheAccountIsLarge) {
  const Model model = hidden_divergence(1e3);
  const RunOutcome outcome = run_recorded(make_plan(compile(model)), model);
  EXPECT_THAT(outcome.trajectory.warnings, Contains(HasSubstr("rad")));
}

/// A pendulum in honey, so stiff that no step resolves it, with a spin that diverges.
TEST(HiddenDivergence, IsFoundBehindStiffDampers) {
  Model model = pendulum(20, 0.5);
  model.bodies.push_back(body("plug", 1, {0.5, 3, 0}, {1, 1, 1, 0, 0, 0}));
  model.bodies.back().velocity = {5, 0, 0};
  model.joints.push_back(
      on_axis<PrismaticJoint>("rail", between("ground", "plug"), {0.5, 3, 0}, {1, 0, 0}));
  Spring honey;
  honey.between = between("ground", "plug");
  honey.points = std::array{Vec3d{-10, 3, 0}, Vec3d{0.5, 3, 0}};
  honey.damping = linear(1e9);
  model.forces = {{"honey", honey}};
  const RunOutcome outcome = run_recorded(make_plan(compile(model)), model);
  ASSERT_TRUE(outcome.failure) << outcome.trajectory.statistics.energy.relative_mismatch;
}

}  // namespace
}  // namespace tumble
