// The scene of a report: what moved, nominally, on average and in some realisations.
#pragma once
#include "tumble/report/realizations.hpp"

namespace tumble::report {

/// What computing the motion again gives.
struct SceneParts {
  Json scene;   ///< Study.scene
  Json energy;  ///< Trust.energy
  int degrees_of_freedom = 0;
};

/// Adds Curve.samples to `curves`. The results must have a model.
/// @throws InputError, SimulationError if the model does not run any more.
SceneParts make_scene(const ResultsView& results, const ShownRealizations& shown, Json& curves,
                      Blob& blob);

}  // namespace tumble::report
