// Which steady motion drives impose, or the model describes.
#pragma once
#include <optional>
#include <string>

#include "tumble/integrate/statics/steady_motion.hpp"
#include "tumble/integrate/step/integrator.hpp"

namespace tumble {

/// A search for a steady motion: what was found, or why there is none.
struct SteadySearch {
  std::optional<SteadyMotion> motion;
  MotionState state;      ///< where it was looked for, with its rates if it was found
  bool changing = false;  ///< the forces balance at all times, but their tangents change
  std::string reason;     ///< why there is none
};

/// The steady motion that drives with constant rates impose on the machine at `state`, all free
/// joints being still. Not sought (no reason is given) if no drive moves.
SteadySearch find_driven_motion(const Plan& plan, const Model& model,
                                const std::vector<double>& constants, const MotionState& state);

/// The described motion itself, if it is steady. Not sought if nothing moves at t = 0.
SteadySearch find_described_motion(const Plan& plan, const Model& model,
                                   const std::vector<double>& constants);

}  // namespace tumble
