// From the steps that are allowed over time to zones of equal steps.
#pragma once
#include "tumble/integrate/step_demand.hpp"

namespace tumble {

struct GridLayout {
  std::vector<GridZone> zones;
  double cost = 0;  ///< in steps; a change of step counts as several
};

/// The cheapest zones with steps on the ladder output_step/m that are at most `scale` times those
/// allowed by all demands. `breaks`: of the nominal run.
GridLayout lay_grid(const std::vector<StepDemand>& demands, const std::vector<double>& breaks,
                    const Simulation& simulation, double scale);

}  // namespace tumble
