#include "tumble/inputs/reliability_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "tumble/model/excitation.hpp"
#include "tumble/random/law/normal_score.hpp"

namespace tumble {
namespace {

DesignParameters by_coordinates(std::uint64_t seed) {
  DesignParameters sampling;
  sampling.seed = seed;
  sampling.by_coordinates = true;
  return sampling;
}

}  // namespace

ReliabilityInputs::ReliabilityInputs(const Model& nominal, const Uncertainty& uncertainty,
                                     std::uint64_t seed)
    : random_(nominal, uncertainty, by_coordinates(seed)) {
  for (const InputUnit& unit : random_.units())
    names_.push_back(unit.alone ? unit.variable
                                : fmt::format("{}[{}]", unit.variable, unit.number));
  for (const ExcitationPart& part : excitation_parts(nominal))
    for (std::size_t i = 0; i < part.count; ++i)
      names_.push_back(fmt::format("drives.{}[{}]",
                                   nominal.drives[static_cast<std::size_t>(part.drive)].name, i));
}

void ReliabilityInputs::fill(std::span<const double> germs, double* values) const {
  std::vector<double> point(random_.units().size());
  // Laws are infinite at 0 and 1, where the distribution function rounds to.
  constexpr double least = 0x1p-53;
  for (std::size_t i = 0; i < point.size(); ++i)
    point[i] = std::clamp(standard_normal_cdf(germs[i]), least, 1 - least);
  random_.fill_at(point, values);
}

}  // namespace tumble
