// A million steps: the constraints hold to rounding at the end as at the beginning, because they
// are imposed on positions in every step, and the energy error stays bounded.
#include "convergence.hpp"

namespace tumble::validation {
namespace {

using Q = Quantity;

/// A pendulum about an axis that is aligned with nothing, so that all five locks work.
Model pendulum() {
  Model model;
  model.gravity = {0, 0, -9.81};
  Body body;
  body.name = "body";
  body.mass = 2;
  body.inertia = {0.1, 0.2, 0.25, 0.01, -0.02, 0.03};
  body.position = {1, 0.2, -0.1};
  model.bodies = {body};
  RevoluteJoint hinge;
  hinge.between = {{{"ground"}, {"body"}}};
  hinge.point = Vec3d{0.1, 0, 0.05};
  hinge.axis = Vec3d{0.1, 1, 0.3};
  model.joints.push_back({"hinge", hinge});
  Probe system;
  system.name = "system";
  system.system = true;
  system.quantities = {Q::total_energy, Q::kinetic_energy};
  model.probes = {system};
  model.simulation.step = 1e-3;
  model.simulation.duration = 1000;
  model.simulation.output_step = 0.1;
  model.simulation.spectral_radius = 0.9;
  model.simulation.newton_tolerance = 1e-12;
  return model;
}

TEST(DriftSlow, AMillionStepsKeepConstraintsAndEnergy) {
  const Trajectory run = simulate(pendulum());
  EXPECT_EQ(run.statistics.steps, 1000000);
  EXPECT_EQ(run.statistics.halvings, 0);
  // Lengths of about 1 m and unit vectors, a few roundings each.
  EXPECT_LT(run.statistics.constraint_drift, 1e-14);

  // The energy oscillates with the motion by an amount of order h^2 and is damped by an amount of
  // order h^3 per unit of time: the oscillation at the end is that of the beginning.
  const Values& energy = find(run, "system", Q::total_energy).values;
  const Values& kinetic = find(run, "system", Q::kinetic_energy).values;
  const auto largest_change = [&](std::size_t from, std::size_t to) {
    double largest = 0;
    for (std::size_t k = from; k < to; ++k)
      largest = std::max(largest, std::fabs(energy[k] - energy[0]));
    return largest;
  };
  const std::size_t fifth = energy.size() / 5;
  const double first = largest_change(0, fifth), last = largest_change(4 * fifth, energy.size());
  const double swing = *std::max_element(kinetic.begin(), kinetic.end());
  std::printf(
      "Pendulum, 1e6 steps: constraints %.1e, energy %.3e J in the first fifth, %.3e J in the "
      "last, of %.1f J\n",
      run.statistics.constraint_drift, first, last, swing);
  EXPECT_LT(first, 1e-5 * swing);
  EXPECT_LT(last, 1.05 * first);
}

}  // namespace
}  // namespace tumble::validation
