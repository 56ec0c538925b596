// What must hold of every force, whatever its formulas are: energy, momentum, what probes may ask.
#pragma once
#include <gtest/gtest.h>

#include "tumble/dynamics/test/instant.hpp"

namespace tumble::testing {

/// Power of what has been added to the bodies (which is minus the forces).
inline double power_of_wrenches(const Instant& instant) {
  double power = 0;
  for (const auto& b : instant.w.body) power -= dot(b.force_W, b.v_W) + dot(b.torque_W, b.w_W);
  return power;
}

inline double power_of_gravity(const Instant& instant) {
  const System& system = *instant.system;
  const double* c = instant.constants.data();
  const Vec3d gravity = load3(c + system.gravity_constants);
  double power = 0;
  for (std::size_t i = 0; i < system.bodies.size(); ++i)
    power += dot(gravity, linear_momentum(system.bodies[i], c, instant.w.body[i + 1]));
  return power;
}

/// `couple` is what the element is expected to leave behind.
inline void expect_no_net_wrench(const Instant& instant, const Vec3d& couple = {}) {
  Vec3d force, moment;
  double size = 0;
  for (const auto& b : instant.w.body) {
    force += b.force_W;
    moment += cross(b.p_W, b.force_W) + b.torque_W;
    size += norm(b.force_W) + norm(b.torque_W);
  }
  // Arms are below 5 m: rounding of 20 products or so.
  EXPECT_GT(size, 0.01) << "the element does nothing";
  EXPECT_NEAR(norm(force), 0, 1e-14 * size);
  EXPECT_NEAR(norm(moment - couple), 0, 1e-13 * size);
}

/// The forces of a model that has nothing but potentials take what its potential energy loses.
inline void expect_power_of_potential(const Model& model, std::uint32_t seed) {
  Instant instant(model, seed);
  const System& system = *instant.system;
  instant.update();
  add_element_forces(system, instant.constants.data(), instant.w);
  const double power = power_of_wrenches(instant) + power_of_gravity(instant);
  const auto potential = [&](double t) {
    Instant moved = instant.after(t);
    return potential_energy(system, moved.constants.data(), moved.w);
  };
  // Error of the difference: h⁴ 3⁵/30 and eps/h, both near 1e-11 of energies up to 100 J.
  const double h = 1e-3;
  const double rate =
      first_difference(potential(-2 * h), potential(-h), potential(h), potential(2 * h), h);
  EXPECT_NEAR(power, -rate, 1e-9 * (1 + std::fabs(potential(0))));
}

/// The elements of a model between bodies leave no force and no moment behind.
inline void expect_action_and_reaction(const Model& model) {
  Instant instant(model);
  instant.update();
  add_element_forces(*instant.system, instant.constants.data(), instant.w);
  expect_no_net_wrench(instant);
}

/// Kernels measure what the descriptions of a model's forces list, and nothing else. Force and
/// torque between bodies follow from the residual.
inline void expect_listed_quantities(const Model& model) {
  Instant instant(model);
  instant.update();
  for_each_force(instant.system->forces, [&](const auto& element) {
    const auto described = std::ranges::find(model.forces, element.name, &Force::name);
    ASSERT_NE(described, model.forces.end()) << element.name;
    for (const QuantityInfo& info : quantity_table()) {
      const Quantity quantity = info.quantity;
      const bool listed = std::visit(
          [quantity](const auto& kind) {
            return std::ranges::find(kind.quantities, quantity) != kind.quantities.end();
          },
          described->kind);
      double out[6] = {};
      bool measured =
          measure(*instant.system, element, quantity, instant.constants.data(), instant.w, out);
      if constexpr (requires { element.pair; })
        measured = measured || quantity == Quantity::force || quantity == Quantity::torque;
      EXPECT_EQ(measured, listed) << element.name << " " << info.name;
    }
  });
}

}  // namespace tumble::testing
