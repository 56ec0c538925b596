#include "summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>

#include "tumble/campaign/model_text.hpp"
#include "tumble/integrate/probe_recorder.hpp"
#include "tumble/integrate/step/schedule.hpp"
#include "tumble/integrate/watch/redundancy.hpp"
#include "tumble/model/node_frames.hpp"

namespace tumble::app {
namespace {

constexpr std::size_t max_rows = 14;  // a screen has 24 lines, and the rest needs some

}  // namespace

double peak(const ProbeSeries& series, std::size_t component) {
  double largest = 0;
  for (const auto* values : {&series.values, &series.right_values})
    for (std::size_t i = component; i < values->size(); i += static_cast<std::size_t>(series.size))
      if (!(std::abs((*values)[i]) <= std::abs(largest))) largest = (*values)[i];
  return largest;
}

std::string describe(const Plan& plan) {
  const System& system = *plan.system;
  const Model& model = system.nominal;
  std::string text;
  auto out = std::back_inserter(text);
  const auto line = [&](std::string_view label, auto value) {
    fmt::format_to(out, "{:<20}{:>8}\n", label, value);
  };
  const auto frames = std::ranges::count_if(model.bodies, &Body::at_node);
  line("bodies", std::ssize(model.bodies) - frames);
  if (!model.beams.empty()) line("beams", model.beams.size());
  if (frames > 0) line("frames on nodes", frames);
  line("joints", std::ranges::count_if(model.joints, std::not_fn(holds_frame)));
  if (!model.couplers.empty()) line("couplers", model.couplers.size());
  line("forces", model.forces.size() + model.user_forces.size());
  line("coordinates", system.nv - static_cast<int>(system.states.size()));
  line("constraints", system.nc);
  if (plan.redundancy) line("of them redundant", plan.redundancy->count);
  line("degrees of freedom", plan.degrees_of_freedom());
  if (!model.states.empty()) line("states", model.states.size());
  line("drives", model.drives.size());
  line("break points", make_schedule(system, model).breaks.size());
  line("probes", model.probes.size());
  line("parameters", system.parameters.slots().size());
  return text + describe_beams(model);
}

std::string energy_line(const EnergySummary& energy) {
  const auto tidy = [&](double x) { return std::fabs(x) < 1e-6 * energy.exchanged ? 0.0 : x; };
  return fmt::format(
      "energy {:.4g} J -> {:.4g} J: work of drives and loads {:.4g} J, dissipated {:.4g} J; the "
      "account is off by {:.2g} J at most ({:.1g} of the largest exchange)\n",
      tidy(energy.start), tidy(energy.end), tidy(energy.work), tidy(energy.dissipated),
      energy.mismatch, energy.relative_mismatch);
}

std::string peaks(const Trajectory& trajectory) {
  std::vector<const ProbeSeries*> rows;
  for (const ProbeSeries& series : trajectory.series)
    if (series.size < 4) rows.push_back(&series);
  if (rows.empty()) return {};
  const std::size_t left_out = rows.size() > max_rows ? rows.size() - max_rows : 0;
  rows.resize(rows.size() - left_out);

  const auto name = [](const ProbeSeries& s) {
    return fmt::format("{} {}", s.probe, info(s.quantity).name);
  };
  std::size_t width = 10;
  for (const ProbeSeries* s : rows) width = std::max(width, name(*s).size());

  std::string text =
      fmt::format("{:<{}}{:>13}{:>13}{:>13}\n", "peak of", width, "value or x", "y", "z");
  auto out = std::back_inserter(text);
  for (const ProbeSeries* s : rows) {
    fmt::format_to(out, "{:<{}}", name(*s), width);
    for (std::size_t i = 0; i < 3; ++i) {
      const bool present = i < static_cast<std::size_t>(s->size);
      fmt::format_to(out, "{:>13}", present ? fmt::format("{:.6g}", peak(*s, i)) : "");
    }
    fmt::format_to(out, "  {}\n", info(s->quantity).unit);
  }
  if (left_out > 0) fmt::format_to(out, "and {} more in the results\n", left_out);
  return text;
}

}  // namespace tumble::app
