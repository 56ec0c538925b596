// What is counted through turns, and point masses, in lanes: the bits of the scalar engine at every
// width, and statistics that know no cut of the circle.
#include <gtest/gtest.h>

#include <cmath>

#include "ensemble_for_tests.hpp"
#include "lanes_for_tests.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {
namespace {

Body unit_body(const char* name) {
  Body b;
  b.name = name;
  b.mass = 1;
  b.inertia = {1, 1.2, 0.9, 0, 0, 0};
  return b;
}
Probe body_probe(const char* body, std::vector<Quantity> quantities) {
  Probe p;
  p.name = body;
  p.body = BodyRef{body};
  p.quantities = std::move(quantities);
  return p;
}

/// A rotor on a hinge with a bushing and a torsion spring, a body that tumbles in a bushing of its
/// own, and a point mass that a spring holds at it.
Model turning() {
  Model m;
  m.gravity = {0, 0, -2};
  Body bead;
  bead.name = "bead";
  bead.mass = 0.3;
  bead.position = {1, 0, 0};
  bead.rotates = false;
  m.bodies = {unit_body("rotor"), unit_body("tumbler"), bead};
  m.bodies[0].angular_velocity = {0, 0, 20};
  m.bodies[1].angular_velocity = {1, -3, 2};
  RevoluteJoint bearing;
  bearing.between = {MarkerRef{"ground"}, MarkerRef{"rotor"}};
  bearing.point = Vec3d{};
  bearing.axis = Vec3d{0, 0, 1};
  m.joints = {{"bearing", bearing}};
  Bushing wound, soft;
  wound.between = {MarkerRef{"ground"}, MarkerRef{"rotor"}};
  wound.point = Vec3d{};
  wound.stiffness = {0, 0, 0, 1, 1, 2};
  soft.between = {MarkerRef{"ground"}, MarkerRef{"tumbler"}};
  soft.point = Vec3d{};
  soft.stiffness = {50, 50, 50, 1, 1.5, 1};
  TorsionSpring twist;
  twist.between = wound.between;
  twist.axis = Vec3d{0, 0, 1};
  twist.stiffness.slope = 0.5;
  twist.damping.slope = 0.01;
  Spring string;
  string.between = {MarkerRef{"tumbler"}, MarkerRef{"bead"}};
  string.points = {Vec3d{}, Vec3d{1, 0, 0}};
  string.stiffness.slope = 30;
  m.forces = {{"wound", wound}, {"soft", soft}, {"twist", twist}, {"string", string}};
  Probe angle, energy, torque;
  angle.name = "bearing";
  angle.joint = JointRef{"bearing"};
  angle.quantities = {Quantity::angle, Quantity::force};
  torque.name = "wound";
  torque.force = ForceRef{"wound"};
  torque.quantities = {Quantity::torque};
  energy.name = "all";
  energy.system = true;
  energy.quantities = {Quantity::total_energy};
  m.probes = {angle,
              torque,
              energy,
              body_probe("rotor", {Quantity::euler_123}),
              body_probe("tumbler", {Quantity::euler_123, Quantity::position}),
              body_probe("bead", {Quantity::position, Quantity::acceleration})};
  m.simulation.duration = 2;
  m.simulation.step = 0.01;
  m.simulation.output_step = 0.1;
  return m;
}

// Some realisations wind their bushings beyond half a turn and beyond whole ones, others do not.
TEST(TurningLanes, HaveTheBitsOfTheScalarEngine) {
  expect_bits_of_scalar_engine(
      turning(),
      {"bodies.rotor.angular_velocity[2]", "bodies.tumbler.angular_velocity[1]",
       "forces.wound.stiffness[5]", "bodies.bead.mass"},
      [](std::uint64_t r, double* x) {
        x[0] = r % 4 == 0 ? 0.5 : 40 * uniform(4 * r) - 20;
        x[1] = r % 3 == 0 ? 0.2 : 3 * uniform(4 * r + 1);
        x[2] = 1 + uniform(4 * r + 2);
        x[3] = 0.1 + uniform(4 * r + 3);
      });
}

/// The values of one probed number at the end, over an ensemble of free spinning bodies.
TEST(TurningLanes, EulerAnglesOfAnEnsembleSpreadWithTheirRates) {
  Model m;
  m.bodies = {unit_body("rotor")};
  m.probes = {body_probe("rotor", {Quantity::euler_123})};
  m.simulation.duration = 4;
  m.simulation.step = 0.01;
  m.simulation.output_step = 0.5;
  const Plan plan = make_plan(compile(m));
  for (int axis = 0; axis < 3; ++axis) {
    EnsembleInputs inputs;
    inputs.slots = {plan.system->parameters.find("bodies.rotor.angular_velocity[" +
                                                 std::to_string(axis) + "]")};
    const auto rate = [](std::uint64_t r) { return 3 + 0.5 * uniform(r); };
    inputs.fill = [&](std::uint64_t r, double* x) { x[0] = rate(r); };
    EnsembleOptions options;
    options.keep_values = [](std::uint64_t) { return true; };
    run_ensemble(plan, inputs, leaf_source(64), options, [&](LeafResult&& leaf) {
      for (std::uint64_t r = 0; r < 64; ++r) {
        const double* row = leaf.record.values->row(r);
        // 12 rad and more: two turns, each realisation at its own rate, the other angles zero.
        for (std::size_t t = 0; t <= 8; ++t)
          for (int k = 0; k < 3; ++k)
            EXPECT_NEAR(row[3 * t + static_cast<std::size_t>(k)],
                        k == axis ? 0.5 * static_cast<double>(t) * rate(r) : 0.0, 1e-9);
      }
    });
  }
}

}  // namespace
}  // namespace tumble
