// One body in a place where elements can be worked out by hand: at the origin, unturned, at rest.
#pragma once
#include <gtest/gtest.h>

#include <numbers>

#include "tumble/dynamics/energy.hpp"
#include "tumble/model/compile.hpp"

namespace tumble::testing {

/// Mass 2 kg, inertia (2, 3, 4) kg m², centre of mass (and reference point) at the origin.
inline Model unit_model() {
  Model m;
  Body b;
  b.name = "b";
  b.mass = 2;
  b.inertia = {2, 3, 4, 0, 0, 0};
  m.bodies = {b};
  m.simulation.duration = 1;
  m.simulation.step = 0.01;
  return m;
}
inline const std::array<MarkerRef, 2> ground_to_b{MarkerRef{"ground"}, MarkerRef{"b"}};

/// The body of unit_model() anywhere, with what elements do to it.
struct Placed {
  explicit Placed(const Model& model)
      : system(compile(model, PrescribedMotion::keep)),
        constants(prepare(*system, model)),
        w(*system) {
    const InitialState start = initial_state(*system, model);
    q = start.q;
    v = start.v;
    lambda.assign(static_cast<std::size_t>(system->nc), 0.0);
    vdot.assign(static_cast<std::size_t>(system->nv), 0.0);
  }
  /// Moves the body by a world displacement and a rotation vector in body axes.
  Placed& move(const Vec3d& displacement, const Vec3d& rotation) {
    double u[6];
    store3(u, displacement);
    store3(u + 3, rotation);
    const std::vector<double> before = q;
    compose(*system, before.data(), u, q.data());
    return *this;
  }
  /// Velocity in ground axes, angular velocity in body axes.
  Placed& speed(const Vec3d& velocity, const Vec3d& angular_velocity) {
    store3(&v[0], velocity);
    store3(&v[3], angular_velocity);
    return *this;
  }
  Placed& at_time(double t) {
    time = t;
    return *this;
  }
  void update() {
    update_drives(*system, constants.data(), time, time, w);
    update_bodies(*system, q.data(), v.data(), w);
  }
  /// Equations of motion (6), then constraints.
  std::vector<double> residual() {
    update();
    std::vector<double> out(static_cast<std::size_t>(system->nv + system->nc));
    tumble::residual(*system, constants.data(), vdot.data(), lambda.data(), w, out.data());
    return out;
  }
  std::vector<double> constraints() {
    const auto all = residual();
    return {all.begin() + system->nv, all.end()};
  }
  /// What the force elements do to the body: force, and torque about the origin of the body.
  Wrench wrench() {
    update();
    add_element_forces(*system, constants.data(), w);
    return {-w.body[1].force_W, -w.body[1].torque_W};
  }
  double potential() {
    update();
    return potential_energy(*system, constants.data(), w);
  }

  std::shared_ptr<const System> system;
  std::vector<double> constants, q, v, vdot, lambda;
  double time = 0;
  Workspace<double> w;
};

/// Numbers below are of order 10: a few roundings.
inline void expect_vector(const Vec3d& found, const Vec3d& expected, const char* what = "") {
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(found[k], expected[k], 4e-14) << what << ", axis " << k;
}

}  // namespace tumble::testing
