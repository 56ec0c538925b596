// The constraints as velocities, G v + ∂φ/∂t, of a single realisation, without the rest of the
// tangent that G is otherwise part of.
#pragma once
#include "tumble/dynamics/workspace.hpp"

namespace tumble {

/// Fills the gradients in w.K, which holds nothing else of use afterwards, and with them, at the
/// workspace's kinematics:
/// @param lambda (nc) any finite numbers @param velocity (nc) G v + ∂φ/∂t @param bias (nc) φ̈ - G v̇
void constraint_velocity(const System& system, const double* constants, const double* v,
                         const double* lambda, Workspace<double>& w, double* velocity,
                         double* bias);

}  // namespace tumble
