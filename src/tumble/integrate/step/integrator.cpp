#include <fmt/format.h>

#include "tumble/integrate/step/integrator_impl.hpp"

namespace tumble {

template class BasicIntegrator<double>;

void throw_turned_over(const System& system, const std::vector<double>& constants,
                       const Workspace<double>& w, double time) {
  std::string name;
  double least = 2;
  for (const JointIndex& joint : system.joints) {
    double alignment = 1;
    if (joint.locks >= 0)
      alignment = joint_alignment(system.joint_locks[static_cast<std::size_t>(joint.locks)],
                                  constants.data(), w);
    else if (joint.node_joint >= 0)
      alignment = joint_alignment(system.node_joints[static_cast<std::size_t>(joint.node_joint)],
                                  constants.data(), w);
    if (!(alignment >= least)) least = alignment, name = joint.name;
  }
  throw SimulationError(
      fmt::format("joint '{}' has turned over by half a turn before t = {} s, because its bodies "
                  "turn too far in a step; use a smaller step",
                  name, format_number(time)),
      time);
}

bool exchanges_power(const System& system) {
  bool answer = !system.user_forces.empty() || !system.user_constraints.empty() ||
                system.drives.size() > 0 || system.events_act();
  for_each_force(system.forces, [&answer](const auto&) { answer = true; });
  for (const BeamIndex& beam : system.beams) answer = answer || beam.damped || beam.mass_damped;
  for (const ModalIndex& modal : system.modal_bodies) answer = answer || modal.damped;
  return answer;
}

void throw_not_assembled(const System& system, int row, double violation, double time) {
  throw SimulationError(
      fmt::format("the mechanism cannot be assembled at t = {} s: {} is off by {:.3g}", time,
                  system.describe_row(row), violation),
      time);
}

void throw_jump_in_singular_position(const System& system, int row, double time) {
  throw SimulationError(
      fmt::format("at t = {} s an imposed velocity jumps in a singular position, where no impulse "
                  "decides how the mechanism goes on: {} is hit; let the velocity jump earlier or "
                  "later, or change without a jump",
                  time, system.describe_row(row)),
      time);
}

}  // namespace tumble
