// Equilibria and vibrations as several probes see them: loads that change along a beam, load steps,
// shapes of modes.
#include <gtest/gtest.h>

#include <cmath>

#include "test_machines.hpp"
#include "tumble/integrate/statics/equilibrium.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {
namespace {

using namespace testing;

Probe beam_position(const char* name, const char* beam, double at) {
  Probe p;
  p.name = name;
  p.beam = BeamRef{beam};
  p.at = ArcFraction{at};
  p.quantities = {Quantity::position};
  return p;
}

/// What the probes of positions see of the only mode that is found when so many are asked for.
std::vector<ModeDisplacement> only_mode(const Model& m, int asked) {
  const Plan plan = make_plan(compile(m));
  const Equilibrium rest = find_equilibrium(plan, m);
  const Vibrations found = find_vibrations(plan, m, rest.state, asked);
  EXPECT_EQ(found.modes.size(), 1u);
  return mode_displacements(*plan.system, m, rest.state, found.modes.at(0));
}

/// soft_arm() with one end held.
Model cantilever(int elements) {
  Model m = timed(1, 1e-3);
  m.beams = {soft_arm("arm")};
  m.beams[0].elements = elements;
  FixedJoint clamp;
  clamp.between = between("ground", "arm.start");
  m.joints = {{"clamp", clamp}};
  return m;
}

// Loads that fall and rise along the beam, so small that it stays straight. Statics gives what the
// clamp carries, and the beam theory of Timoshenko the deflection: w'' = M/EI + q/kGA.
TEST(LineLoad, MayChangeAlongTheBeam) {
  constexpr double L = 0.5, E = 5e8, nu = 0.3, rising = 0.02, falling = 0.03;  // [N/m]
  constexpr double height = 0.03, width = 0.02, A = height * width;
  const double EI_z = E * width * std::pow(height, 3) / 12;
  const double EI_y = E * height * std::pow(width, 3) / 12;
  const double kGA = 10 * (1 + nu) / (12 + 11 * nu) * E / (2 * (1 + nu)) * A;  // Cowper's k
  Model m = cantilever(8);
  m.forces = {{"wind", LineLoad{{"arm"}, {0, 0, falling}, Vec3d{0, rising, 0}, {}}}};
  m.probes = {beam_position("tip", "arm", 1),
              joint_probe("clamp", {Quantity::force, Quantity::torque}),
              force_probe("wind", {Quantity::force})};
  constexpr int load_steps = 4;
  const Equilibrium found = find_equilibrium(make_plan(compile(m)), m, {.load_steps = load_steps});
  ASSERT_EQ(found.measured.size(), static_cast<std::size_t>(load_steps));
  for (int step = 1; step <= load_steps; ++step) {
    SCOPED_TRACE(step);
    const double part = static_cast<double>(step) / load_steps;
    const double y = part * rising, z = part * falling;
    const double* tip = found.measured[static_cast<std::size_t>(step - 1)].data();
    const double *force = tip + 3, *torque = tip + 6;
    // Eight elements are off by less than a percent.
    const double down_y = 11 * y * std::pow(L, 4) / (120 * EI_z) + y * L * L / (3 * kGA);
    const double down_z = z * std::pow(L, 4) / (30 * EI_y) + z * L * L / (6 * kGA);
    EXPECT_NEAR(tip[1], down_y, 0.01 * down_y);
    EXPECT_NEAR(tip[2], down_z, 0.01 * down_z);
    // What the deflection, 1e-5 of the length, changes of the arms of the loads is its square.
    EXPECT_NEAR(force[1], -y * L / 2, 1e-8 * rising);
    EXPECT_NEAR(force[2], -z * L / 2, 1e-8 * rising);
    EXPECT_NEAR(torque[1], z * L * L / 6, 1e-8 * rising);
    EXPECT_NEAR(torque[2], -y * L * L / 3, 1e-8 * rising);
  }
  // The resultant is that of the model, as probes of forces tell it.
  const double* resultant = found.measured.back().data() + 9;
  EXPECT_NEAR(resultant[1], rising * L / 2, 1e-15);
  EXPECT_NEAR(resultant[2], falling * L / 2, 1e-15);
}

// A pendulum moves each of its points by its distance from the hinge. One probe tells of no
// position, so that places among probes and among shapes differ.
TEST(ModeShapes, OfAPendulumGrowWithTheDistanceFromItsHinge) {
  Model m = timed(1, 1e-3);
  m.gravity = {0, 0, -9.81};
  m.bodies = {lopsided_body("rod", {0, 0, -0.5})};
  m.joints = {{"hinge", hinge("ground", "rod", {0, 1, 0})}};
  m.probes = {body_probe("rod", {Quantity::position}), body_probe("rod", {Quantity::velocity}),
              body_probe("rod", {Quantity::position}), body_probe("rod", {Quantity::position})};
  m.probes[0].point = Vec3d{0, 0, -0.25};
  m.probes[1].point = Vec3d{0, 0, -7};
  m.probes[2].point = Vec3d{0, 0.3, -1};
  m.probes[3].point = Vec3d{0.5, 0, 0};
  for (std::size_t i = 0; i < m.probes.size(); ++i) m.probes[i].name = "p" + std::to_string(i);
  const auto shape = only_mode(m, 5);
  ASSERT_EQ(shape.size(), 3u);
  EXPECT_EQ(shape[1].probe, "p2");
  // It hangs where its centre of mass is below the hinge: already at the start. About y by the
  // angle φ, a point at (x, y, z) moves by φ (z, 0, -x).
  const double angle = shape[0].displacement.x / -0.25;
  EXPECT_GT(std::fabs(angle), 0.1);
  const Vec3d expected[] = {{-0.25, 0, 0}, {-1, 0, 0}, {0, 0, -0.5}};
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_LT(norm(shape[i].displacement - angle * expected[i]), 1e-9) << shape[i].probe;
}

// φ(x) = cosh βx - cos βx - σ (sinh βx - sin βx), βL = 1.875104, σ = 0.734096: the first mode of a
// clamped beam (R. D. Blevins, Formulas for Natural Frequency and Mode Shape, table 8-1). A second
// beam stands beside it, with its own probe.
TEST(ModeShapes, OfACantileverAreThoseOfTheTheory) {
  Model m = cantilever(8);
  m.beams[0].section.rectangle = RectangleSection{0.004, 0.02};  // soft in y, and slender
  Beam post = m.beams[0];
  post.name = "post";
  post.line = std::array<Vec3d, 2>{Vec3d{0, 1, 0}, Vec3d{0.1, 1, 0}};  // 25 times as fast
  post.elements = 2;
  m.beams.insert(m.beams.begin(), post);
  FixedJoint foot;
  foot.between = between("ground", "post.start");
  m.joints.push_back({"foot", foot});
  m.probes = {beam_position("post", "post", 1), beam_position("tip", "arm", 1),
              beam_position("middle", "arm", 0.5), beam_position("quarter", "arm", 0.25)};
  const auto shape = only_mode(m, 1);
  ASSERT_EQ(shape.size(), 4u);
  const auto phi = [](double x) {
    const double b = 1.875104 * x, sigma = 0.734096;
    return std::cosh(b) - std::cos(b) - sigma * (std::sinh(b) - std::sin(b));
  };
  const double tip = shape[1].displacement.y;
  EXPECT_GT(std::fabs(tip), 1e-3);
  EXPECT_LT(norm(shape[0].displacement), 1e-9 * std::fabs(tip));
  EXPECT_NEAR(shape[2].displacement.y / tip, phi(0.5) / phi(1), 2e-3);
  EXPECT_NEAR(shape[3].displacement.y / tip, phi(0.25) / phi(1), 2e-3);
}

}  // namespace
}  // namespace tumble
