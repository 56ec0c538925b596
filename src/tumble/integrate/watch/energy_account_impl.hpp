// The definitions of BasicEnergyAccount, instantiated where BasicIntegrator is.
#pragma once
#include "tumble/integrate/watch/energy_account.hpp"

namespace tumble {

template <class S>
BasicEnergyAccount<S>::BasicEnergyAccount(const System& system, const std::vector<S>& constants)
    : BasicEnergyLedger<S>(bearable(system)),
      system_(system),
      c_(constants),
      units_(static_cast<std::size_t>(system.nc), RowUnit::length) {
  const auto mark = [this](int first, int count, RowUnit unit) {
    for (int i = first; i < first + count; ++i) units_[static_cast<std::size_t>(i)] = unit;
  };
  for (const auto& lock : system.dot_locks) mark(lock.row.row, 1, RowUnit::direction);
  for (const auto& joint : system.node_joints)
    mark(joint.row + joint.components, joint.dots, RowUnit::direction);
  for (const auto& lock : system.twist_locks) mark(lock.row.row, 1, RowUnit::direction);
  for (const auto& lock : system.node_locks) mark(lock.rows[3].row, 3, RowUnit::direction);
  for (const auto& coupler : system.couplers)
    if (!coupler.in_length) mark(coupler.row, 1, RowUnit::direction);
  for (const auto& user : system.user_constraints) mark(user.row, user.rows, RowUnit::of_user);
}

template <class S>
void BasicEnergyAccount<S>::begin(BasicIntegrator<S>& integrator) {
  const Workspace<S>& w = integrator.observe();
  const StoredEnergy<S> e = stored_energy(system_, c_.data(), w);
  // What rounding of positions does to velocities, as kinetic energy.
  const S speed =
      S(1e4 * 2.220446049250313e-16 / integrator.step_size()) * integrator.length_scale();
  S resting(0.0);
  for (const auto& body : system_.bodies)
    if (body.block >= 0)
      resting = fma(c_[static_cast<std::size_t>(body.constants)], speed * speed, resting);
  for (const BeamIndex& beam : system_.beams)
    for (int node = 0; node < beam.nodes; ++node)
      for (int k = 0; k < beam.dimension; ++k) {
        const int row = system_.beam_v + beam.node(node) + k;
        const S& mass = w.M[static_cast<std::size_t>(system_.pattern.slot(row, row))];
        resting = fma(mass, speed * speed, resting);
      }
  this->open_account({e.kinetic, e.potential, resting});
}

template <class S>
EnergySight<S> BasicEnergyAccount<S>::see(const BasicIntegrator<S>& integrator, Workspace<S>& w) {
  const StoredEnergy<S> e = stored_energy(system_, c_.data(), w);
  EnergySight<S> sight;
  sight.kinetic = e.kinetic;
  sight.potential = e.potential;
  sight.size = e.size;
  measure_violations(integrator, w, sight);
  return sight;
}

template <class S>
void BasicEnergyAccount<S>::measure_violations(const BasicIntegrator<S>& integrator,
                                               Workspace<S>& w, EnergySight<S>& sight) {
  const S per_length = S(1.0) / integrator.length_scale();
  const auto& lambda = integrator.state().lambda;
  add_joint_forces(system_, c_.data(), lambda.data(), w, w.phi_scratch.data());
  S &violation = sight.violation, &drift = sight.drift, &slack = sight.slack;
  drift = violation = slack = S(0.0);
  for (std::size_t i = 0; i < units_.size(); ++i) {
    if (units_[i] == RowUnit::of_user) continue;
    const S size = abs(w.phi_scratch[i]);
    const S relative = units_[i] == RowUnit::length ? per_length * size : size;
    if constexpr (std::is_same_v<S, double>) {
      if (!(relative <= violation)) worst_row = static_cast<int>(i);
    }
    violation = select(relative <= violation, violation, relative);
    drift = select(size <= drift, drift, size);
    slack = fma(abs(lambda[i]), size, slack);
  }
  for_each_user_element(
      system_.user_constraints, c_.data(), w, [&](auto& evaluator, std::size_t i) {
        const auto v = evaluator.violation(*system_.nominal.user_constraints[i].element,
                                           integrator.length_scale());
        if constexpr (std::is_same_v<S, double>) {
          if (!(v.relative <= violation)) worst_row = v.row;
        }
        violation = select(v.relative <= violation, violation, v.relative);
        drift = select(v.value <= drift, drift, v.value);
      });
}

}  // namespace tumble
