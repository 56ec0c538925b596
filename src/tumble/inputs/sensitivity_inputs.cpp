#include "tumble/inputs/sensitivity_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "tumble/random/design/design_kinds.hpp"

namespace tumble {
namespace {

/// "fields.beam" for the numbers fields.beam.germ[...] of a random field, likewise of a random
/// matrix; else the name itself.
std::string without_germ(const std::string& variable) {
  return is_germ(variable) ? variable.substr(0, variable.rfind(".germ[")) : variable;
}

DesignParameters sampling_for(const SensitivityRequest& request, std::uint64_t seed) {
  DesignParameters sampling;
  sampling.seed = seed;
  if (request.method == SensitivityMethod::morris) {
    sampling.kind = DesignKind::morris;
    sampling.levels = static_cast<std::uint64_t>(request.levels);
  }
  sampling.by_coordinates = request.by == SensitivityFactors::germs;
  return sampling;
}

void refuse_chains(const RandomLaws& laws) {
  for (const BodyLaws& body : laws.bodies()) {
    const std::string* variable = nullptr;
    if (body.centre && body.centre->chain) variable = &body.centre->variable;
    if (body.inertia && body.inertia->chain) variable = &body.inertia->variable;
    if (variable != nullptr)
      throw std::invalid_argument(
          fmt::format("sensitivity: {} is drawn by a Markov chain, whose draws depend on each "
                      "other; leave out sampler: metropolis",
                      *variable));
  }
}

}  // namespace

SensitivityInputs::SensitivityInputs(const Model& nominal, const Uncertainty& uncertainty,
                                     const SensitivityRequest& request, std::uint64_t seed)
    : request_(request),
      random_(std::make_unique<RandomInputs>(nominal, uncertainty, sampling_for(request, seed))) {
  refuse_chains(random_->laws());
  find_factors(request);
  const std::size_t k = factors_.size();
  if (request.method == SensitivityMethod::shapley && k > most_shapley_factors)
    throw std::invalid_argument(fmt::format(
        "sensitivity: {} factors have {} subsets, a run of each block for every one; at most {} "
        "are possible by shapley: gather some in sensitivity.groups",
        k, k < 64 ? fmt::format("2^{}", k) : "too many", most_shapley_factors));
  block_ = request.method == SensitivityMethod::shapley  ? std::uint64_t{1} << k
           : request.method == SensitivityMethod::morris ? k + 1
                                                         : k + 2;
}

std::string SensitivityInputs::default_factor(const InputUnit& unit) const {
  if (request_.method == SensitivityMethod::morris || request_.by == SensitivityFactors::germs)
    return unit.alone ? unit.variable : fmt::format("{}[{}]", unit.variable, unit.number);
  if (!unit.correlation || request_.method == SensitivityMethod::shapley)
    return without_germ(unit.variable);
  std::vector<std::string> names;
  for (const std::size_t i : random_->laws().correlations()[*unit.correlation].variables) {
    const std::string name = without_germ(random_->laws().scalars()[i].name);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

void SensitivityInputs::find_factors(const SensitivityRequest& request) {
  const std::vector<InputUnit>& units = random_->units();
  std::map<std::string, std::string> chosen;  // variable to the user's group
  for (const InputGroups::Group& group : request.groups.list)
    for (const std::string& name : group.variables) {
      const bool known = std::ranges::any_of(units, [&](const InputUnit& unit) {
        return unit.variable == name || without_germ(unit.variable) == name;
      });
      if (!known) {
        std::vector<std::string> all;
        for (const InputUnit& unit : units)
          if (std::ranges::find(all, without_germ(unit.variable)) == all.end())
            all.push_back(without_germ(unit.variable));
        throw std::invalid_argument(
            fmt::format("sensitivity.groups.{}: no variable is named '{}'; there are {}",
                        group.name, name, fmt::join(all, ", ")));
      }
      if (!chosen.emplace(name, group.name).second)
        throw std::invalid_argument(fmt::format(
            "sensitivity.groups.{}: the variable '{}' is in a group already", group.name, name));
    }
  std::vector<std::string> factor_of_unit;
  for (const InputUnit& unit : units) {
    auto found = chosen.find(unit.variable);
    if (found == chosen.end()) found = chosen.find(without_germ(unit.variable));
    factor_of_unit.push_back(found == chosen.end() ? default_factor(unit) : found->second);
  }
  // What is correlated cannot be told apart by indices of independent factors.
  if (request.method == SensitivityMethod::pick_freeze && request.by == SensitivityFactors::groups)
    for (std::size_t i = 0; i < units.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (units[i].correlation && units[i].correlation == units[j].correlation &&
            factor_of_unit[i] != factor_of_unit[j])
          throw std::invalid_argument(fmt::format(
              "sensitivity.groups: '{}' and '{}' are correlated and must be in one group; method: "
              "shapley tells them apart",
              units[j].variable, units[i].variable));
  for (const std::string& factor : factor_of_unit) {
    const auto found = std::ranges::find(factors_, factor);
    factor_of_.push_back(static_cast<std::size_t>(found - factors_.begin()));
    if (found == factors_.end()) factors_.push_back(factor);
  }
}

const std::string& SensitivityInputs::factor_of(const std::string& variable) const {
  const auto& units = random_->units();
  const auto found = std::ranges::find(units, variable, &InputUnit::variable);
  if (found == units.end()) throw std::invalid_argument("no random variable is named " + variable);
  return factors_[factor_of_[static_cast<std::size_t>(found - units.begin())]];
}

void SensitivityInputs::fill(std::uint64_t realization, double* values) const {
  if (request_.method == SensitivityMethod::morris) {
    random_->fill(realization, values);
    return;
  }
  const std::uint64_t number = realization / block_, member = realization % block_;
  const std::uint64_t a = 2 * number, b = 2 * number + 1;
  std::vector<std::uint64_t> from(factor_of_.size(), a);
  if (request_.method == SensitivityMethod::shapley) {
    for (std::size_t i = 0; i < from.size(); ++i)
      if ((member >> factor_of_[i] & 1) != 0) from[i] = b;
    random_->fill_given(a, from, values);
    return;
  }
  for (std::size_t i = 0; i < from.size(); ++i)
    if (member == 1 || member == factor_of_[i] + 2) from[i] = b;
  random_->fill(from, values);
}

SensitivityInputs::Move SensitivityInputs::move(std::uint64_t walk, std::size_t step) const {
  const auto& design = dynamic_cast<const MorrisDesign&>(random_->design());
  const std::size_t coordinate = design.moved(walk, step);
  const std::uint64_t first = walk * block_;
  const double by = design.u(first + step + 1, coordinate) - design.u(first + step, coordinate);
  return {factor_of_[coordinate], by > 0 ? MorrisDesign::jump : -MorrisDesign::jump};
}

}  // namespace tumble
