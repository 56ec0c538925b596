#include "tumble/campaign/laws_json.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tumble {

namespace {

Json json_of(const Vec3d& v) { return {v.x, v.y, v.z}; }
Json json_of(const Mat3d& m) { return {json_of(m.row(0)), json_of(m.row(1)), json_of(m.row(2))}; }

void add_warnings(Json& law, const std::vector<std::string>& warnings) {
  for (const std::string& sentence : warnings) law["warnings"].push_back(sentence);
}

Json describe(const ScalarLaw& law) {
  const LawReport report = law.report();
  Json json{{"law", report.name}, {"mean", report.mean}, {"std", report.std}};
  if (report.mean != 0) json["cv"] = report.std / std::fabs(report.mean);
  for (const NamedValue& p : report.parameters) json[p.name] = p.value;
  add_warnings(json, report.warnings);
  add_warnings(json, report.sample_warnings);
  return json;
}

/// lambda_r and C0 relative to the centre of the domain.
Json describe(const CentreLaw& law) {
  const CentreLawReport& report = law.report();
  Json json{{"law", "maxent-domain"},         {"domain", law.domain().kind()},
            {"mean", json_of(law.mean())},    {"lambda_r", json_of(report.lambda)},
            {"C0", report.c0_relative},       {"covariance", json_of(report.covariance)},
            {"entropy", report.entropy},      {"accuracy", report.mean_error},
            {"acceptance", report.acceptance}};
  add_warnings(json, report.warnings);
  return json;
}

Json describe(const InertiaLaw& law) {
  const InertiaReport& report = law.report();
  Json json{{"law", report.bound ? "kummer-beta" : "unbounded"},
            {"lambda_l", report.lambda_l},
            {"mu", json_of(report.mu)},
            {"C_G", std::exp(report.log_constant)},
            {"delta_G", report.dispersion},
            {"E_log_det_G", report.mean_log_det},
            {"accuracy", report.mu_accuracy},
            {"acceptance", report.acceptance}};
  if (report.lambda_u) json["lambda_u"] = *report.lambda_u;
  if (report.bound) json["G_max"] = json_of(*report.bound);
  add_warnings(json, report.warnings);
  return json;
}

/// The law of a body, the name of its variable if it may be shared, and its chain.
template <class Law>
void add_body_law(Json& all, const std::string& path, const std::optional<BodyLaw<Law>>& law) {
  if (!law) return;
  Json json = describe(law->law);
  if (law->variable != path) json["variable"] = law->variable;
  for (const std::string& doubt : law->doubts) json["warnings"].push_back(doubt);
  if (law->chain)
    json["chain"] = {{"burn_in", law->chain->burn_in}, {"thinning", law->chain->thinning}};
  all[path] = std::move(json);
}

Json describe(const CorrelatedVariables& group, const std::vector<ScalarVariable>& scalars) {
  Json names = Json::array(), rows = Json::array();
  for (std::size_t i = 0; i < group.variables.size(); ++i) {
    names.push_back(scalars[group.variables[i]].name);
    Json row = Json::array();
    for (std::size_t j = 0; j < group.variables.size(); ++j)
      row.push_back(group.copula.score_correlation(i, j));
    rows.push_back(std::move(row));
  }
  Json json{{"law", "gaussian-copula"},
            {"variables", std::move(names)},
            {"correlation_of_normal_scores", std::move(rows)}};
  add_warnings(json, group.copula.warnings());
  return json;
}

}  // namespace

Json laws_json(const RandomLaws& laws) {
  Json all = Json::object();
  for (const BodyLaws& body : laws.bodies()) {
    const std::string prefix = "bodies." + body.body + ".";
    add_body_law(all, prefix + "mass", body.mass);
    add_body_law(all, prefix + "position", body.centre);
    add_body_law(all, prefix + "inertia", body.inertia);
  }
  for (const ScalarVariable& variable : laws.scalars()) {
    if (variable.is_mass()) continue;  // listed with its body
    Json law = describe(variable.law);
    if (variable.paths != std::vector{variable.name}) law["of"] = variable.paths;
    all[variable.name] = std::move(law);
  }
  for (std::size_t i = 0; i < laws.correlations().size(); ++i)
    all[laws.correlations().size() == 1 ? "correlation" : fmt::format("correlation[{}]", i)] =
        describe(laws.correlations()[i], laws.scalars());
  return all;
}

}  // namespace tumble
