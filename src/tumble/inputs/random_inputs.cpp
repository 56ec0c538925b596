#include "tumble/inputs/random_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "tumble/model/parameters.hpp"
#include "tumble/random/centre/centre_chain.hpp"
#include "tumble/random/inertia/inertia_chain.hpp"
#include "tumble/random/law/normal_score.hpp"
#include "tumble/random/stream/variable_id.hpp"

namespace tumble {
namespace {

/// The stream of a whole chain. No variable can have such a name.
Stream chain_stream(std::uint64_t seed, const std::string& variable) {
  return {seed, 0, variable_id(variable + " chain")};
}

ChainSummary summarize(const std::string& variable, const ChainInput& input, double acceptance,
                       double effective, std::size_t draws) {
  return {variable,
          static_cast<std::size_t>(input.burn_in),
          static_cast<std::size_t>(input.thinning),
          acceptance,
          effective,
          draws == 0 ? 1.0 : effective / static_cast<double>(draws)};
}

constexpr std::size_t unset = static_cast<std::size_t>(-1);

}  // namespace

RandomInputs::RandomInputs(const Model& nominal, const Uncertainty& uncertainty,
                           const DesignParameters& sampling)
    : laws_(nominal, uncertainty), sampling_(sampling) {
  std::vector<DesignCoordinate> coordinates;
  plan_bodies(coordinates);
  plan_scalars(coordinates);
  const ParameterTable table(nominal);
  for (const std::string& path : paths_) slots_.push_back(table.find(path));
  plan_units(coordinates);
  design_ = make_design(sampling_, std::move(coordinates));
}

std::size_t RandomInputs::add_slot(const std::string& path) {
  paths_.push_back(path);
  return paths_.size() - 1;
}

void RandomInputs::refuse_chain(const std::string& variable) const {
  if (independent()) return;
  throw std::invalid_argument(
      fmt::format("{} is drawn by a Markov chain, which is no map of a fixed number of uniform "
                  "numbers: leave out sampler: metropolis, or use method monte-carlo",
                  variable));
}

void RandomInputs::add_map(const std::string& variable, double error) {
  germ_maps_.push_back({variable, error});
  require_accurate(germ_maps_.back());
}

void RandomInputs::plan_bodies(std::vector<DesignCoordinate>& coordinates) {
  std::map<std::string, std::size_t> known;  // shared variables have one place in the design
  const auto coordinate = [&](const std::string& variable, std::uint64_t numbers) {
    const auto [found, is_new] = known.emplace(variable, coordinates.size());
    for (std::uint64_t n = 0; is_new && n < numbers; ++n)
      coordinates.push_back({variable_id(variable), n});
    return found->second;
  };
  for (const BodyLaws& laws : laws_.bodies()) {
    BodyPlan plan;
    plan.first = paths_.size();
    plan.mass = plan.centre = plan.inertia = unset;
    const std::string prefix = "bodies." + laws.body + ".";
    if (laws.mass) {
      add_slot(prefix + "mass");
      if (!laws.correlated_mass) plan.mass = coordinate(laws.mass->variable, 1);
    }
    if (const auto& centre = laws.centre) {
      for (int k = 0; k < 3; ++k) add_slot(fmt::format("{}position[{}]", prefix, k));
      plan.centre_stream = variable_id(centre->variable);
      if (centre->chain) {
        refuse_chain(centre->variable);
        CentreChain chain(centre->law, chain_stream(sampling_.seed, centre->variable),
                          {.burn_in = static_cast<std::size_t>(centre->chain->burn_in),
                           .thinning = static_cast<std::size_t>(centre->chain->thinning)});
        chain.extend_to(sampling_.realizations);
        plan.centre_chain = chain.points();
        const Vec3d ess = chain.effective_sample_size();
        chains_.push_back(summarize(centre->variable, *centre->chain, chain.acceptance(),
                                    std::min({ess.x, ess.y, ess.z}), plan.centre_chain.size()));
      } else if (!independent()) {
        const CentreMap map(centre->law);
        add_map(centre->variable, map.error());
        plan.centre = coordinate(centre->variable, 3);
        plan.centre_map = map;
      } else if (centre->law.has_cube_map()) {
        plan.centre = coordinate(centre->variable, 3);
        plan.centre_map = [law = centre->law](const Vec3d& u) { return law.from_cube(u); };
      }
    }
    if (laws.inertia_varies())
      for (int k = 0; k < 6; ++k) add_slot(fmt::format("{}inertia[{}]", prefix, k));
    if (const auto& inertia = laws.inertia) {
      plan.inertia_stream = variable_id(inertia->variable);
      if (inertia->chain) {
        refuse_chain(inertia->variable);
        InertiaChain chain(inertia->law, chain_stream(sampling_.seed, inertia->variable),
                           {.burn_in = static_cast<std::size_t>(inertia->chain->burn_in),
                            .thinning = static_cast<std::size_t>(inertia->chain->thinning)});
        chain.extend_to(sampling_.realizations);
        plan.inertia_chain = chain.states();
        chains_.push_back(summarize(inertia->variable, *inertia->chain, chain.acceptance(),
                                    chain.effective_sample_size(), plan.inertia_chain.size()));
      } else if (!independent()) {
        plan.inertia = coordinate(inertia->variable, InertiaMap::germs);
        plan.inertia_map.emplace(inertia->law);
        add_map(inertia->variable, plan.inertia_map->error());
      }
    }
    body_plans_.push_back(std::move(plan));
  }
}

void RandomInputs::plan_scalars(std::vector<DesignCoordinate>& coordinates) {
  for (const ScalarVariable& variable : laws_.scalars()) {
    ScalarPlan plan;
    plan.coordinate = coordinates.size();
    coordinates.push_back({variable_id(variable.name)});
    for (const std::string& path : variable.paths) plan.places.push_back(add_slot(path));
    scalar_plans_.push_back(std::move(plan));
  }
  for (const CorrelatedVariables& group : laws_.correlations())
    for (const std::size_t i : group.variables) scalar_plans_[i].correlated = true;
}

void RandomInputs::plan_units(const std::vector<DesignCoordinate>& coordinates) {
  units_.resize(coordinates.size());
  const auto set = [&](std::size_t first, std::size_t count, const std::string& variable) {
    for (std::size_t k = 0; k < count; ++k) units_[first + k] = {variable, k, count == 1, {}};
  };
  const auto add = [&](const std::string& variable) {
    const auto known = std::ranges::find(units_, variable, &InputUnit::variable);
    if (known != units_.end()) return static_cast<std::size_t>(known - units_.begin());
    units_.push_back({variable, 0, true, {}});
    return units_.size() - 1;
  };
  for (std::size_t i = 0; i < scalar_plans_.size(); ++i)
    set(scalar_plans_[i].coordinate, 1, laws_.scalars()[i].name);
  for (std::size_t c = 0; c < laws_.correlations().size(); ++c)
    for (const std::size_t i : laws_.correlations()[c].variables)
      units_[scalar_plans_[i].coordinate].correlation = c;
  for (std::size_t i = 0; i < body_plans_.size(); ++i) {
    const BodyLaws& laws = laws_.bodies()[i];
    BodyPlan& plan = body_plans_[i];
    if (plan.mass != unset) set(plan.mass, 1, laws.mass->variable);
    if (plan.centre != unset) set(plan.centre, 3, laws.centre->variable);
    if (plan.inertia != unset) set(plan.inertia, InertiaMap::germs, laws.inertia->variable);
  }
  for (std::size_t i = 0; i < body_plans_.size(); ++i) {
    const BodyLaws& laws = laws_.bodies()[i];
    BodyPlan& plan = body_plans_[i];
    if (laws.centre && plan.centre == unset) plan.centre_unit = add(laws.centre->variable);
    if (laws.inertia && plan.inertia == unset) plan.inertia_unit = add(laws.inertia->variable);
  }
}

double RandomInputs::u(Origins from, std::size_t coordinate) const {
  return from.point.empty() ? design_->u(from[coordinate], coordinate) : from.point[coordinate];
}

std::vector<double> RandomInputs::scalar_numbers(Origins from,
                                                 std::optional<std::uint64_t> given) const {
  std::vector<double> numbers(scalar_plans_.size());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (const ScalarPlan& plan = scalar_plans_[i]; !plan.correlated)
      numbers[i] = laws_.scalars()[i].law.quantile(u(from, plan.coordinate));
  for (const CorrelatedVariables& group : laws_.correlations()) {
    std::vector<double> x, known;
    std::vector<bool> is_given;
    for (const std::size_t i : group.variables) {
      const std::size_t coordinate = scalar_plans_[i].coordinate;
      is_given.push_back(given && from[coordinate] == *given);
      x.push_back(u(from, coordinate));
    }
    if (const auto n = std::ranges::count(is_given, true);
        n == 0 || static_cast<std::size_t>(n) == x.size()) {
      group.copula.map(x, x);
    } else {
      // Two draws of all of them, of which the second gives way to what is given of the first.
      const std::uint64_t other =
          from[scalar_plans_[group.variables[static_cast<std::size_t>(
                                 std::ranges::find(is_given, false) - is_given.begin())]]
                   .coordinate];
      for (std::size_t k = 0; k < x.size(); ++k) {
        const std::size_t coordinate = scalar_plans_[group.variables[k]].coordinate;
        known.push_back(design_->u(*given, coordinate));
        x[k] = design_->u(other, coordinate);
      }
      group.copula.scores(known, known);
      group.copula.scores(x, x);
      group.copula.condition(is_given, known, x);
      group.copula.from_scores(x, x);
    }
    for (std::size_t k = 0; k < x.size(); ++k) numbers[group.variables[k]] = x[k];
  }
  return numbers;
}

double RandomInputs::mass_of(const BodyLaws& laws, const BodyPlan& plan, Origins from,
                             const std::vector<double>& scalars) const {
  if (!laws.mass) return laws.nominal_mass;
  if (!laws.correlated_mass) return laws.mass->law.quantile(u(from, plan.mass));
  const std::size_t place = *laws.correlated_mass;
  return laws.mass->law.at_the_place_of(scalars[place], laws_.scalars()[place].law);
}

Mat3d RandomInputs::inertia_of(const BodyLaws& laws, const BodyPlan& plan, Origins from,
                               double mass) const {
  const InertiaLaw& law = laws.inertia->law;
  if (laws.inertia->chain)
    return law.inertia_of(mass, plan.inertia_chain.at(from[plan.inertia_unit]));
  if (plan.inertia_map) {
    std::array<double, InertiaMap::germs> scores{};
    for (std::size_t k = 0; k < scores.size(); ++k)
      scores[k] = standard_normal_score(u(from, plan.inertia + k));
    return law.inertia_of(mass, (*plan.inertia_map)(scores));
  }
  Draws draws(Stream(sampling_.seed, from[plan.inertia_unit], plan.inertia_stream));
  return law.draw(mass, draws);
}

void RandomInputs::fill_body(const BodyLaws& laws, const BodyPlan& plan, Origins from,
                             const std::vector<double>& scalars, double* values) const {
  double* next = values + plan.first;
  const double mass = mass_of(laws, plan, from, scalars);
  if (laws.mass) *next++ = mass;
  if (laws.centre) {
    Vec3d point;
    if (laws.centre->chain) {
      point = plan.centre_chain.at(from[plan.centre_unit]);
    } else if (plan.centre_map) {
      point = plan.centre_map(
          {u(from, plan.centre), u(from, plan.centre + 1), u(from, plan.centre + 2)});
    } else {
      Draws draws(Stream(sampling_.seed, from[plan.centre_unit], plan.centre_stream));
      point = laws.centre->law.draw(draws);
    }
    store3(next, point);
    next += 3;
  }
  if (laws.inertia) {
    const Mat3d J = inertia_of(laws, plan, from, mass);
    for (const double entry : {J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2)})
      *next++ = entry;
  } else if (laws.inertia_varies()) {
    for (const double entry : laws.nominal_inertia) *next++ = mass / laws.nominal_mass * entry;
  }
}

