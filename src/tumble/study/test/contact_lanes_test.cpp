// Contacts in lanes: some touch while others fly, and each has the bits of the scalar engine.
#include <gtest/gtest.h>

#include <cmath>

#include "lanes_for_tests.hpp"

namespace tumble {
namespace {

Body ball(const char* name, const Vec3d& position) {
  Body b;
  b.name = name;
  b.mass = 0.4;
  b.inertia = {0.002, 0.0022, 0.0021, 0, 0, 0};
  b.position = position;
  return b;
}

template <class Contact>
Contact touching(const char* first, const char* second, const Vec3d& at, const Vec3d& centre) {
  Contact c;
  c.between = {MarkerRef{first}, MarkerRef{second}};
  c.points = {at, centre};
  c.radius = 0.1;
  c.stiffness = 2e4;
  c.damping = 0.2;
  c.friction = 0.3;
  c.transition_velocity = 0.01;
  return c;
}

/// Two balls that fall on hills and on a floor and meet, one on a rope, beside a box, a pin and a
/// wheel.
Model scene() {
  Model m;
  m.gravity = {0, 0, -9.81};
  const Vec3d a{0.05, 0.02, 0.16}, b{0.22, 0.05, 0.2}, c{1, 0, 0.16}, w{2, 0, 0.29};
  m.bodies = {ball("a", a), ball("b", b), ball("c", c), ball("w", w)};
  m.bodies[0].velocity = {0.4, 0, 0};
  m.bodies[2].angular_velocity = {1, 2, 3};
  m.bodies[3].velocity = {1, 0.05, 0};
  m.bodies[3].angular_velocity = {0, 3, 0};
  auto hills = touching<HeightFieldContact>("ground", "a", {-1, -1, 0}, a);
  hills.spacing = {0.4, 0.5};
  for (int i = 0; i < 6; ++i) {
    hills.heights.emplace_back();
    for (int j = 0; j < 7; ++j) hills.heights.back().push_back(0.03 * std::sin(1.3 * i + 0.8 * j));
  }
  auto floor = touching<PlaneContact>("ground", "b", {}, b);
  floor.normal = Vec3d{0.05, 0, 1};
  floor.static_friction = 0.4;
  floor.rolling_resistance = 0.002;
  auto pair = touching<SphereContact>("a", "b", a, b);
  pair.surface_radius = 0.1;
  auto box = touching<PlaneContact>("ground", "c", {}, c);
  box.normal = Vec3d{0, 0, 1};
  box.radius = 0;
  box.box = Vec3d{0.2, 0.2, 0.3};
  auto pin = touching<CylinderContact>("ground", "c", {1.1, 0, 0}, c);
  pin.axis = Vec3d{0, 1, 0};
  pin.surface_radius = 0.05;
  pin.length = 0.1;
  Tyre tyre;
  tyre.between = {MarkerRef{"ground"}, MarkerRef{"w"}};
  tyre.points = {Vec3d{}, w};
  tyre.normal = Vec3d{0, 0, 1};
  tyre.radius = 0.3;
  tyre.stiffness = 2e3;
  tyre.damping = 0.2;
  tyre.friction = 0.8;
  tyre.longitudinal_stiffness = 40;
  tyre.cornering_stiffness = 30;
  tyre.contact_length = 0.1;
  Cable rope;
  rope.between = {MarkerRef{"ground"}, MarkerRef{"a"}};
  rope.points = {Vec3d{0, 0, 1}, a};
  rope.length = 0.87;
  rope.stiffness = 300;
  rope.damping = 1;
  rope.onset = 0.01;
  m.forces = {{"hills", hills}, {"floor", floor}, {"pair", pair}, {"box", box},
              {"pin", pin},     {"tyre", tyre},   {"rope", rope}};
  const auto probe = [&m](const char* force, std::vector<Quantity> quantities) {
    Probe p;
    p.name = force;
    p.force = ForceRef{force};
    p.quantities = std::move(quantities);
    m.probes.push_back(p);
  };
  using Q = Quantity;
  for (const char* force : {"hills", "floor", "pair", "box", "pin"})
    probe(force, {Q::gap, Q::normal_force, Q::friction_force, Q::dissipated_power, Q::torque});
  probe("tyre", {Q::slip_ratio, Q::slip_angle, Q::aligning_moment, Q::force});
  probe("rope", {Q::tension});
  Probe energy;
  energy.name = "all";
  energy.system = true;
  energy.quantities = {Q::total_energy};
  m.probes.push_back(energy);
  m.simulation.duration = 0.15;
  m.simulation.step = 5e-4;
  m.simulation.output_step = 0.01;
  return m;
}

TEST(ContactLanesSlow, HaveTheBitsOfTheScalarEngine) {
  expect_bits_of_scalar_engine(
      scene(),
      {"forces.floor.stiffness", "forces.floor.exponent", "forces.hills.heights[2][2]",
       "forces.pair.radius", "forces.box.friction", "forces.tyre.friction", "forces.rope.length",
       "bodies.b.position[2]"},
      [](std::uint64_t r, double* x) {
        const auto i = static_cast<double>(r);
        x[0] = 2e4 * (1 + 0.02 * i);
        x[1] = 1.2 + 0.03 * i;
        x[2] = 0.01 + 0.001 * i;
        x[3] = 0.1 - 0.001 * i;
        x[4] = 0.1 + 0.02 * i;
        x[5] = 0.5 + 0.03 * i;
        x[6] = 0.86 + 0.002 * i;
        x[7] = 0.2 + 0.004 * i;
      });
}

}  // namespace
}  // namespace tumble
