// A program outside the tree: it sees every installed header at once, which must agree with each
// other and need nothing that the package does not bring along, and it runs a model, so that the
// libraries it links are complete.
#include <cmath>
#include <cstdio>

#include "all_headers.hpp"

int main() {
  tumble::Model model;
  model.gravity = {0, 0, -10};
  tumble::Body stone;
  stone.name = "stone";
  stone.mass = 2;
  stone.inertia = {1, 1, 1, 0, 0, 0};
  model.bodies = {stone};
  tumble::Probe fall;
  fall.name = "fall";
  fall.body = tumble::BodyRef{"stone"};
  fall.quantities = {tumble::Quantity::position};
  model.probes = {fall};
  model.simulation.duration = 1;
  model.simulation.step = 0.1;
  const tumble::Trajectory trajectory = tumble::simulate(model);
  const double height = trajectory.series[0].values.back();
  std::printf("fell to %g m\n", height);
  return std::fabs(height + 5) < 1e-12 ? 0 : 1;
}