void RandomInputs::fill(Origins from, std::optional<std::uint64_t> given, double* values) const {
  const std::vector<double> scalars = scalar_numbers(from, given);
  for (std::size_t i = 0; i < body_plans_.size(); ++i)
    fill_body(laws_.bodies()[i], body_plans_[i], from, scalars, values);
  for (std::size_t i = 0; i < scalars.size(); ++i)
    for (const std::size_t place : scalar_plans_[i].places) values[place] = scalars[i];
}

void RandomInputs::fill(std::uint64_t realization, double* values) const {
  const std::vector<std::uint64_t> all(units_.size(), realization);
  fill(Origins{all}, std::nullopt, values);
}

void RandomInputs::fill_at(std::span<const double> point, double* values) const {
  if (!point.empty()) fill(Origins{{}, point}, std::nullopt, values);
}

void RandomInputs::fill(std::span<const std::uint64_t> from, double* values) const {
  fill(Origins{from}, std::nullopt, values);
}

void RandomInputs::fill_given(std::uint64_t given, std::span<const std::uint64_t> from,
                              double* values) const {
  fill(Origins{from}, given, values);
}

std::vector<std::string> RandomInputs::warnings() const {
  std::vector<std::string> all = laws_.warnings();
  for (std::string& sentence : laws_.sample_warnings()) all.push_back(std::move(sentence));
  const auto more = design_->warnings(sampling_.realizations);
  all.insert(all.end(), more.begin(), more.end());
  for (const ChainSummary& chain : chains_)
    if (chain.effective_fraction < 0.5)
      all.push_back(fmt::format(
          "{}: {} draws of the chain are worth {:.0f} independent ones; a larger thinning helps",
          chain.variable, sampling_.realizations, chain.effective_sample_size));
  return all;
}

}  // namespace tumble
