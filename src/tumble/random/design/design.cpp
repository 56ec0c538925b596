#include "tumble/random/design/design.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "tumble/random/design/design_kinds.hpp"
#include "tumble/random/design/owen_scrambling.hpp"
#include "tumble/random/stream/philox.hpp"
#include "tumble/random/stream/philox_uses.hpp"
#include "tumble/random/stream/stream.hpp"

namespace tumble {
namespace {

void check_randomizations(const char* design, std::uint64_t randomizations) {
  if (randomizations == 0)
    throw std::invalid_argument(fmt::format(
        "{}: randomizations = 0 must be at least 1, and at least 2 for standard errors", design));
}

/// Fewer copies than this have means whose scatter says little: the half width of an interval of
/// 95 % is 4.3 standard errors for 3 copies, 2.4 for 8 and 2.1 for 16 (Student's t).
constexpr std::uint64_t few_randomizations = 8;

void warn_of_few_copies(const char* design, std::uint64_t randomizations,
                        std::vector<std::string>& warnings) {
  if (randomizations == 1)
    warnings.push_back(fmt::format(
        "{}: with 1 randomisation there are no standard errors: points of one randomisation depend "
        "on each other",
        design));
  else if (randomizations < few_randomizations)
    warnings.push_back(
        fmt::format("{}: standard errors from {} randomisations are rough; {} or more are better",
                    design, randomizations, few_randomizations));
}

}  // namespace

MonteCarloDesign::MonteCarloDesign(const DesignParameters& parameters,
                                   std::vector<DesignCoordinate> coordinates)
    : seed_(parameters.seed), coordinates_(std::move(coordinates)) {}

double MonteCarloDesign::u(std::uint64_t realization, std::size_t coordinate) const {
  const auto& [variable, number] = coordinates_.at(coordinate);
  return Stream(seed_, realization, variable).uniform(number);
}

LatinHypercubeDesign::LatinHypercubeDesign(const DesignParameters& parameters,
                                           std::vector<DesignCoordinate> coordinates)
    : seed_(parameters.seed),
      randomizations_(parameters.randomizations),
      realizations_(parameters.realizations),
      coordinates_(std::move(coordinates)) {
  constexpr const char* name = "latin hypercube";
  check_randomizations(name, randomizations_);
  if (realizations_ < randomizations_)
    throw std::invalid_argument(
        fmt::format("{}: realizations = {} must be at least randomizations = {}: each hypercube "
                    "has a stratum or more",
                    name, realizations_, randomizations_));
  if (strata(0) > Shuffle::most_cards)
    throw std::invalid_argument(
        fmt::format("{}: {} strata (realizations / randomizations) are more "
                    "than {}",
                    name, strata(0), Shuffle::most_cards));
  for (std::uint64_t copy = 0; copy < randomizations_; ++copy)
    for (const auto& coordinate : coordinates_)
      shuffles_.emplace_back(strata(copy), seed_, copy, coordinate);
}

std::uint64_t LatinHypercubeDesign::strata(std::uint64_t copy) const {
  return realizations_ / randomizations_ + (copy < realizations_ % randomizations_ ? 1 : 0);
}

double LatinHypercubeDesign::u(std::uint64_t realization, std::size_t coordinate) const {
  const auto& [variable, number] = coordinates_.at(coordinate);
  const std::uint64_t copy = realization % randomizations_, point = realization / randomizations_;
  if (realization >= realizations_)
    throw std::out_of_range(
        fmt::format("latin hypercube: there is no realisation {}; {} were "
                    "planned, and a Latin hypercube cannot be extended",
                    realization, realizations_));
  const std::uint64_t stratum = shuffles_[copy * dimension() + coordinate](point);
  const auto block =
      philox({realization, 0, variable, number}, {seed_, philox_use::latin_hypercube_offsets});
  // (stratum + offset) / n with an offset in (0, 1), which rounding may take to an end.
  const double u =
      (static_cast<double>(stratum) + uniform_from(block[0])) / static_cast<double>(strata(copy));
  return std::clamp(u, 0x1p-53, 1 - 0x1p-53);
}

std::vector<std::string> LatinHypercubeDesign::warnings(std::uint64_t) const {
  std::vector<std::string> list;
  warn_of_few_copies("latin hypercube", randomizations_, list);
  return list;
}

SobolDesign::SobolDesign(const DesignParameters& parameters,
                         std::vector<DesignCoordinate> coordinates)
    : seed_(parameters.seed),
      randomizations_(parameters.randomizations),
      coordinates_(std::move(coordinates)),
      sequence_(std::min(coordinates_.size(), SobolSequence::most_dimensions)) {
  check_randomizations("sobol", randomizations_);
  if (coordinates_.size() > SobolSequence::most_dimensions)
    throw std::invalid_argument(
        fmt::format("sobol: {} random numbers in a realisation are more than the {} coordinates of "
                    "the sequence; use monte carlo",
                    coordinates_.size(), SobolSequence::most_dimensions));
}

double SobolDesign::u(std::uint64_t realization, std::size_t coordinate) const {
  const std::uint64_t copy = realization % randomizations_, point = realization / randomizations_;
  if (point >= SobolSequence::most_points)
    throw std::out_of_range(
        fmt::format("sobol: there is no realisation {}; the sequence has {} "
                    "points in each of {} randomisations",
                    realization, SobolSequence::most_points, randomizations_));
  const std::uint64_t x = sequence_.coordinate(point, coordinate);
  const std::uint64_t digits = owen_scramble(x, seed_, copy, coordinates_.at(coordinate));
  return static_cast<double>(2 * digits + 1) * 0x1p-53;
}

std::vector<std::string> SobolDesign::warnings(std::uint64_t realizations) const {
  std::vector<std::string> list;
  warn_of_few_copies("sobol", randomizations_, list);
  const std::uint64_t points = realizations / randomizations_;
  const bool power_of_two = points != 0 && (points & (points - 1)) == 0;
  if (realizations % randomizations_ != 0 || !power_of_two) {
    std::uint64_t better = randomizations_;
    while (better < realizations) better *= 2;
    list.push_back(
        fmt::format("sobol: {} realisations in {} randomisations are not a power of 2 in each; the "
                    "points are balanced, and errors smallest, at {}",
                    realizations, randomizations_, better));
  }
  return list;
}

MorrisDesign::MorrisDesign(const DesignParameters& parameters,
                           std::vector<DesignCoordinate> coordinates)
    : seed_(parameters.seed), levels_(parameters.levels), coordinates_(std::move(coordinates)) {
  if (levels_ < 2 || levels_ % 2 != 0)
    throw std::invalid_argument(
        fmt::format("morris: levels = {} must be an even number of at least 2", levels_));
}

std::size_t MorrisDesign::step_of(std::uint64_t walk, std::size_t coordinate) const {
  const auto card = [&](std::size_t k) {
    const auto& [variable, number] = coordinates_.at(k);
    return philox({walk, 1, variable, number}, {seed_, philox_use::morris_walks})[0];
  };
  // The order of random words, of equal ones that of their places, is a random permutation.
  const std::uint64_t own = card(coordinate);
  std::size_t before = 0;
  for (std::size_t k = 0; k < coordinates_.size(); ++k) {
    const std::uint64_t other = card(k);
    if (other < own || (other == own && k < coordinate)) ++before;
  }
  return before;
}

std::size_t MorrisDesign::moved(std::uint64_t walk, std::size_t step) const {
  for (std::size_t k = 0; k < coordinates_.size(); ++k)
    if (step_of(walk, k) == step) return k;
  throw std::out_of_range("morris: a walk has no such step");
}

double MorrisDesign::u(std::uint64_t realization, std::size_t coordinate) const {
  const std::uint64_t walk = realization / (dimension() + 1),
                      point = realization % (dimension() + 1);
  const auto& [variable, number] = coordinates_.at(coordinate);
  const auto words = philox({walk, 0, variable, number}, {seed_, philox_use::morris_walks});
  const auto half = static_cast<double>(levels_ / 2);
  const double level = std::min(half - 1, std::floor(uniform_from(words[0]) * half));
  const bool begins_above = uniform_from(words[1]) > 0.5,
             has_moved = step_of(walk, coordinate) < point;
  return (level + 0.5) / static_cast<double>(levels_) + (begins_above != has_moved ? jump : 0.0);
}

std::unique_ptr<const Design> make_design(const DesignParameters& parameters,
                                          std::vector<DesignCoordinate> coordinates) {
  switch (parameters.kind) {
    case DesignKind::monte_carlo:
      return std::make_unique<MonteCarloDesign>(parameters, std::move(coordinates));
    case DesignKind::latin_hypercube:
      return std::make_unique<LatinHypercubeDesign>(parameters, std::move(coordinates));
    case DesignKind::sobol:
      return std::make_unique<SobolDesign>(parameters, std::move(coordinates));
    case DesignKind::morris:
      return std::make_unique<MorrisDesign>(parameters, std::move(coordinates));
  }
  throw std::logic_error("a design of no known kind");
}

}  // namespace tumble
