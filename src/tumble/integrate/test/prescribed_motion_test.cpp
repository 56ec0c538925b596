// Bodies whose motion joints impose, eliminated from the unknowns: they move as the same joints
// make them move when their equations are kept, and load them alike.
#include <gtest/gtest.h>

#include <cmath>

#include "tumble/integrate/run.hpp"
#include "tumble/integrate/step/integrator.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {
namespace {

Body body(const std::string& name, const Vec3d& position) {
  Body b;
  b.name = name;
  b.mass = 2;
  b.position = position;
  b.inertia = {0.3, 0.4, 0.5, 0.02, -0.01, 0.03};
  return b;
}

template <class J>
J joint(const std::string& first, const std::string& second, const Vec3d& point) {
  J j;
  j.between = {MarkerRef{first}, MarkerRef{second}};
  j.point = point;
  return j;
}

Model machine(const Vec3d& gravity) {
  Model m;
  m.gravity = gravity;
  m.simulation.duration = 0.5;
  m.simulation.step = 1e-3;
  m.simulation.output_step = 0.05;
  return m;
}

HarmonicDrive harmonic(double amplitude, double frequency) {
  HarmonicDrive drive;
  drive.amplitude = amplitude;
  drive.frequency = frequency;
  return drive;
}

/// Probes everything a body or joint can show that depends on how its motion comes about.
void probe_all(Model& m) {
  for (const auto& b : m.bodies) {
    Probe probe;
    probe.name = b.name;
    probe.body = BodyRef{b.name};
    probe.point = b.position + Vec3d{0.1, -0.2, 0.15};
    probe.quantities = {Quantity::position,         Quantity::velocity,
                        Quantity::acceleration,     Quantity::rotation_vector,
                        Quantity::angular_velocity, Quantity::angular_acceleration};
    m.probes.push_back(probe);
  }
  for (const auto& j : m.joints) {
    Probe probe;
    probe.name = j.name;
    probe.joint = JointRef{j.name};
    probe.quantities = {Quantity::force, Quantity::torque};
    m.probes.push_back(probe);
  }
}

/// A crank turned by a motor, a rod, and a slider whose rotation its rail locks.
Model slider_crank() {
  Model m = machine({0, 0, -9.81});
  m.bodies = {body("crank", {0.1, 0, 0}), body("rod", {0.6, 0, 0}), body("slider", {1, 0, 0})};
  auto motor = joint<RevoluteJoint>("ground", "crank", {0, 0, 0});
  motor.axis = Vec3d{0, 1, 0};
  motor.motion.drive[5] = "turn";
  auto pin = joint<RevoluteJoint>("crank", "rod", {0.2, 0, 0});
  pin.axis = Vec3d{0, 1, 0};
  const auto wrist = joint<SphericalJoint>("rod", "slider", {1, 0, 0});
  auto rail = joint<PrismaticJoint>("ground", "slider", {1, 0, 0});
  rail.axis = Vec3d{1, 0, 0};
  m.joints = {{"motor", motor}, {"pin", pin}, {"wrist", wrist}, {"rail", rail}};
  // The wrist would lock y twice: the pin and the rail hold the rod in its plane already.
  GeneralJoint planar = joint<GeneralJoint>("rod", "slider", {1, 0, 0});
  planar.locked_motions.has = {true, false, true, false, false, false};
  m.joints[2] = {"wrist", planar};
  m.drives = {{"turn", harmonic(0.8, 0.9)}};
  return m;
}

/// A turret that turns and travels, an arm on it that turns about two tilted axes at once, and a
/// pendulum that hangs from the arm; a spring pulls at the turret.
Model turret() {
  Model m = machine({0.3, -0.2, -9.81});
  m.bodies = {body("turret", {0.2, 0.1, 0.3}), body("arm", {0.7, 0.2, 0.5}),
              body("pendulum", {1.1, 0.3, 0.1})};
  auto base = joint<FixedJoint>("ground", "turret", {0.1, 0, 0});
  base.orientation = Orientation{};
  base.motion.drive[5] = "turn";
  base.motion.drive[0] = "travel";
  auto shoulder = joint<FixedJoint>("turret", "arm", {0.4, 0.1, 0.4});
  shoulder.orientation = Orientation{};
  shoulder.motion.drive[3] = "lift";
  shoulder.motion.drive[4] = "turn";
  shoulder.motion.drive[1] = "travel";
  m.joints = {{"shoulder", shoulder},  // before its parent's: the order does not matter
              {"base", base},
              {"hook", joint<SphericalJoint>("arm", "pendulum", {1, 0.3, 0.5})}};
  m.drives = {
      {"turn", harmonic(0.5, 1.1)}, {"travel", harmonic(0.2, 1.7)}, {"lift", harmonic(0.4, 0.8)}};
  Spring spring;
  spring.between = {MarkerRef{"ground"}, MarkerRef{"turret"}};
  spring.points = std::array<Vec3d, 2>{Vec3d{-1, 0, 0}, Vec3d{0.3, 0.2, 0.1}};
  spring.stiffness.slope = 150.0;
  spring.damping.slope = 3.0;
  m.forces = {{"spring", spring}};
  return m;
}

/// A carriage that a spring holds on its rail, with a mast bolted to it: only rotations are known.
Model carriage() {
  Model m = machine({0.4, 0, -9.81});
  m.bodies = {body("carriage", {0, 0, 0}), body("mast", {0, 0.1, 0.5}), body("bob", {0.3, 0, 0.8})};
  auto rail = joint<PrismaticJoint>("ground", "carriage", {0, 0, 0});
  rail.axis = Vec3d{1, 0.2, 0};
  const auto bolts = joint<FixedJoint>("carriage", "mast", {0, 0, 0.2});
  m.joints = {
      {"rail", rail}, {"bolts", bolts}, {"hook", joint<SphericalJoint>("mast", "bob", {0, 0, 1})}};
  Spring spring;
  spring.between = {MarkerRef{"ground"}, MarkerRef{"mast"}};
  spring.points = std::array<Vec3d, 2>{Vec3d{-1, 0, 0}, Vec3d{0, 0.2, 0.4}};
  spring.stiffness.slope = 200.0;
  m.forces = {{"spring", spring}};
  return m;
}

/// The largest difference of each series between a run with the motions eliminated and one with
/// them kept, relative to its largest value or 1.
double difference(Model model, double step) {
  probe_all(model);
  model.simulation.step = step;
  const auto trajectory = [&](PrescribedMotion motion) {
    return run(make_plan(compile(model, motion)), model);
  };
  const Trajectory less = trajectory(PrescribedMotion::eliminate),
                   all = trajectory(PrescribedMotion::keep);
  double worst = 0;
  for (std::size_t s = 0; s < all.series.size(); ++s) {
    double error = 0, size = 1;
    for (std::size_t i = 0; i < all.series[s].values.size(); ++i) {
      error = std::max(error, std::fabs(all.series[s].values[i] - less.series[s].values[i]));
      size = std::max(size, std::fabs(all.series[s].values[i]));
    }
    if (error / size > worst) worst = error / size;
  }
  return worst;
}

/// Both ways are of second order, so they differ by that: a quarter when the step is halved.
void expect_same_motion(const Model& model, double bar) {
  const double coarse = difference(model, 2e-3), fine = difference(model, 1e-3);
  EXPECT_LT(fine, bar);
  EXPECT_LT(fine, coarse / 3.3);
}

TEST(PrescribedMotion, ASliderCrankMovesAndReactsAlike) {
  expect_same_motion(slider_crank(), 2e-5);
}
TEST(PrescribedMotion, BodiesCarriedByCarriedBodiesMoveAndReactAlike) {
  expect_same_motion(turret(), 1e-4);
}
TEST(PrescribedMotion, KnownRotationsAloneMoveAndReactAlike) {
  // Nothing is imposed, so both ways take the same steps: what is left is Newton's tolerance.
  EXPECT_LT(difference(carriage(), 1e-3), 1e-7);
}

TEST(PrescribedMotion, LeavesOnlyUnknownsThatAreUnknown) {
  const auto sizes = [](const Model& model) {
    const auto system = compile(model);
    return std::array<int, 2>{system->nv, system->nc};
  };
  // The crank is gone with its six rows; of the slider the translation is left and two rows.
  EXPECT_EQ(sizes(slider_crank()), (std::array<int, 2>{6 + 3, 5 + 2 + 2}));
  EXPECT_EQ(sizes(turret()), (std::array<int, 2>{6, 3}));
  EXPECT_EQ(sizes(carriage()), (std::array<int, 2>{3 + 3 + 6, 2 + 3 + 3}));
}

TEST(PrescribedMotion, RepeatedJointsAreLeftToTheAnalysisThatExplainsThem) {
  Model m = turret();
  auto second = joint<SphericalJoint>("ground", "turret", {0.3, 0, 0});
  m.joints.push_back({"second", second});
  EXPECT_EQ(compile(m)->prescribed.size(), 0u);
  m.simulation.redundancy = RedundancyPolicy::refuse;
  try {
    make_plan(compile(m));
    FAIL() << "a redundant joint was accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("second"), std::string::npos) << error.what();
  }
}

// The start is placed in the root that is meant, whichever is nearest.
TEST(PrescribedMotion, FramesHalfATurnApartArePrescribedToo) {
  Model m = carriage();
  auto& rail = std::get<PrismaticJoint>(m.joints[0].kind);
  rail.axis = {};
  rail.point = {};
  Marker track, shoe;
  track.name = "track";
  shoe.name = "shoe";
  m.ground_markers = {track};
  m.bodies[0].markers = {shoe};
  rail.between = {MarkerRef{"ground.track"}, MarkerRef{"carriage.shoe"}};
  EXPECT_EQ(compile(m)->prescribed.size(), 2u);
  m.bodies[0].markers[0].orientation.numbers = {0, 0, 0, 1};
  EXPECT_EQ(compile(m)->prescribed.size(), 2u);
}

TEST(PrescribedMotion, AMachineWithoutFreedomKeepsItsEquations) {
  Model m = turret();
  m.bodies.pop_back();
  m.joints.pop_back();
  EXPECT_EQ(compile(m)->nv, 12);
}

// Velocities and accelerations are exact derivatives of the imposed places: central differences of
// step h agree to h².
TEST(PrescribedMotion, RatesAreDerivativesOfPlaces) {
  const Model model = turret();
  const auto system = compile(model);
  const std::vector<double> c = prepare(*system, model);
  const auto at = [&](double t) {
    Workspace<double> w(*system);
    update_drives(*system, c.data(), t, t, w);
    return w;
  };
  constexpr double t = 0.37, h = 1e-4;
  const Workspace<double> before = at(t - h), now = at(t), after = at(t + h);
  for (const std::size_t b : {1u, 2u}) {
    const auto rate = [&](const Vec3d& x0, const Vec3d& x1) { return (0.5 / h) * (x1 - x0); };
    const auto& value = now.prescribed[static_cast<std::size_t>(system->bodies[b - 1].prescribed)];
    EXPECT_LT(norm(rate(before.body[b].p_W, after.body[b].p_W) - now.body[b].v_W), 1e-6);
    EXPECT_LT(norm(rate(before.body[b].v_W, after.body[b].v_W) - value.a_W), 1e-5);
    EXPECT_LT(norm(rate(before.body[b].w_W, after.body[b].w_W) - value.alpha_W), 1e-5);
    EXPECT_LT(norm(rate(before.body[b].w_B, after.body[b].w_B) - value.alpha_B), 1e-5);
    for (int j = 0; j < 3; ++j) {
      const Vec3d axis = now.body[b].R_WB.column(j);
      EXPECT_LT(norm(rate(before.body[b].R_WB.column(j), after.body[b].R_WB.column(j)) -
                     cross(now.body[b].w_W, axis)),
                1e-6);
    }
    EXPECT_GT(norm(value.alpha_W), 0.1);
  }
}

}  // namespace
}  // namespace tumble
