#include "tumble/model/excitation.hpp"

#include <fmt/format.h>

#include "tumble/model/excitation/process.hpp"
#include "tumble/model/excitation/spectrum.hpp"

namespace tumble {

std::vector<ExcitationPart> excitation_parts(const Model& nominal) {
  std::vector<ExcitationPart> parts;
  std::size_t first = 0;
  for (std::size_t i = 0; i < nominal.drives.size(); ++i) {
    const Drive& drive = nominal.drives[i];
    if (!is_random(drive.kind)) continue;
    const std::size_t count =
        process_grid(nominal.drives, drive, nominal.simulation.duration).germs();
    parts.push_back({static_cast<int>(i), first, count});
    first += count;
  }
  return parts;
}

std::size_t excitation_germs(const Model& nominal) {
  const auto parts = excitation_parts(nominal);
  return parts.empty() ? 0 : parts.back().first + parts.back().count;
}

std::vector<std::string> excitation_warnings(const Model& nominal) {
  constexpr double steps_a_period = 10;
  std::vector<std::string> sentences;
  const auto step = nominal.simulation.step;
  for (const Drive& drive : nominal.drives) {
    const double highest = band_of(drive.kind).to;
    if (step && highest * *step * steps_a_period > 1)
      sentences.push_back(fmt::format(
          "drive '{}' reaches {:.4g} Hz, of which steps of {:.4g} s are {:.2g} a period: "
          "motion at such frequencies is not accurate; {:g} steps a period take steps of {:.2g} s",
          drive.name, highest, *step, 1 / (highest * *step), steps_a_period,
          1 / (steps_a_period * highest)));
  }
  return sentences;
}

}  // namespace tumble
