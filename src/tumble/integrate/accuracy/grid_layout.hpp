// From the steps that are allowed over time to zones of equal steps.
#pragma once
#include <array>

#include "tumble/integrate/accuracy/step_demand.hpp"

namespace tumble {

struct GridLayout {
  std::vector<GridZone> zones;
  double cost = 0;  ///< in steps; a change of step counts as several
};

/// Bands of the time since the last event: to the next output, to the tenth, and beyond. Errors
/// made in them fade by different amounts, so each has steps of its own scale.
constexpr std::size_t grid_bands = 3;
using BandScales = std::array<double, grid_bands>;
std::size_t grid_band(double since_event, double output_interval);

/// The cheapest zones with steps on the ladder output_step/m that are at most those allowed by all
/// demands times the scale of their band. `breaks`: of the nominal run.
GridLayout lay_grid(const std::vector<StepDemand>& demands, const std::vector<double>& breaks,
                    const Simulation& simulation, const BandScales& scales);

}  // namespace tumble
