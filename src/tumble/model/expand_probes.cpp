#include "tumble/model/expand_probes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tumble/model/compile/beam_shape.hpp"

namespace tumble {
namespace {

/// Of how many probes a model may have: what they record at one instant still is a small file.
constexpr std::size_t most_probes = 100'000;

/// Null also for a beam that check() refuses for its number of elements.
const Beam* beam_of(const Model& model, const Probe& probe) {
  if (!probe.at || !probe.at->every_node || !probe.beam) return nullptr;
  for (const Beam& beam : model.beams)
    if (beam.name == probe.beam->name && beam.elements >= 1 && beam.elements <= most_beam_elements)
      return &beam;
  return nullptr;
}

Diagnostic mistake_of(const Model& model, const Probe& probe, std::string expectation) {
  return {locate(model, "probes." + probe.name),
          fmt::format("probe '{}'", probe.name),
          "at",
          "nodes",
          "",
          std::move(expectation),
          ""};
}

}  // namespace

std::vector<Diagnostic> expand_probes(Model& model) {
  std::map<std::string, std::string> owners;  // name of a probe -> the entry it comes from
  for (const Probe& probe : model.probes)
    if (beam_of(model, probe) == nullptr) owners.emplace(probe.name, probe.name);
  std::vector<Diagnostic> mistakes;
  std::vector<Probe> all;
  for (const Probe& probe : model.probes) {
    const Beam* beam = beam_of(model, probe);
    if (beam == nullptr) {
      all.push_back(probe);
      continue;
    }
    if (all.size() + static_cast<std::size_t>(beam->elements) >= most_probes) {
      mistakes.push_back(
          mistake_of(model, probe,
                     fmt::format("makes {} probes more, at most {} are allowed together",
                                 beam->elements + 1, most_probes)));
      continue;
    }
    for (int node = 0; node <= beam->elements; ++node) {
      Probe one = probe;
      one.name = fmt::format("{}{}", probe.name, node);
      one.at = ArcFraction{static_cast<double>(node) / beam->elements};
      const auto [owner, is_new] = owners.emplace(one.name, probe.name);
      if (!is_new)
        mistakes.push_back(
            mistake_of(model, probe,
                       fmt::format("makes a probe '{}', whose name probe '{}' takes already",
                                   one.name, owner->second)));
      model.locations.emplace("probes." + one.name, locate(model, "probes." + probe.name));
      all.push_back(std::move(one));
    }
  }
  model.probes = std::move(all);
  return mistakes;
}

}  // namespace tumble
