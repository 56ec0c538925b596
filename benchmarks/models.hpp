// Models the benchmarks share.
#pragma once
#include <string>

#include "source_directory.hpp"
#include "tumble/io/model_reader.hpp"

namespace tumble::benchmarks {

inline Model five_body() {
  return read_model(std::string(source_directory) + "/examples/batou-soize-2012/nominal.yaml", {})
      .model;
}

/// The same machine with its bushings written as expressions, and the same probes.
inline Model five_body_expressions() {
  Model model =
      read_model(std::string(source_directory) + "/examples/control/five-body-expressions.yaml", {})
          .model;
  model.probes = five_body().probes;
  return model;
}

/// Two beams, seven elements, whose moduli are random fields; 1200 steps.
inline Model flexible_double_pendulum() {
  return read_model(std::string(source_directory) + "/examples/wu-2016/double-pendulum.yaml", {})
      .model;
}

/// A rod of 1 kg and 1 m, horizontal at rest, hinged at one end about y.
inline Model pendulum(double duration, double step) {
  Model model;
  model.gravity = {0, 0, -9.81};
  Body rod;
  rod.name = "rod";
  rod.mass = 1;
  rod.position = {0.5, 0, 0};
  rod.inertia = {0.001, 1.0 / 12, 1.0 / 12, 0, 0, 0};
  model.bodies.push_back(rod);
  RevoluteJoint hinge;
  hinge.between = {MarkerRef{"ground"}, MarkerRef{"rod"}};
  hinge.point = Vec3d{0, 0, 0};
  hinge.axis = Vec3d{0, 1, 0};
  model.joints.push_back({"hinge", hinge});
  Probe tip;
  tip.name = "tip";
  tip.body = BodyRef{"rod"};
  tip.point = Vec3d{1, 0, 0};
  tip.quantities = {Quantity::position};
  model.probes.push_back(tip);
  model.simulation.duration = duration;
  model.simulation.step = step;
  model.simulation.output_step = duration;
  return model;
}

/// n rods in a line, horizontal at rest; the hinge axes alternate between y and z so that the
/// motion is spatial.
inline Model chain(int n, double duration, double step) {
  Model model = pendulum(duration, step);
  for (int i = 1; i < n; ++i) {
    Body rod = model.bodies.front();
    rod.name = "rod" + std::to_string(i);
    rod.position.x += i;
    rod.inertia = {0.01, 1.0 / 12, 1.0 / 12, 0, 0, 0};
    RevoluteJoint hinge;
    hinge.between = {MarkerRef{model.bodies.back().name}, MarkerRef{rod.name}};
    hinge.point = Vec3d{static_cast<double>(i), 0, 0};
    hinge.axis = i % 2 == 0 ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
    model.bodies.push_back(rod);
    model.joints.push_back({"hinge" + std::to_string(i), hinge});
  }
  return model;
}

}  // namespace tumble::benchmarks
