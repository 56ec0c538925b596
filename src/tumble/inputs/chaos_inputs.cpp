#include "tumble/inputs/chaos_inputs.hpp"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tumble/model/parameters.hpp"

namespace tumble {
namespace {

constexpr int default_level = 2;

ChaosMethod method_of(const ChaosRequest& request) {
  switch (request.points) {
    case ChaosPoints::tensor:
      return ChaosMethod::tensor;
    case ChaosPoints::sparse_grid:
      return ChaosMethod::sparse_grid;
    case ChaosPoints::regression:
      break;
  }
  return request.fit == ChaosFitting::lars ? ChaosMethod::lars : ChaosMethod::least_squares;
}

/// "fields.<name>" of the germs of a random field, fields.<name>.germ[i]; empty for other numbers.
std::string field_of(const std::string& name) {
  const std::size_t end = name.rfind(".germ[");
  return name.starts_with("fields.") && end != std::string::npos ? name.substr(0, end) : "";
}

template <class Law>
void refuse_chain(const BodyLaw<Law>& law) {
  if (law.chain)
    throw std::invalid_argument(
        fmt::format("polynomial chaos: {} is drawn by a Markov chain. Its draws are no function of "
                    "the independent random numbers that polynomials need; leave out sampler: "
                    "metropolis, or take method monte-carlo",
                    law.variable));
}

void refuse_jumps(const BodyLaw<CentreLaw>& law) {
  if (!law.law.domain().is_convex())
    throw std::invalid_argument(fmt::format(
        "polynomial chaos: {} is uncertain in a {} that is not convex. Every map of "
        "independent random numbers onto it jumps where lines leave and enter it again, "
        "and polynomials do not; take method sobol, latin-hypercube or monte-carlo",
        law.variable, law.law.domain().kind()));
}

}  // namespace

ChaosOptions chaos_options(const ChaosRequest& request, std::uint64_t seed) {
  ChaosOptions options;
  options.method = method_of(request);
  options.degree = request.degree;
  options.level = request.level.value_or(default_level);
  options.rule = request.rule == ChaosRule::gauss ? GridRule::gauss : GridRule::leja;
  options.q = request.q.value_or(1.0);
  options.runs = static_cast<std::size_t>(request.runs.value_or(0));
  options.seed = seed;
  // Of a study, quantities are looked at over the whole run, see chaos_warnings().
  options.error_limit = std::numeric_limits<double>::infinity();
  options.regression_after_failure = request.on_failure == ChaosOnFailure::regression;
  return options;
}

ChaosInputs::ChaosInputs(const Model& nominal, const Uncertainty& uncertainty,
                         const ChaosRequest& request, std::uint64_t seed)
    : laws_(nominal, uncertainty) {
  const GermChoice choice =
      request.germs == ChaosGerms::normal ? GermChoice::normal : GermChoice::matching;
  InputSpace space = plan_bodies(nominal, choice);
  plan_scalars(space, choice);
  const ParameterTable table(nominal);
  for (const std::string& path : paths_) slots_.push_back(table.find(path));
  plan_.emplace(std::move(space), chaos_options(request, seed));
  if (request.validation > 0)
    validation_ =
        validation_points(plan_->space(), static_cast<std::size_t>(request.validation), seed);
}

InputSpace ChaosInputs::plan_bodies(const Model& nominal, GermChoice choice) {
  InputSpace space;
  std::map<std::string, std::size_t> known;           // shared variables have the same germs
  std::map<std::string, const ScalarLaw*> mass_laws;  // which the germ of a variable was made for
  std::vector<Diagnostic> mistakes;
  const auto attempt = [&](const std::string& body, const char* field, const auto& add) {
    try {
      add();
    } catch (const std::invalid_argument& error) {
      Diagnostic mistake;
      mistake.where = locate(nominal, fmt::format("uncertainty.{}.{}", body, field));
      mistake.element = fmt::format("uncertainty '{}'", body);
      mistake.field = field;
      mistake.expectation = error.what();
      mistakes.push_back(std::move(mistake));
    }
  };
  for (const BodyLaws& laws : laws_.bodies()) {
    BodyPlan plan;
    plan.first = paths_.size();
    const std::string prefix = "bodies." + laws.body + ".";
    const auto germ_of = [&](const auto& law) {
      const auto [found, is_new] = known.emplace(law.variable, space.size());
      if (is_new) {
        using Law = std::decay_t<decltype(law.law)>;
        if constexpr (std::is_same_v<Law, ScalarLaw>)
          space.add(law.variable, law.law, choice);
        else if constexpr (std::is_same_v<Law, InertiaLaw>)
          space.add_standard_normals(law.variable, InertiaMap::germs);
        else
          space.add_unit_intervals(law.variable, 3);
      }
      return found->second;
    };
    if (laws.mass) {
      paths_.push_back(prefix + "mass");
      if (!laws.correlated_mass)
        attempt(laws.body, "mass", [&] {
          const ScalarLaw& law = laws.mass->law;
          const ScalarLaw& first = *mass_laws.emplace(laws.mass->variable, &law).first->second;
          plan.mass = germ_of(*laws.mass);
          plan.is_input = same_law(law, first);
        });
    }
    if (laws.centre) {
      for (int k = 0; k < 3; ++k) paths_.push_back(fmt::format("{}position[{}]", prefix, k));
      attempt(laws.body, "center_of_mass", [&] {
        refuse_chain(*laws.centre);
        refuse_jumps(*laws.centre);
        plan.centre_map.emplace(laws.centre->law);
        add_map(laws.centre->variable, plan.centre_map->error());
        plan.centre = germ_of(*laws.centre);
      });
    }
    if (laws.inertia_varies())
      for (int k = 0; k < 6; ++k) paths_.push_back(fmt::format("{}inertia[{}]", prefix, k));
    if (laws.inertia)
      attempt(laws.body, "inertia", [&] {
        refuse_chain(*laws.inertia);
        plan.inertia_map.emplace(laws.inertia->law);
        add_map(laws.inertia->variable, plan.inertia_map->error());
        plan.inertia = germ_of(*laws.inertia);
      });
    body_plans_.push_back(plan);
  }
  if (!mistakes.empty()) throw InputError(std::move(mistakes));
  return space;
}

void ChaosInputs::add_map(const std::string& variable, double error) {
  germ_maps_.push_back({variable, error});
  require_accurate(germ_maps_.back());
}

void ChaosInputs::plan_scalars(InputSpace& space, GermChoice choice) {
  const std::vector<ScalarVariable>& scalars = laws_.scalars();
  std::vector<bool> correlated(scalars.size(), false);
  for (const CorrelatedVariables& group : laws_.correlations())
    for (const std::size_t i : group.variables) correlated[i] = true;
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    ScalarPlan plan;
    for (const std::string& path : scalars[i].paths) {
      plan.places.push_back(paths_.size());
      paths_.push_back(path);
    }
    if (!correlated[i]) {
      plan.germ = space.size();
      space.add(scalars[i].name, scalars[i].law, choice, field_of(scalars[i].name));
    }
    scalar_plans_.push_back(std::move(plan));
  }
  for (const CorrelatedVariables& group : laws_.correlations()) {
    std::vector<std::string> names;
    for (const std::size_t i : group.variables) {
      scalar_plans_[i].germ = space.size() + names.size();
      names.push_back(scalars[i].name);
    }
    space.add(names, group.copula);
  }
}

