#include "tumble/inputs/excitation_draws.hpp"

#include "tumble/model/excitation.hpp"
#include "tumble/random/stream/stream.hpp"
#include "tumble/random/stream/variable_id.hpp"
#include "tumble/random/stream/variates.hpp"

namespace tumble {

ExcitationDraws excitation_draws(const Model& nominal, std::uint64_t seed) {
  struct Part {
    std::uint64_t variable;
    std::size_t count;
  };
  std::vector<Part> parts;
  for (const ExcitationPart& part : excitation_parts(nominal)) {
    const std::string& name = nominal.drives[static_cast<std::size_t>(part.drive)].name;
    parts.push_back({variable_id("drives." + name), part.count});
  }
  if (parts.empty()) return {};
  return [parts = std::move(parts), seed](std::uint64_t realization, double* germs) {
    for (const Part& part : parts) {
      Draws draws(Stream(seed, realization, part.variable));
      for (std::size_t i = 0; i < part.count; ++i) *germs++ = normal_variate(draws);
    }
  };
}

}  // namespace tumble
