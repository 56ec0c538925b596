// The energy of the nominal run.
#pragma once
#include "tumble/report/blob.hpp"
#include "tumble/report/scene/scene_motion.hpp"

namespace tumble::report {

/// Whether nothing takes energy from the system or brings it any: no drive, no damping and no load
/// but gravity. Then its total must stay what it is.
bool is_conservative(const Model& model);

/// Trust.energy at the times shown. `values` are those of the nominal run, [time][number].
Json energy_of(const SceneModel& scene, const std::vector<double>& values,
               const std::vector<std::size_t>& shown, const std::vector<double>& times, Blob& blob);

}  // namespace tumble::report
