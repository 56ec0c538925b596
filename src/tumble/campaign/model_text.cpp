#include "tumble/campaign/model_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "tumble/integrate/probe_recorder.hpp"

namespace tumble {

std::string describe_beams(const Model& model) {
  std::string text;
  for (const Beam& beam : model.beams)
    fmt::format_to(std::back_inserter(text), "beam {}: {}, {} formulation{}, {} element{}\n",
                   beam.name, beam_dimension_names[static_cast<std::size_t>(beam.dimension)],
                   beam_formulation_names[static_cast<std::size_t>(beam.formulation)],
                   beam.curvature == BeamCurvature::linear ? ", linear curvature" : "",
                   beam.elements, beam.elements == 1 ? "" : "s");
  return text;
}

std::string size_of_run(const System& system) {
  double numbers = 0;
  for (const ProbeSeries& series : make_series(system.nominal)) numbers += series.size;
  // Not from the schedule, for which there may be no memory either.
  const Simulation& simulation = system.nominal.simulation;
  const double outputs = std::round(simulation.duration / simulation.output_interval()) + 1;
  return fmt::format("the run: {:.0f} outputs of {:.0f} numbers, {:.3g} GiB; {} unknowns", outputs,
                     numbers, outputs * numbers * sizeof(double) / 0x1p30, system.nv + system.nc);
}

}  // namespace tumble