double ChaosInputs::mass_of(const BodyLaws& laws, const BodyPlan& plan,
                            std::span<const double> germs, std::span<const double> inputs) const {
  if (!laws.mass) return laws.nominal_mass;
  const ScalarLaw& law = laws.mass->law;
  // Another law of the same variable takes the same place in its own distribution.
  if (laws.correlated_mass) {
    const std::size_t place = *laws.correlated_mass;
    return law.at_the_place_of(inputs[scalar_plans_[place].germ], laws_.scalars()[place].law);
  }
  return plan.is_input ? inputs[plan.mass]
                       : law.quantile(plan_->space().germ(plan.mass).to_uniform(germs[plan.mass]));
}

void ChaosInputs::fill_body(const BodyLaws& laws, const BodyPlan& plan,
                            std::span<const double> germs, std::span<const double> inputs,
                            double* values) const {
  double* next = values + plan.first;
  const double mass = mass_of(laws, plan, germs, inputs);
  if (laws.mass) *next++ = mass;
  if (laws.centre) {
    store3(next, (*plan.centre_map)(
                     {inputs[plan.centre], inputs[plan.centre + 1], inputs[plan.centre + 2]}));
    next += 3;
  }
  // A random mass scales the inertia: Batou & Soize (2012), Eq. (32).
  if (laws.inertia) {
    const Mat3d J = laws.inertia->law.inertia_of(
        mass, (*plan.inertia_map)(inputs.subspan(plan.inertia, InertiaMap::germs)));
    for (const double entry : {J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2)})
      *next++ = entry;
  } else if (laws.inertia_varies())
    for (const double entry : laws.nominal_inertia) *next++ = mass / laws.nominal_mass * entry;
}

void ChaosInputs::fill(std::uint64_t realization, double* values) const {
  const std::span<const double> germs = realization < plan_->runs()
                                            ? plan_->points().row(realization)
                                            : validation_.germs.row(realization - plan_->runs());
  std::vector<double> inputs(germs.size());
  plan_->space().inputs_from_germs(germs, inputs);
  for (std::size_t i = 0; i < body_plans_.size(); ++i)
    fill_body(laws_.bodies()[i], body_plans_[i], germs, inputs, values);
  for (const ScalarPlan& plan : scalar_plans_)
    for (const std::size_t place : plan.places) values[place] = inputs[plan.germ];
}

std::vector<std::string> ChaosInputs::warnings() const {
  std::vector<std::string> all = laws_.warnings();
  all.insert(all.end(), plan_->warnings().begin(), plan_->warnings().end());
  return all;
}

}  // namespace tumble
