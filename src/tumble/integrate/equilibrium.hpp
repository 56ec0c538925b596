// Static equilibrium with load stepping, and small vibrations about it, for any system.
//
// Equilibrium: r(q, 0, 0, λ) = 0 and φ(q, t = 0) = 0, by Newton's method on
//   [ K  Gᵀ ] [ δ ]     [ r ]
//   [ G  0  ] [ μ ] = - [ φ ]
// from the described start, with gravity, applied forces and loads on beams raised in equal steps.
// Small vibrations about a state at rest: with Z a basis of the motions that G δ = 0 leaves,
//   Zᵀ K Z x = ω² Zᵀ M Z x
// Theory: docs/theory/statics-and-modes.md.
#pragma once
#include "tumble/integrate/integrator.hpp"

namespace tumble {

struct EquilibriumOptions {
  int load_steps = 1;
  int max_iterations = 50;  ///< a load step
};

/// A state at rest; rates are zero.
struct Equilibrium {
  MotionState state;
  int iterations = 0;                         ///< of all load steps
  std::vector<std::vector<double>> measured;  ///< after each load step: what the probes see
};

/// Drives are as at t = 0. @throws SimulationError if a load step does not converge, or if the
/// system can move without resistance, naming the coordinates.
Equilibrium find_equilibrium(const Plan& plan, const Model& model,
                             const EquilibriumOptions& options = {});

/// One way to vibrate.
struct VibrationMode {
  double square = 0;  ///< ω² [rad²/s²]; negative if the state is unstable
  /// Displacements of all coordinates (rotations of bodies in their axes), scaled so that the
  /// largest displacement, rotations weighed with radii of gyration, is 1 m.
  std::vector<double> shape;
  double frequency() const;  ///< ω/2π [Hz]; 0 where ω² is not positive
};

struct Vibrations {
  std::vector<VibrationMode> modes;  ///< by increasing ω²
  /// Largest difference of Zᵀ K Z from its transpose, relative to its largest entry: not small if
  /// forces without a potential act, for which ω² is not the whole truth.
  double asymmetry = 0;
};

/// The lowest `count` modes about a state at rest; damping is left out of account.
Vibrations find_vibrations(const Plan& plan, const Model& model, const MotionState& state,
                           int count);

/// The described start, brought onto the constraints, at rest and with no reactions.
MotionState assembled_start(const Plan& plan, const Model& model);

/// Displacement of every probe's position per unit of a mode, [probe][axis]; only probes of bodies
/// and beams that ask for positions.
struct ModeDisplacement {
  std::string probe;
  Vec3d displacement;
};
std::vector<ModeDisplacement> mode_displacements(const System& system, const Model& model,
                                                 const MotionState& state,
                                                 const VibrationMode& mode);

}  // namespace tumble
