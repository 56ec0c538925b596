// The equations for one realisation, S = double; lanes have theirs in study/lanes_*.cpp.
#include "tumble/dynamics/energy.hpp"

namespace tumble {

bool has_damping_matrix(const System& system) {
  bool answer = !system.modal_bodies.empty() || !system.states.empty() ||
                !system.user_forces.empty() || !system.user_constraints.empty();
  for_each_force(system.forces, [&answer](const auto&) { answer = true; });
  for (const Block& block : system.blocks) answer = answer || block.kind == Block::Kind::rigid;
  for (const BeamIndex& beam : system.beams) answer = answer || beam.damped || beam.mass_damped;
  return answer;
}

template void update_bodies<double>(const System&, const double*, const double*,
                                    Workspace<double>&);
template void update_drives<double>(const System&, const double*, double, double,
                                    Workspace<double>&);
template void compose<double>(const System&, const double*, const double*, double*);
template void beams_residual<double>(const System&, const double*, const Vec3d&, const double*,
                                     Workspace<double>&, double*);
template void beams_tangent<double>(const System&, const double*, Workspace<double>&);
template BeamState<double> beam_state<double>(const BeamIndex&, const double*,
                                              const Workspace<double>&);
template void residual<double>(const System&, const double*, const double*, const double*,
                               Workspace<double>&, double*);
template void prescribed_wrenches<double>(const System&, const double*, const double*,
                                          const double*, Workspace<double>&);
template void tangent<double>(const System&, const double*, const double*, const double*,
                              Workspace<double>&);
template void constraint_rates<double>(const System&, const double*, Workspace<double>&, double*,
                                       double*);
template class UserEvaluator<double>;
template double potential_energy<double>(const System&, const double*, Workspace<double>&);

}  // namespace tumble
