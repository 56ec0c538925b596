// Parts of small machines for tests of runs.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "tumble/integrate/run.hpp"

namespace tumble::testing {

/// A body of 1 kg at the origin whose moments are all 1 kg m².
inline Body unit_body(const std::string& name) {
  Body b;
  b.name = name;
  b.mass = 1;
  b.inertia = {1, 1, 1, 0, 0, 0};
  return b;
}

/// A body of 2 kg without any symmetry.
inline Body lopsided_body(const std::string& name, const Vec3d& position) {
  Body b;
  b.name = name;
  b.mass = 2;
  b.position = position;
  b.inertia = {0.03, 0.04, 0.05, 0.001, 0.002, -0.003};
  return b;
}

inline Body point_mass(const std::string& name, double mass, const Vec3d& position) {
  Body b;
  b.name = name;
  b.mass = mass;
  b.position = position;
  b.rotates = false;
  return b;
}

/// A beam from the origin to (0.5, 0, 0) that bends visibly.
inline Beam soft_arm(const std::string& name) {
  Beam beam;
  beam.name = name;
  beam.elements = 2;
  beam.section.rectangle = RectangleSection{0.03, 0.02};
  beam.youngs_modulus = 5e8;
  beam.poisson_ratio = 0.3;
  beam.density = 2000;
  beam.line = std::array<Vec3d, 2>{Vec3d{0, 0, 0}, Vec3d{0.5, 0, 0}};
  return beam;
}

inline std::array<MarkerRef, 2> between(const char* first, const char* second) {
  return {MarkerRef{first}, MarkerRef{second}};
}

inline RevoluteJoint hinge(const char* first, const char* second, const Vec3d& axis) {
  RevoluteJoint joint;
  joint.between = between(first, second);
  joint.point = Vec3d{};
  joint.axis = axis;
  return joint;
}

inline Probe joint_probe(const char* joint, std::vector<Quantity> quantities) {
  Probe p;
  p.name = std::string("joint_") + joint;
  p.joint = JointRef{joint};
  p.quantities = std::move(quantities);
  return p;
}
inline Probe force_probe(const char* force, std::vector<Quantity> quantities) {
  Probe p;
  p.name = std::string("force_") + force;
  p.force = ForceRef{force};
  p.quantities = std::move(quantities);
  return p;
}
inline Probe body_probe(const char* body, std::vector<Quantity> quantities) {
  Probe p;
  p.name = std::string("body_") + body;
  p.body = BodyRef{body};
  p.quantities = std::move(quantities);
  return p;
}
inline Probe energy_probe() {
  Probe p;
  p.name = "all";
  p.system = true;
  p.quantities = {Quantity::total_energy};
  return p;
}

inline Model timed(double duration, double step) {
  Model m;
  m.simulation.duration = duration;
  m.simulation.step = step;
  return m;
}

inline const std::vector<double>& values(const Trajectory& run, Quantity quantity) {
  for (const auto& series : run.series)
    if (series.quantity == quantity) return series.values;
  throw std::logic_error("not recorded");
}

}  // namespace tumble::testing
