// The definitions of BasicEnergyAccount, instantiated where BasicIntegrator is.
#pragma once
#include "tumble/integrate/watch/energy_account.hpp"

namespace tumble {

template <class S>
BasicEnergyAccount<S>::BasicEnergyAccount(const System& system, const std::vector<S>& constants)
    : system_(system), c_(constants), units_(static_cast<std::size_t>(system.nc), RowUnit::length) {
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
  start = floor_ = e.kinetic + e.potential;
  potential_start_ = e.potential;
  exchanged = e.kinetic;
  // What rounding of positions does to velocities, as kinetic energy.
  const S speed =
      S(1e4 * 2.220446049250313e-16 / integrator.step_size()) * integrator.length_scale();
  resting_ = S(0.0);
  for (const auto& body : system_.bodies)
    if (body.block >= 0)
      resting_ = fma(c_[static_cast<std::size_t>(body.constants)], speed * speed, resting_);
  for (const BeamIndex& beam : system_.beams)
    for (int node = 0; node < beam.nodes; ++node)
      for (int k = 0; k < beam.dimension; ++k) {
        const int row = system_.beam_v + beam.node(node) + k;
        const S& mass = w.M[static_cast<std::size_t>(system_.pattern.slot(row, row))];
        resting_ = fma(mass, speed * speed, resting_);
      }
  impulses_ = largest_mismatch = largest_gain_ = largest_loss_ = S(0.0);
  work_doubt_ = heat_doubt_ = rounding_ = S(0.0);
}

template <class S>
void BasicEnergyAccount<S>::look(const BasicIntegrator<S>& integrator, Workspace<S>& w) {
  const StoredEnergy<S> e = stored_energy(system_, c_.data(), w);
  kinetic = e.kinetic;
  potential = e.potential;
  size_ = e.size;
  work = integrator.work() + impulses_;
  dissipated = integrator.dissipated();
  work_doubt_now_ = integrator.work_doubt();
  heat_doubt_now_ = integrator.dissipated_doubt();
  mismatch = (kinetic + potential - start) - (work - dissipated);
  gained = min(mismatch, (kinetic + potential - work) - floor_);
  lost = -mismatch;
  measure_violations(integrator, w);
}

template <class S>
void BasicEnergyAccount<S>::enter() {
  exchanged = max(exchanged, exchanged_now());
  floor_ = min(floor_, remaining());
  largest_mismatch = max(largest_mismatch, abs(mismatch));
  largest_gain_ = max(largest_gain_, gained);
  largest_loss_ = max(largest_loss_, lost);
  work_doubt_ = max(work_doubt_, work_doubt_now_);
  heat_doubt_ = max(heat_doubt_, heat_doubt_now_);
  rounding_ = max(rounding_, rounding_now());
}

template <class S>
void BasicEnergyAccount<S>::measure_violations(const BasicIntegrator<S>& integrator,
                                               Workspace<S>& w) {
  const S per_length = S(1.0) / integrator.length_scale();
  const auto& lambda = integrator.state().lambda;
  add_joint_forces(system_, c_.data(), lambda.data(), w, w.phi_scratch.data());
  drift = violation = slack_ = S(0.0);
  for (std::size_t i = 0; i < units_.size(); ++i) {
    if (units_[i] == RowUnit::of_user) continue;
    const S size = abs(w.phi_scratch[i]);
    const S relative = units_[i] == RowUnit::length ? per_length * size : size;
    if constexpr (std::is_same_v<S, double>) {
      if (!(relative <= violation)) worst_row = static_cast<int>(i);
    }
    violation = select(relative <= violation, violation, relative);
    drift = select(size <= drift, drift, size);
    slack_ = fma(abs(lambda[i]), size, slack_);
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
