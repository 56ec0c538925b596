// A dead load on a beam: a generalized force on its coordinates, times a drive
// (docs/theory/ancf-beams.md).
#pragma once
#include "tumble/dynamics/workspace.hpp"

namespace tumble {

template <class S>
void residual(const System& system, const BeamLoadIndex& load, const S* c, Workspace<S>& w) {
  const BeamIndex& beam = system.beams[static_cast<std::size_t>(load.beam)];
  const S scale = load.drive >= 0 ? w.drive[static_cast<std::size_t>(load.drive)].value : S(1.0);
  const S* f = c + load.generalized;
  S* force = w.node_force.data() + beam.coordinates;
  const S* v = w.node_v.data() + beam.coordinates;
  S power(0.0);
  for (int k = 0; k < beam.nodes * beam.node_size(); ++k) {
    force[k] = fnma(scale, f[k], force[k]);
    power = fma(f[k], v[k], power);
  }
  w.power.work = fma(scale, power, w.power.work);
}

/// A dead load depends on no coordinate.
template <class S>
void tangent(const System&, const BeamLoadIndex&, const S*, Workspace<S>&) {}

template <class S>
bool measure(const System&, const BeamLoadIndex& load, Quantity quantity, const S* c,
             const Workspace<S>& w, S* out) {
  if (quantity != Quantity::force) return false;
  const S scale = load.drive >= 0 ? w.drive[static_cast<std::size_t>(load.drive)].value : S(1.0);
  store3(out, scale * constants_of(load, c).resultant);
  return true;
}

}  // namespace tumble
