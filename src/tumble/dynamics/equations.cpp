// The equations for one realisation, S = double; lanes have theirs in study/lanes_*.cpp.
#include "tumble/dynamics/energy.hpp"

namespace tumble {

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
