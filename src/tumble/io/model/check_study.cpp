#include "tumble/io/model/check_study.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tumble/model/compile/beam_shape.hpp"
#include "tumble/study/quantiles/regions.hpp"

namespace tumble {
namespace {

Place place_of(std::string_view path) {
  return {"study", "study." + std::string(path), std::string(path), {}};
}

void check_densities(ReadContext& context, const Node& node, const Model& model,
                     const Study& study) {
  const DensityRequest& request = *study.densities;
  if (study.quantile_method != QuantileMethod::exact)
    context.error(
        node, place_of("densities"), {},
        "needs quantile_method: exact, which keeps the values that densities are made of");
  if (request.points < 2 || request.points > 100'000)
    context.error(*node.find("points"), place_of("densities.points"),
                  std::to_string(request.points), "must be between 2 and 100000");
  const Node& times = *node.find("times");
  const Simulation& simulation = model.simulation;
  for (std::size_t i = 0; i < request.times.size(); ++i)
    if (!output_index(simulation, request.times[i]))
      context.error(times.items[i], place_of("densities.times").item(i).in("s"),
                    format_number(request.times[i]),
                    fmt::format("must be an output time: a multiple of {} s up to {} s",
                                format_number(simulation.output_interval()),
                                format_number(simulation.duration)));
}

/// Runs that end early have no values from then on, which some methods need of all runs.
void check_ends(ReadContext& context, const Node& node, const Model& model, const Study& study) {
  const auto ends = std::ranges::find(model.events, EventAction::end, &Event::action);
  if (ends == model.events.end() || study.method == StudyMethod::monte_carlo ||
      study.method == StudyMethod::latin_hypercube || study.method == StudyMethod::sobol ||
      study.method == StudyMethod::table)
    return;
  const Node* method = node.find("method");
  context.error(
      method == nullptr ? node : *method, place_of("method"),
      std::string(study_method_names[static_cast<std::size_t>(study.method)]),
      fmt::format("needs all runs to their end, and event '{}' ends some of them early: take "
                  "monte-carlo, latin-hypercube, sobol or table, or let the event record",
                  ends->name));
}

void check_until(ReadContext& context, const Node& node, const Model& model, const Study& study) {
  const StoppingRequest& request = *study.until;
  if (!request.relative_mean_error && !request.relative_quantile_width)
    context.error(node, place_of("until"), {},
                  "must have relative_mean_error, relative_quantile_width or both");
  if (study.method == StudyMethod::latin_hypercube)
    context.error(node, place_of("until"), {},
                  "must be left out: a Latin hypercube is even only when it is complete; use "
                  "monte-carlo or sobol");
  if (study.method == StudyMethod::sobol && study.randomizations == 1)
    context.error(node, place_of("until"), {},
                  "must be left out with randomizations: 1, which gives no errors to look at");
  if (request.check_every < 1)
    context.error(*node.find("check_every"), place_of("until.check_every"),
                  std::to_string(request.check_every), "must be at least 1");
  for (std::size_t i = 0; i < request.probes.size(); ++i) {
    if (!named_quantities(model, request.probes[i]).empty()) continue;
    std::vector<std::string> known;
    for (const Probe& probe : model.probes) {
      known.push_back(probe.name);
      for (const Quantity q : probe.quantities)
        known.push_back(probe.name + "." + std::string(info(q).name));
    }
    context.error(node.find("probes")->items[i], place_of("until.probes").item(i), {},
                  fmt::format("nothing probed is named '{}'", printable(request.probes[i])),
                  context.suggest(request.probes[i], known));
  }
}

/// What cannot be made of waves and of a comparison with random fields.
void check_variability(ReadContext& context, const Node& node, const Study& study) {
  if (study.method != StudyMethod::variability_response) {
    context.error(*node.find("variability"), place_of("variability"), {},
                  "must be left out: study.method is not variability-response");
    return;
  }
  const auto refuse = [&](const char* field, const std::string& why) {
    const Node* at = node.find(field);
    context.error(at == nullptr ? node : *at, place_of(field), {}, why);
  };
  if (study.quantile_method != QuantileMethod::exact)
    refuse("quantile_method", "must be exact with variability-response, which needs all values");
  for (const char* field : {"until", "densities", "region", "randomizations"})
    if (node.find(field) != nullptr)
      refuse(field, "must be left out with variability-response: its runs are no sample");
}

/// The elements that a level gives a beam.
int elements_on(const LevelInput& level, const Beam& beam) {
  for (const auto& [name, count] : level.elements.list)
    if (name == beam.name) return count;
  return beam.elements;
}

/// Levels that do not become finer, or of beams that are not there.
void check_levels(ReadContext& context, const Node& levels, const Model& model,
                  const MultilevelRequest& request) {
  const Place place = place_of("multilevel.levels");
  if (request.levels.size() < 2) {
    context.error(levels, place, std::to_string(request.levels.size()),
                  "must be at least two levels: differences between grids are what it is about");
    return;
  }
  for (std::size_t l = 0; l < request.levels.size(); ++l) {
    const LevelInput& level = request.levels[l];
    for (const auto& [name, count] : level.elements.list) {
      if (beam_index(model, name) < 0) {
        std::vector<std::string> known;
        for (const Beam& beam : model.beams) known.push_back(beam.name);
        context.error(levels.items[l], place.item(l), {},
                      fmt::format("elements: there is no beam '{}'", printable(name)),
                      context.suggest(name, known));
      }
    }
    if (l == 0) continue;
    const LevelInput& before = request.levels[l - 1];
    const double step = level.step.value_or(model.simulation.first_step());
    const double step_before = before.step.value_or(model.simulation.first_step());
    bool finer = step<step_before, coarser = step> step_before;
    for (const Beam& beam : model.beams) {
      finer = finer || elements_on(level, beam) > elements_on(before, beam);
      coarser = coarser || elements_on(level, beam) < elements_on(before, beam);
    }
    if (!finer || coarser)
      context.error(levels.items[l], place.item(l), {},
                    "must be finer than the level before it: a smaller step, more elements or "
                    "both, and nothing coarser");
  }
}

/// `node`: of the study. A multilevel study is about one quantity.
void check_multilevel(ReadContext& context, const Node& node, const Model& model,
                      const Study& study) {
  if (study.method != StudyMethod::multilevel) {
    context.error(*node.find("multilevel"), place_of("multilevel"), {},
                  "must be left out: study.method is not multilevel");
    return;
  }
  const MultilevelRequest& request = *study.multilevel;
  const Node& section = *node.find("multilevel");
  for (const char* field :
       {"until", "densities", "region", "randomizations", "store", "quantile_method", "quantiles"})
    if (const Node* at = node.find(field); at != nullptr)
      context.error(*at, place_of(field), {},
                    "must be left out with method multilevel, which is about a mean or a variance "
                    "of one quantity");
  if (request.target.relative_error.has_value() == request.target.absolute_error.has_value())
    context.error(*section.find("target"), place_of("multilevel.target"), {},
                  "must have one of relative_error and absolute_error");
  if (request.pilot < 8 || request.pilot > 1'000'000)
    context.error(*section.find("pilot"), place_of("multilevel.pilot"),
                  std::to_string(request.pilot), "must be between 8 and 1000000");
  if (model.simulation.accuracy)
    context.error(section, place_of("multilevel"), {},
                  "needs simulation.step in place of accuracy: levels say how long steps are");
  check_levels(context, *section.find("levels"), model, request);
}

/// `node`: of the study. What says nothing with the points that were chosen is refused, so that
/// nobody waits for its effect.
void check_chaos(ReadContext& context, const Node& node, const Study& study) {
  const Node* section = node.find("chaos");
  if (study.method != StudyMethod::chaos) {
    context.error(*section, place_of("chaos"), {}, "must be left out: study.method is not chaos");
    return;
  }
  const ChaosRequest& request = *study.chaos;
  const auto refuse = [&](const char* field, const std::string& value, const std::string& why) {
    const Node* at = section->find(field);
    context.error(at == nullptr ? *section : *at, place_of(std::string("chaos.") + field), value,
                  why);
  };
  const auto only_for = [&](const char* field, bool given, ChaosPoints points) {
    if (given && request.points != points)
      refuse(field, {},
             fmt::format("must be left out: it is for points: {}",
                         chaos_points_names[static_cast<std::size_t>(points)]));
  };
  only_for("level", request.level.has_value(), ChaosPoints::sparse_grid);
  only_for("rule", request.rule.has_value(), ChaosPoints::sparse_grid);
  only_for("q", request.q.has_value(), ChaosPoints::regression);
  only_for("runs", request.runs.has_value(), ChaosPoints::regression);
  const bool grid = request.points != ChaosPoints::regression;
  if (request.points == ChaosPoints::sparse_grid && section->find("degree") != nullptr)
    refuse("degree", std::to_string(request.degree),
           "must be left out: the level of a sparse grid says which polynomials there are");
  if (request.degree < 1 || request.degree > 100)
    refuse("degree", std::to_string(request.degree), "must be between 1 and 100");
  if (request.level && (*request.level < 1 || *request.level > 20))
    refuse("level", std::to_string(*request.level), "must be between 1 and 20");
  if (request.q && *request.q > 1)
    refuse("q", format_number(*request.q), "must be at most 1, which is the total degree");
  if (request.fit && grid != (*request.fit == ChaosFitting::quadrature))
    refuse("fit", std::string(chaos_fitting_names[static_cast<std::size_t>(*request.fit)]),
           grid ? "must be quadrature with a grid of points"
                : "must be least-squares or lars with points: regression");
  if (request.runs && *request.runs < 4)
    refuse("runs", std::to_string(*request.runs), "must be at least 4");
  if (!grid && request.fit == ChaosFitting::lars && !request.runs)
    refuse("runs", {}, "required but missing: how many runs lars is to choose its terms from");
  if (request.validation != 0 && (request.validation < 16 || request.validation > 4096))
    refuse("validation", std::to_string(request.validation),
           "must be 0 or between 16 and 4096: fewer runs cannot tell an error");
  if (!grid && request.on_failure != ChaosOnFailure::stop)
    refuse("on_failure", "regression", "must be left out: the points are for regression anyway");
}

/// Polynomials need all values, and make other statistics of them than the scatter of draws.
void check_with_chaos(ReadContext& context, const Node& node, const Study& study) {
  const auto refuse = [&](const char* field, const char* why) {
    const Node* at = node.find(field);
    context.error(at == nullptr ? node : *at, place_of(field), {}, why);
  };
  if (study.quantile_method != QuantileMethod::exact)
    refuse("quantile_method",
           "must be exact with method chaos: polynomials are fitted to all values");
  if (study.until)
    refuse("until",
           "must be left out with method chaos: its points are a whole; chaos.target_error says "
           "when to be warned");
  if (study.chaos &&
      (study.chaos->surrogate_samples < 16 || study.chaos->surrogate_samples > 1 << 24))
    context.error(
        *node.find("chaos")->find("surrogate_samples"), place_of("chaos.surrogate_samples"),
        std::to_string(study.chaos->surrogate_samples), "must be between 16 and 16777216");
}

/// Whether the study is of the method whose section it is; if not, a section that is there is a
/// mistake.
bool belongs(ReadContext& context, const Node* section, const char* name, StudyMethod asked,
             StudyMethod method) {
  if (asked == method) return true;
  if (section != nullptr)
    context.error(*section, place_of(name), {},
                  fmt::format("must be left out: study.method is not {}",
                              study_method_names[static_cast<std::size_t>(method)]));
  return false;
}

/// Tells mistakes in fields of a section of the study.
auto refuser(ReadContext& context, const Node& section, const char* name) {
  return [&context, &section, name](const char* field, const std::string& value,
                                    const std::string& why) {
    const Node* at = section.find(field);
    context.error(at == nullptr ? section : *at, place_of(fmt::format("{}.{}", name, field)), value,
                  why);
  };
}

/// `node`: of the study. Blocks of runs are what a study of sensitivity is made of.
void check_sensitivity(ReadContext& context, const Node& node, const Study& study) {
  const Node* section = node.find("sensitivity");
  if (!belongs(context, section, "sensitivity", study.method, StudyMethod::sensitivity)) return;
  if (study.until)
    context.error(*node.find("until"), place_of("until"), {},
                  "must be left out with method sensitivity: its runs depend on each other");
  if (study.randomizations)
    context.error(*node.find("randomizations"), place_of("randomizations"), {},
                  "must be left out: it is for latin-hypercube and sobol");
  if (!study.sensitivity) return;
  const SensitivityRequest& request = *study.sensitivity;
  const auto refuse = refuser(context, *section, "sensitivity");
  const bool morris = request.method == SensitivityMethod::morris;
  if (!morris && section->find("levels") != nullptr)
    refuse("levels", {}, "must be left out: it is for method: morris");
  if (morris && (request.levels < 2 || request.levels > 64 || request.levels % 2 != 0))
    refuse("levels", std::to_string(request.levels), "must be an even number between 2 and 64");
  if (morris && section->find("by") != nullptr && request.by != SensitivityFactors::germs)
    refuse("by", "groups", "must be germs, or left out: morris moves one random number at a time");
  const bool germs = morris || request.by == SensitivityFactors::germs;
  if (germs && !request.groups.list.empty())
    refuse("groups", {}, "must be left out: factors are single random numbers here");
  if (request.method == SensitivityMethod::shapley && request.by == SensitivityFactors::germs)
    refuse("by", "germs",
           "must be groups, or left out: germs are independent, and Sobol' indices say it all");
}

/// `node`: of the study. What a method has no use for is refused.
void check_reliability(ReadContext& context, const Node& node, const Study& study) {
  const Node* section = node.find("reliability");
  if (!belongs(context, section, "reliability", study.method, StudyMethod::reliability)) return;
  const auto refuse_beside = [&](const char* field, const char* why) {
    if (const Node* at = node.find(field)) context.error(*at, place_of(field), {}, why);
  };
  for (const char* field : {"until", "densities", "region", "randomizations", "quantiles"})
    refuse_beside(field, "must be left out with reliability: its runs are no sample");
  refuse_beside("store", "must be left out with reliability; tumble replay shows single runs");
  const ReliabilityRequest& request = *study.reliability;
  const auto refuse = refuser(context, *section, "reliability");
  if (request.above.has_value() == request.below.has_value())
    refuse("above", {}, "must have a limit, either above or below");
  const auto used = [&](ReliabilityMethod method) {
    return request.method == method || request.cross_check == method;
  };
  const auto only_for = [&](const char* field, bool good, const char* methods) {
    if (section->find(field) != nullptr && !good)
      refuse(field, {}, fmt::format("must be left out: it is for method: {}", methods));
  };
  const bool searches = used(ReliabilityMethod::importance) || used(ReliabilityMethod::form) ||
                        used(ReliabilityMethod::sorm);
  only_for("replicas", used(ReliabilityMethod::subset), "subset");
  only_for("level_probability", used(ReliabilityMethod::subset), "subset");
  only_for("nominal_share", used(ReliabilityMethod::importance), "importance");
  only_for("starts", searches, "importance, form or sorm");
  only_for("cross_check_runs", request.cross_check.has_value(), "cross_check");
  constexpr int most_runs = 100'000'000;
  if (request.replicas < 4 || request.replicas > 256)
    refuse("replicas", std::to_string(request.replicas),
           "must be between 4 and 256: their scatter is the error");
  const auto check_runs = [&](const char* field, int runs, ReliabilityMethod method) {
    const int least =
        method == ReliabilityMethod::subset ? std::max(1000, 100 * request.replicas) : 100;
    if (runs < least || runs > most_runs)
      refuse(field, std::to_string(runs),
             fmt::format("must be between {} and {}", least, most_runs));
  };
  check_runs("runs", request.runs, request.method);
  if (request.cross_check)
    check_runs(request.cross_check_runs ? "cross_check_runs" : "runs",
               request.cross_check_runs.value_or(request.runs), *request.cross_check);
  if (request.level_probability < 0.05 || request.level_probability > 0.5)
    refuse("level_probability", format_number(request.level_probability),
           "must be between 0.05 and 0.5");
  if (request.nominal_share < 0.05 || request.nominal_share > 0.95)
    refuse("nominal_share", format_number(request.nominal_share), "must be between 0.05 and 0.95");
  if (request.starts && (*request.starts < 1 || *request.starts > 10000))
    refuse("starts", std::to_string(*request.starts), "must be between 1 and 10000");
  if (request.cross_check == request.method)
    refuse("cross_check",
           std::string(reliability_method_names[static_cast<std::size_t>(request.method)]),
           "must be another method");
}

/// `node`: of the study. Runs of a worst-case study are no sample.
void check_worst_case(ReadContext& context, const Node& node, const Study& study) {
  const Node* section = node.find("worst_case");
  if (!belongs(context, section, "worst_case", study.method, StudyMethod::worst_case)) return;
  for (const char* field : {"until", "densities", "region", "randomizations", "quantiles"})
    if (const Node* at = node.find(field))
      context.error(*at, place_of(field), {},
                    "must be left out with worst-case: intervals have no probabilities");
  if (study.quantile_method != QuantileMethod::exact)
    context.error(*node.find("quantile_method"), place_of("quantile_method"), {},
                  "must be exact with worst-case: polynomials are fitted to all values");
  if (!study.worst_case) return;
  const WorstCaseRequest& request = *study.worst_case;
  const auto refuse = refuser(context, *section, "worst_case");
  const bool sparse = request.points == ChaosPoints::sparse_grid;
  if (request.level && !sparse)
    refuse("level", {}, "must be left out: it is for points: sparse-grid");
  if (request.runs && request.points != ChaosPoints::regression)
    refuse("runs", {}, "must be left out: it is for points: regression");
  if (sparse && section->find("degree") != nullptr)
    refuse("degree", std::to_string(request.degree),
           "must be left out: the level of a sparse grid says which polynomials there are");
  if (request.degree < 1 || request.degree > 100)
    refuse("degree", std::to_string(request.degree), "must be between 1 and 100");
  if (request.level && (*request.level < 1 || *request.level > 20))
    refuse("level", std::to_string(*request.level), "must be between 1 and 20");
  if (request.runs && *request.runs < 4)
    refuse("runs", std::to_string(*request.runs), "must be at least 4");
  if (request.validation < 16 || request.validation > 4096)
    refuse("validation", std::to_string(request.validation),
           "must be between 16 and 4096: fewer runs cannot tell an error");
  if (request.search_runs != 0 && (request.search_runs < 64 || request.search_runs > 1'000'000))
    refuse("search_runs", std::to_string(request.search_runs),
           "must be 0 or between 64, one round, and 1000000");
}

/// `node`: of the study.
void check_region(ReadContext& context, const Node& node, const Study& study) {
  const std::string kind(region_kind_names[static_cast<std::size_t>(study.region)]);
  const auto refuse = [&](const std::string& why) {
    context.error(*node.find("region"), place_of("region"), kind, why);
  };
  if (study.method == StudyMethod::chaos)
    return refuse("must be left out with method chaos: its region is that of its quantiles");
  if (study.region == RegionKind::chebyshev) return;
  if (study.method != StudyMethod::monte_carlo)
    return refuse("needs method monte-carlo: what it promises rests on independent realisations");
  const bool whole = study.region == RegionKind::simultaneous;
  if (whole && study.quantile_method != QuantileMethod::exact)
    refuse("needs quantile_method: exact, which keeps the values of whole trajectories");
  if (!study.realizations || !(study.confidence > 0 && study.confidence < 1) ||
      !(study.interval_confidence > 0 && study.interval_confidence < 1))
    return;
  const std::uint64_t least =
      smallest_region_sample(study.region, study.confidence, study.interval_confidence);
  if (static_cast<std::uint64_t>(*study.realizations) < least)
    refuse(fmt::format(
        "needs at least {} realisations to hold {:g} % of all machines with a confidence of {:g} %",
        least, 100 * study.confidence, 100 * study.interval_confidence));
}

}  // namespace

void check_study_requests(ReadContext& context, const Node& node, const Model& model,
                          const Study& study) {
  check_ends(context, node, model, study);
  if (study.densities) check_densities(context, *node.find("densities"), model, study);
  if (study.until) check_until(context, *node.find("until"), model, study);
  if (study.region != RegionKind::quantile) check_region(context, node, study);
  if (study.chaos) check_chaos(context, node, study);
  if (study.variability) check_variability(context, node, study);
  if (study.multilevel) check_multilevel(context, node, model, study);
  if (study.method == StudyMethod::chaos) check_with_chaos(context, node, study);
  check_sensitivity(context, node, study);
  check_reliability(context, node, study);
  check_worst_case(context, node, study);
}

}  // namespace tumble
