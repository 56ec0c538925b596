// Forces and moments on sections of beams.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "tumble/beam/shape.hpp"
#include "tumble/model/compile/beam_shape.hpp"
#include "tumble/model/compile/compiling.hpp"

namespace tumble::compiling {

namespace {

template <int D>
void write_shape(double length, double place, double* out) {
  const auto shape = beam::shape_values<D>(length, {place});
  for (int i = 0; i < 8; ++i) out[i] = i < beam::element_vectors<D> ? shape.s[i] : 0.0;
}

}  // namespace

void add_section_load(System& system, std::size_t index) {
  const auto& nominal = std::get<SectionLoad>(system.nominal.forces[index].kind);
  SectionLoadIndex entry;
  entry.name = system.nominal.forces[index].name;
  entry.beam = beam_index(system.nominal, nominal.beam.name);
  entry.follower = nominal.follower;
  entry.drive = nominal.drive ? drive_index(system, nominal.drive->name) : -1;
  const BeamIndex& beam = system.beams[static_cast<std::size_t>(entry.beam)];
  // The element is a matter of structure: a load that moves along its beam reaches to its ends.
  entry.element = std::min(static_cast<int>(nominal.at * beam.elements()), beam.elements() - 1);
  entry.constants = reserve<SectionLoadIndex>(system);
  system.writers.push_back([index, entry, planar = beam.dimension == 2, elements = beam.elements()](
                               const PrepareContext& context, double* c) {
    const auto& load = std::get<SectionLoad>(context.model().forces[index].kind);
    const double place = load.at * elements - entry.element;
    if (place < -1e-9 || place > 1 + 1e-9)
      throw std::invalid_argument(fmt::format(
          "section_load '{}': at = {} lies in another element than the nominal place, and the "
          "element a load acts on is the same in all realisations",
          entry.name, load.at));
    const double length =
        beam_shape(context.model().beams[static_cast<std::size_t>(entry.beam)]).element_length;
    auto& k = constants_at<SectionLoadIndex>(c + entry.constants);
    k.force = load.force;
    k.moment = load.moment;
    k.place = place;
    if (planar)
      write_shape<2>(length, place, k.shape);
    else
      write_shape<3>(length, place, k.shape);
  });
  system.all<SectionLoadIndex>().push_back(entry);
}

}  // namespace tumble::compiling
