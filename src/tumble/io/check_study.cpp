#include "tumble/io/check_study.hpp"

#include <fmt/format.h>

namespace tumble {
namespace {

Place place_of(std::string_view path) {
  return {"study", "study." + std::string(path), std::string(path), {}};
}

void check_densities(ReadContext& context, const Node& node, const Model& model,
                     const Study& study) {
  const DensityRequest& request = *study.densities;
  if (study.quantile_method != QuantileMethod::exact)
    context.error(
        node, place_of("densities"), {},
        "needs quantile_method: exact, which keeps the values that densities are made of");
  if (request.points < 2 || request.points > 100'000)
    context.error(*node.find("points"), place_of("densities.points"),
                  std::to_string(request.points), "must be between 2 and 100000");
  const Node& times = *node.find("times");
  const Simulation& simulation = model.simulation;
  for (std::size_t i = 0; i < request.times.size(); ++i)
    if (!output_index(simulation, request.times[i]))
      context.error(times.items[i], place_of("densities.times").item(i).in("s"),
                    format_number(request.times[i]),
                    fmt::format("must be an output time: a multiple of {} s up to {} s",
                                format_number(simulation.output_step.value_or(simulation.step)),
                                format_number(simulation.duration)));
}

void check_until(ReadContext& context, const Node& node, const Model& model, const Study& study) {
  const StoppingRequest& request = *study.until;
  if (!request.relative_mean_error && !request.relative_quantile_width)
    context.error(node, place_of("until"), {},
                  "must have relative_mean_error, relative_quantile_width or both");
  if (study.method == StudyMethod::latin_hypercube)
    context.error(node, place_of("until"), {},
                  "must be left out: a Latin hypercube is even only when it is complete; use "
                  "monte-carlo or sobol");
  if (request.check_every < 1)
    context.error(*node.find("check_every"), place_of("until.check_every"),
                  std::to_string(request.check_every), "must be at least 1");
  for (std::size_t i = 0; i < request.probes.size(); ++i) {
    if (!named_quantities(model, request.probes[i]).empty()) continue;
    std::vector<std::string> known;
    for (const Probe& probe : model.probes) {
      known.push_back(probe.name);
      for (const Quantity q : probe.quantities)
        known.push_back(probe.name + "." + std::string(info(q).name));
    }
    context.error(node.find("probes")->items[i], place_of("until.probes").item(i), {},
                  fmt::format("nothing probed is named '{}'", printable(request.probes[i])),
                  context.suggest(request.probes[i], known));
  }
}

}  // namespace

void check_study_requests(ReadContext& context, const Node& node, const Model& model,
                          const Study& study) {
  if (study.densities) check_densities(context, *node.find("densities"), model, study);
  if (study.until) check_until(context, *node.find("until"), model, study);
}

}  // namespace tumble
