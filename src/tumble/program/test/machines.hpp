// Machines whose programs are tested.
#pragma once
#include <string>

#include "source_directory.hpp"
#include "tumble/io/model_reader.hpp"

namespace tumble::testing {

inline Model example(const std::string& name) {
  return read_model(std::string(source_directory) + "/examples/" + name, {}).model;
}

/// n rods in a line, hinged about axes that alternate, so that the motion is spatial.
inline Model chain(int n) {
  Model model;
  model.gravity = {0, 0, -9.81};
  for (int i = 0; i < n; ++i) {
    Body rod;
    rod.name = "rod" + std::to_string(i);
    rod.mass = 1 + 0.1 * i;
    rod.position = {i + 0.5, 0, 0};
    rod.inertia = {0.001, 1.0 / 12, 1.0 / 12, 0, 0, 0};
    model.bodies.push_back(rod);
    RevoluteJoint hinge;
    hinge.between = {MarkerRef{i == 0 ? "ground" : "rod" + std::to_string(i - 1)},
                     MarkerRef{rod.name}};
    hinge.point = Vec3d{static_cast<double>(i), 0, 0};
    hinge.axis = i % 2 == 0 ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
    model.joints.push_back({"hinge" + std::to_string(i), hinge});
  }
  Probe tip;
  tip.name = "tip";
  tip.body = BodyRef{model.bodies.back().name};
  tip.point = Vec3d{static_cast<double>(n), 0, 0};
  tip.quantities = {Quantity::position, Quantity::acceleration};
  model.probes.push_back(tip);
  model.simulation.duration = 0.5;
  model.simulation.step = 1e-3;
  model.simulation.output_step = 0.01;
  return model;
}

struct Machine {
  const char* name;
  Model (*make)();
};
inline const Machine machines[] = {
    {"five_body", [] { return example("batou-soize-2012/nominal.yaml"); }},
    {"chain_5", [] { return chain(5); }},
    {"flexible_double_pendulum", [] { return example("wu-2016/double-pendulum.yaml"); }}};

}  // namespace tumble::testing
