// A small model with large rotations for tests of ensembles.
#pragma once
#include "tumble/model/model.hpp"

namespace tumble {

/// Two bars on hinges with crossing axes, so that the motion is spatial.
inline Model two_bars() {
  Model m;
  m.gravity = {0, 0, -9.81};
  Body upper, lower;
  upper.name = "upper";
  upper.mass = 2;
  upper.position = {0.5, 0, 0};
  upper.inertia = {0.01, 0.2, 0.2, 0, 0, 0};
  lower.name = "lower";
  lower.mass = 3000;
  lower.position = {1.0, 0, -0.5};
  lower.inertia = {300, 300, 5, 0, 0, 0};
  m.bodies = {upper, lower};
  const auto hinge = [](const char* a, const char* b, Vec3d point, Vec3d axis) {
    RevoluteJoint joint;
    joint.between = {MarkerRef{a}, MarkerRef{b}};
    joint.point = point;
    joint.axis = axis;
    return joint;
  };
  m.joints = {{"top", hinge("ground", "upper", {0, 0, 0}, {0, 1, 0})},
              {"elbow", hinge("upper", "lower", {1, 0, 0}, {0.6, 0.8, 0})}};
  Probe tip;
  tip.name = "tip";
  tip.body = BodyRef{"lower"};
  tip.point = Vec3d{1, 0, -1};
  tip.quantities = {Quantity::position, Quantity::acceleration, Quantity::orientation};
  Probe energy;
  energy.name = "energy";
  energy.system = true;
  energy.quantities = {Quantity::total_energy};
  m.probes = {tip, energy};
  m.simulation.duration = 0.1;
  m.simulation.step = 2e-3;
  m.simulation.output_step = 0.02;
  return m;
}

}  // namespace tumble
