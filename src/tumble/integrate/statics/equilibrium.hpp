// Equilibrium, at rest or in steady motion, and small vibrations about it, for any system.
//
// Equilibrium: r(q, v, v̇, λ) = 0 and φ(q) = 0 with the rates of a steady motion, none at rest. At
// rest first by Newton's method on
//   [ K  Gᵀ ] [ δ ]     [ r ]
//   [ G  0  ] [ μ ] = - [ φ ]
// from the described start, with gravity, applied forces and loads on beams raised in equal steps;
// where that finds nothing, or nothing stable, by descent (relaxation.hpp).
// Small vibrations: with Z a basis of the motions that G y = 0 leaves, eigenvalues s of
//   (s² Zᵀ M Z + s Zᵀ C Z + Zᵀ K Z) x = 0.
// Theory: docs/theory/statics-and-modes.md.
#pragma once
#include <complex>

#include "tumble/integrate/statics/steady_motion.hpp"
#include "tumble/integrate/step/integrator.hpp"

namespace tumble {

/// What an equilibrium is sought for.
enum class EquilibriumKind {
  automatic,  ///< the steady motion of drives with constant rates, else a described motion that is
              ///< steady, else rest
  rest,       ///< drives held at their values at t = 0
  steady      ///< a steady motion, or an error
};

struct EquilibriumOptions {
  int load_steps = 1;
  int max_iterations = 50;  ///< of Newton in a load step
  EquilibriumKind kind = EquilibriumKind::automatic;
};

struct Equilibrium {
  MotionState state;
  SteadyMotion motion;                        ///< at rest: without rates
  int iterations = 0;                         ///< of all load steps
  std::vector<std::vector<double>> measured;  ///< after each load step: what the probes see
  /// Sentences for the user: what a motion that is not rest is seen from.
  std::vector<std::string> frame;
  /// Others: where the equilibrium is neutral, why it is at rest although something moves.
  std::vector<std::string> notes;
};

/// State variables have equations that statics does not solve. @throws InputError
void refuse_states(const Plan& plan);

/// @throws SimulationError if there is none, naming what moves on.
Equilibrium find_equilibrium(const Plan& plan, const Model& model,
                             const EquilibriumOptions& options = {});

/// One way to vibrate.
struct VibrationMode {
  /// s [1/s]: the motion is the real part of shape exp(s t). Pairs are one mode, that with a
  /// positive imaginary part.
  std::complex<double> eigenvalue;
  double square = 0;  ///< ω² [rad²/s²] without damping and spin, |s|² otherwise; negative: unstable
  /// Displacements of all coordinates (rotations of bodies in their axes), scaled so that the
  /// largest displacement, rotations weighed with radii of gyration, is 1 m and real.
  std::vector<double> shape;
  std::vector<double> shape_imaginary;  ///< a quarter of a period earlier; empty if all in phase
  double frequency() const;             ///< of the oscillation [Hz]; 0 where there is none
  double damping_ratio() const;         ///< -Re s/|s|: 1 does not oscillate, negative: unstable
};

struct Vibrations {
  std::vector<VibrationMode> modes;  ///< unstable ones first, then by increasing |s|
  /// Largest difference of Zᵀ K Z from its transpose, relative to its largest entry: not small if
  /// forces without a potential act.
  double asymmetry = 0;
};

/// The lowest `count` modes about a state of rest or of steady motion, as seen from its frame. With
/// damping and gyroscopic terms; without `motion`, about rest. `undamped`: with no forces that
/// depend on velocities, about rest only. @throws SimulationError
Vibrations find_vibrations(const Plan& plan, const Model& model, const MotionState& state,
                           int count, const SteadyMotion* motion = nullptr, bool undamped = false);

/// The described start, brought onto the constraints, at rest and with no reactions.
MotionState assembled_start(const Plan& plan, const Model& model);

/// Where the described motion, if it is steady, or else the described start at rest is to be
/// linearised; for modes about the start instead of an equilibrium.
Equilibrium described_state(const Plan& plan, const Model& model);

/// Displacement of every probe's position per unit of a mode, [probe][axis]; only probes of bodies
/// and beams that ask for positions.
struct ModeDisplacement {
  std::string probe;
  Vec3d displacement;
  Vec3d imaginary;
};
std::vector<ModeDisplacement> mode_displacements(const System& system, const Model& model,
                                                 const MotionState& state,
                                                 const VibrationMode& mode);

}  // namespace tumble
