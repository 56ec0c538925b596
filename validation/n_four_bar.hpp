// The N-four-bar: N parallelograms of rods of 1 m and 1 kg in a row, upright, the top moving at 1
// m/s (problem A02 of the IFToMM library of multibody benchmark problems; M. Gonzalez, D. Dopico,
// U. Lugris, J. Cuadrado: A benchmarking system for MBS simulation software, Multibody Syst. Dyn.
// 16 (2006)). Each time the rods lie down, all of them align: each loop loses a rank, and could go
// on as a kite.
#pragma once
#include <cmath>
#include <string>

#include "tumble/model/model.hpp"

namespace tumble::validation {

/// `angle`: of the uprights from the vertical at the start.
inline Model n_four_bar(int loops, double step, double duration, double angle = 0) {
  Model model;
  model.gravity = {0, 0, -9.81};
  const double s = std::sin(angle), c = std::cos(angle);
  const auto numbered = [](const char* word, int i) { return word + std::to_string(i); };
  for (int i = 0; i <= loops; ++i) {
    Body upright;
    upright.name = numbered("upright", i);
    upright.mass = 1;
    upright.position = {i + 0.5 * s, 0, 0.5 * c};
    upright.orientation.form = Orientation::Form::rotation_vector;
    upright.orientation.numbers = {0, angle, 0};
    upright.inertia = {1.0 / 12, 1.0 / 12, 1e-3, 0, 0, 0};
    upright.velocity = {0.5 * c, 0, -0.5 * s};
    upright.angular_velocity = {0, 1, 0};
    model.bodies.push_back(upright);
    RevoluteJoint foot;
    foot.between = {{{"ground"}, {upright.name}}};
    foot.point = Vec3d{double(i), 0, 0};
    foot.axis = Vec3d{0, 1, 0};
    model.joints.push_back({numbered("foot", i), foot});
  }
  for (int i = 0; i < loops; ++i) {
    Body coupler;
    coupler.name = numbered("coupler", i);
    coupler.mass = 1;
    coupler.position = {i + 0.5 + s, 0, c};
    coupler.inertia = {1e-3, 1.0 / 12, 1.0 / 12, 0, 0, 0};
    coupler.velocity = {c, 0, -s};
    model.bodies.push_back(coupler);
    RevoluteJoint left;
    left.between = {{{numbered("upright", i)}, {coupler.name}}};
    left.point = Vec3d{i + s, 0, c};
    left.axis = Vec3d{0, 1, 0};
    model.joints.push_back({numbered("left", i), left});
    GeneralJoint right;  // what is in the plane; the rest would repeat what the others hold
    right.between = {{{numbered("upright", i + 1)}, {coupler.name}}};
    right.point = Vec3d{i + 1 + s, 0, c};
    right.locked_motions.has = {true, false, true, false, false, false};
    model.joints.push_back({numbered("right", i), right});
  }
  Probe energy;
  energy.name = "energy";
  energy.system = true;
  energy.quantities = {Quantity::total_energy};
  model.probes.push_back(energy);
  const auto top = [&](const char* name, int i) {
    Probe probe;
    probe.name = name;
    probe.body = BodyRef{numbered("upright", i)};
    probe.point = Vec3d{i + s, 0, c};
    probe.quantities = {Quantity::position};
    model.probes.push_back(probe);
  };
  top("first", 0);
  top("last", loops);
  model.simulation.duration = duration;
  model.simulation.step = step;
  model.simulation.output_step = 0.01;
  return model;
}

}  // namespace tumble::validation
