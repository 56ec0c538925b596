#include "tumble/integrate/step/constraint_velocity.hpp"

#include <algorithm>

#include "tumble/dynamics/equations.hpp"

namespace tumble {

void constraint_velocity(const System& system, const double* constants, const double* v,
                         const double* lambda, Workspace<double>& w, double* velocity,
                         double* bias) {
  std::fill(w.K.begin(), w.K.end(), 0.0);
  for_each_lock(system, [&](const auto& lock) { tangent(lock, constants, lambda, w); });
  for (const auto& lock : system.node_locks) tangent(system, lock, constants, lambda, w);
  for (const auto& coupler : system.couplers) tangent(system, coupler, constants, lambda, w);
  for_each_user_element(system.user_constraints, constants, w, [&](auto& evaluator, std::size_t i) {
    evaluator.add_constraint_tangent(*system.nominal.user_constraints[i].element, lambda);
  });
  double* const time_rate = w.phi_scratch.data();
  constraint_rates(system, constants, w, time_rate, bias);
  multiply_gradient(system, w, v, velocity);
  for (int i = 0; i < system.nc; ++i) velocity[i] += time_rate[i];
}

}  // namespace tumble
