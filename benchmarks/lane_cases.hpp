// The ensembles whose speed is measured.
#pragma once
#include <array>
#include <cmath>

#include "lane_ensemble.hpp"
#include "models.hpp"
#include "tumble/integrate/accuracy/grid_search.hpp"
#include "tumble/model/compile.hpp"

namespace tumble::benchmarks {

/// A number in [0, 1) for each realisation and variable, the same on every machine: fractions of
/// the multiples of an irrational number, another one for each variable.
inline double spread(int realization, int variable) {
  const double multiple = (realization + 1) * (std::sqrt(2.0) + variable * std::sqrt(6.0));
  return multiple - std::floor(multiple);
}

/// `from` to `to`.
inline double spread(int realization, int variable, double from, double to) {
  return from + (to - from) * spread(realization, variable);
}

/// Rb5's mass, centre of mass and all six numbers of its inertia. The inertia comes from a matrix S
/// of second moments, J = tr(S) 1 - S: any positive definite S belongs to a real body.
inline void vary_rb5(int realization, const SetNumber& set) {
  const auto number = [&](int variable, double from, double to) {
    return spread(realization, variable, from, to);
  };
  set("bodies.rb5.mass", number(0, 1500, 6000));
  set("bodies.rb5.position[0]", number(1, 0.3, 0.8));
  set("bodies.rb5.position[1]", number(2, -0.1, 0.1));
  set("bodies.rb5.position[2]", number(3, 0.49, 0.51));
  const double xx = 4900 * number(4, 0.7, 1.3), yy = 1100 * number(5, 0.7, 1.3),
               zz = 100 * number(6, 0.7, 1.3);
  set("bodies.rb5.inertia[0]", yy + zz);
  set("bodies.rb5.inertia[1]", xx + zz);
  set("bodies.rb5.inertia[2]", xx + yy);
  set("bodies.rb5.inertia[3]", -std::sqrt(xx * yy) * number(7, -0.3, 0.3));
  set("bodies.rb5.inertia[4]", -std::sqrt(xx * zz) * number(8, -0.3, 0.3));
  set("bodies.rb5.inertia[5]", -std::sqrt(yy * zz) * number(9, -0.3, 0.3));
}

/// Mass and inertia of every body of a model of rods.
inline VaryNumbers vary_rods(const Model& model) {
  return [model](int realization, const SetNumber& set) {
    int variable = 0;
    for (const Body& body : model.bodies) {
      const std::string path = "bodies." + body.name;
      set(path + ".mass", spread(realization, variable++, 0.5, 2.0));
      for (int k = 0; k < 3; ++k)
        set(path + ".inertia[" + std::to_string(k) + "]",
            body.inertia[static_cast<std::size_t>(k)] * spread(realization, variable, 0.7, 1.5));
      ++variable;
    }
  };
}

/// Rods swing for a second; their free end is observed a hundred times.
inline Model observed_chain(int n) {
  Model model = chain(n, 1, 1e-3);
  model.simulation.output_step = 0.01;
  Probe& tip = model.probes.front();
  tip.body = BodyRef{model.bodies.back().name};
  tip.point = Vec3d{static_cast<double>(n), 0, 0};
  tip.quantities = {Quantity::position, Quantity::acceleration};
  return model;
}

/// The three random numbers behind the moduli of the flexible double pendulum, within two standard
/// deviations.
inline void vary_moduli(int realization, const SetNumber& set) {
  set("fields.upper.youngs_modulus.germ[0]", spread(realization, 0, -2, 2));
  set("fields.lower.youngs_modulus.germ[0]", spread(realization, 1, -2, 2));
  set("fields.lower.youngs_modulus.germ[1]", spread(realization, 2, -2, 2));
}

struct LaneCase {
  const char* name;
  LaneEnsemble (*make)();
};

constexpr int realizations_of_a_case = 64;

inline LaneEnsemble make_five_body() {
  return make_ensemble(five_body(), realizations_of_a_case, vary_rb5);
}
inline LaneEnsemble make_five_body_expressions() {
  return make_ensemble(five_body_expressions(), realizations_of_a_case, vary_rb5);
}
/// The same machines with an accuracy of 1e-3 in place of the step, its grid found as a study
/// would: from the nominal machine and the first eight.
inline LaneEnsemble make_five_body_accuracy() {
  Model model = five_body();
  model.simulation.step.reset();
  model.simulation.accuracy = 1e-3;
  std::vector<Model> members{model};
  const Plan plan = make_plan(compile(model));
  for (int i = 0; i < 8; ++i) {
    Realization realization(model);
    vary_rb5(i, [&](const std::string& path, double value) {
      realization.set(plan.system->parameters.find(path), value);
    });
    members.push_back(realization.model());
  }
  model.simulation.grid = find_grid(plan, members).zones;
  return make_ensemble(model, realizations_of_a_case, vary_rb5);
}
inline LaneEnsemble make_flexible() {
  return make_ensemble(flexible_double_pendulum(), realizations_of_a_case, vary_moduli);
}
template <int n>
LaneEnsemble make_chain() {
  const Model model = observed_chain(n);
  return make_ensemble(model, realizations_of_a_case, vary_rods(model));
}

inline constexpr std::array<LaneCase, 7> lane_cases{
    {{"five-body", make_five_body},
     {"five-body-expressions", make_five_body_expressions},
     {"five-body-1e-3", make_five_body_accuracy},
     {"chain-5", make_chain<5>},
     {"chain-50", make_chain<50>},
     {"pendulum", make_chain<1>},
     {"flexible", make_flexible}}};

}  // namespace tumble::benchmarks
