// Models of one body for the validation tests, and the checks that every run must pass: Newton's
// and Euler's equations with the probed wrenches, energy, accelerations that are the derivatives
// of velocities.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "convergence.hpp"
#include "tumble/integrate/run.hpp"
#include "tumble/model/compile/frames.hpp"

namespace tumble::validation {

constexpr double pi = std::numbers::pi;

inline Orientation turned(const Vec3d& rotation_vector) {
  return {Orientation::Form::rotation_vector,
          "",
          {rotation_vector.x, rotation_vector.y, rotation_vector.z}};
}

/// One body `body` under gravity with all its probes; elements come from add_joint and add_force.
/// Long undamped runs want little numerical damping; without any (a spectral radius of 1) the
/// multipliers of index-3 equations collect rounding.
inline Model one_body(const Vec3d& position, const Vec3d& inertia, const Orientation& orientation,
                      double mass = 1.0) {
  Model model;
  model.gravity = {0, 0, -9.80665};
  Body body;
  body.name = "body";
  body.mass = mass;
  body.position = position;
  body.inertia = {inertia.x, inertia.y, inertia.z, 0, 0, 0};
  body.orientation = orientation;
  model.bodies = {body};
  using Q = Quantity;
  Probe motion;
  motion.name = "body";
  motion.body = BodyRef{"body"};
  motion.quantities = {Q::position,    Q::velocity,         Q::acceleration,
                       Q::orientation, Q::angular_velocity, Q::angular_acceleration};
  Probe system;
  system.name = "system";
  system.system = true;
  system.quantities = {Q::kinetic_energy, Q::total_energy};
  model.probes = {motion, system};
  model.simulation.newton_tolerance = 1e-10;
  model.simulation.spectral_radius = 0.9;
  return model;
}

/// Follows where an element acts on the body; its wrench is probed under the element's name.
inline void add_point_probe(Model& model, const std::string& element, const Vec3d& point) {
  Probe probe;
  probe.name = element + "-point";
  probe.body = BodyRef{"body"};
  probe.point = point;
  probe.quantities = {Quantity::position};
  model.probes.push_back(probe);
}
/// A joint between the ground and the body. `point` is where it holds the body.
inline void add_joint(Model& model, const JointKind& kind, const Vec3d& point,
                      const std::vector<Quantity>& more = {}) {
  model.joints.push_back({"joint", kind});
  Probe probe;
  probe.name = "joint";
  probe.joint = JointRef{"joint"};
  probe.quantities = {Quantity::force, Quantity::torque};
  probe.quantities.insert(probe.quantities.end(), more.begin(), more.end());
  model.probes.push_back(probe);
  add_point_probe(model, "joint", point);
}
/// A force element between the ground and the body, which it holds at `point`.
inline void add_force(Model& model, const ForceKind& kind, const Vec3d& point,
                      const std::vector<Quantity>& more = {}) {
  model.forces.push_back({"force", kind});
  Probe probe;
  probe.name = "force";
  probe.force = ForceRef{"force"};
  probe.quantities = {Quantity::force, Quantity::torque};
  probe.quantities.insert(probe.quantities.end(), more.begin(), more.end());
  model.probes.push_back(probe);
  add_point_probe(model, "force", point);
}
template <class Kind>
Kind grounded(Kind kind) {
  kind.between = {MarkerRef{"ground"}, MarkerRef{"body"}};
  return kind;
}

// --- reading trajectories ------------------------------------------------------------------------

inline const ProbeSeries& series(const Trajectory& trajectory, const std::string& probe,
                                 Quantity quantity) {
  for (const auto& s : trajectory.series)
    if (s.probe == probe && s.quantity == quantity) return s;
  throw std::logic_error("no series " + probe + "." + std::string(info(quantity).name));
}
inline double scalar_at(const Trajectory& trajectory, const std::string& probe, Quantity quantity,
                        std::size_t k) {
  return series(trajectory, probe, quantity).values[k];
}
inline Vec3d vector_at(const Trajectory& trajectory, const std::string& probe, Quantity quantity,
                       std::size_t k) {
  return load3(&series(trajectory, probe, quantity).values[3 * k]);
}
inline Mat3d rotation_at(const Trajectory& trajectory, const std::string& probe, std::size_t k) {
  const double* q = &series(trajectory, probe, Quantity::orientation).values[4 * k];
  return matrix(Quaternion<double>{q[0], q[1], q[2], q[3]});
}
inline std::size_t last(const Trajectory& trajectory) { return trajectory.times.size() - 1; }

/// Largest component of a difference.
inline double distance(const Vec3d& a, const Vec3d& b) {
  const Vec3d d = a - b;
  return std::max({std::fabs(d.x), std::fabs(d.y), std::fabs(d.z)});
}

// --- checks --------------------------------------------------------------------------------------

/// m a = m g + Σ F and J ω̇ + ω × J ω = Σ (T + r × F) with the probed wrenches of all elements,
/// relative to the largest force or torque of the sum. The bar is what the Newton iterations leave
/// (1e-10) with room for the rounding floor eps L / (β h²) of accelerations at the smallest steps.
inline void expect_newton_euler(const Model& model, const Trajectory& run, double bar = 1e-6) {
  const Body& body = model.bodies.front();
  const Vec3d inertia{body.inertia[0], body.inertia[1], body.inertia[2]};
  std::vector<std::string> elements;
  for (const auto& joint : model.joints) elements.push_back(joint.name);
  for (const auto& force : model.forces) elements.push_back(force.name);
  using Q = Quantity;
  const std::size_t every = std::max<std::size_t>(1, last(run) / 10);
  for (std::size_t k = 0; k <= last(run); k += every) {
    const Vec3d centre = vector_at(run, "body", Q::position, k);
    Vec3d force = body.mass * model.gravity, torque;
    double scale = norm(force);
    for (const auto& element : elements) {
      const Vec3d f = vector_at(run, element, Q::force, k);
      const Vec3d r = vector_at(run, element + "-point", Q::position, k) - centre;
      force += f;
      torque += vector_at(run, element, Q::torque, k) + cross(r, f);
      scale = std::max({scale, norm(f), norm(vector_at(run, element, Q::torque, k))});
    }
    const Vec3d a = vector_at(run, "body", Q::acceleration, k);
    EXPECT_LT(distance(body.mass * a, force), bar * scale) << "t = " << run.times[k];
    const Mat3d R = rotation_at(run, "body", k);
    const auto times_inertia = [&](const Vec3d& x_W) {
      const Vec3d x = transpose_times(R, x_W);
      return R * Vec3d{inertia.x * x.x, inertia.y * x.y, inertia.z * x.z};
    };
    const Vec3d w = vector_at(run, "body", Q::angular_velocity, k);
    const Vec3d wdot = vector_at(run, "body", Q::angular_acceleration, k);
    EXPECT_LT(distance(times_inertia(wdot) + cross(w, times_inertia(w)), torque), bar * scale)
        << "t = " << run.times[k];
  }
}

/// Rounding in accelerations: positions of about 4 m are rounded at 1e-15 m, second differences
/// take 4/h^2 of that, and the method's double root -0.9 at infinite frequency sums up to
/// 1/(1 - 0.9)^2 = 100 of them. Ten times the product covers the peaks over all outputs.
inline double acceleration_noise(double step) { return 4e-12 / (step * step); }

/// By how much a probed derivative differs from five-point differences of what it derives, beyond
/// what those resolve (their distance from three-point differences); the largest over the run.
inline double derivative_excess(const Trajectory& run, Quantity of, Quantity derivative) {
  double largest = 0;
  for (std::size_t k = 2; k + 2 <= last(run); ++k) {
    const double spacing = run.times[k + 1] - run.times[k];
    const Vec3d near = vector_at(run, "body", of, k + 1) - vector_at(run, "body", of, k - 1);
    const Vec3d far = vector_at(run, "body", of, k + 2) - vector_at(run, "body", of, k - 2);
    const Vec3d three = (1 / (2 * spacing)) * near;
    const Vec3d five = (1 / (12 * spacing)) * (8.0 * near - far);
    const Vec3d probed = vector_at(run, "body", derivative, k);
    largest = std::max(largest, distance(five, probed) - distance(five, three));
  }
  return largest;
}
inline void expect_derivatives(const Trajectory& run, double bar) {
  using Q = Quantity;
  EXPECT_LT(derivative_excess(run, Q::position, Q::velocity), bar);
  EXPECT_LT(derivative_excess(run, Q::velocity, Q::acceleration), bar);
  EXPECT_LT(derivative_excess(run, Q::angular_velocity, Q::angular_acceleration), bar);
}

/// Largest change of the total energy since t = 0, relative to the largest kinetic energy.
inline double energy_change(const Trajectory& run) {
  const auto& energy = series(run, "system", Quantity::total_energy).values;
  const auto& kinetic = series(run, "system", Quantity::kinetic_energy).values;
  double largest = 0;
  for (const double e : energy) largest = std::max(largest, std::fabs(e - energy.front()));
  return largest / *std::max_element(kinetic.begin(), kinetic.end());
}

/// Errors of two such runs fall at second order. Below `resolved` their ratio says nothing.
inline void expect_second_order(const std::string& what, double coarse, double fine,
                                double resolved) {
  if (fine < resolved) return;
  EXPECT_GT(observed_order(coarse, fine), 1.8) << what << ": " << coarse << ", " << fine;
  EXPECT_LT(observed_order(coarse, fine), 2.2) << what << ": " << coarse << ", " << fine;
}

}  // namespace tumble::validation
