#include "tumble/io/results/identification_results.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <string_view>

#include "tumble/io/results/results_parts.hpp"

namespace tumble {
namespace {

using Parameter = IdentificationResults::Parameter;
using Observation = IdentificationResults::Observation;

/// Defines variables one after the other and writes their values once all are defined.
class VariableList {
 public:
  explicit VariableList(NetcdfWriter& file) : file_(file) {}

  void group(const std::string& name) {
    group_ = name;
    file_.enter(name);
  }
  int dimension(const std::string& name, std::size_t length) {
    return file_.dimension(name, length);
  }
  void numbers(const std::string& name, const std::vector<int>& dimensions,
               std::vector<double> values, std::string_view unit, std::string_view meaning) {
    const int id = describe(file_.variable(name, NC_DOUBLE, dimensions), unit, meaning);
    put_.push_back({group_, [this, id, values = std::move(values)] { file_.put(id, values); }});
  }
  void integers(const std::string& name, const std::vector<int>& dimensions,
                std::vector<long long> values, std::string_view meaning) {
    const int id = describe(file_.variable(name, NC_INT64, dimensions), {}, meaning);
    put_.push_back({group_, [this, id, values = std::move(values)] { file_.put(id, values); }});
  }
  void texts(const std::string& name, int dimension, std::vector<std::string> values,
             std::string_view meaning) {
    const int id = describe(file_.variable(name, NC_STRING, {dimension}), {}, meaning);
    put_.push_back({group_, [this, id, values = std::move(values)] {
                      file_.put(id, {0}, {values.size()}, values);
                    }});
  }
  void write() {
    for (const auto& [group, put] : put_) {
      file_.enter(group);
      put();
    }
    file_.enter({});
  }

 private:
  int describe(int id, std::string_view unit, std::string_view meaning) {
    if (!unit.empty()) file_.attribute(id, "units", unit);
    file_.attribute(id, "long_name", meaning);
    return id;
  }

  NetcdfWriter& file_;
  std::string group_;
  struct Put {
    std::string group;
    std::function<void()> put;
  };
  std::vector<Put> put_;
};

class IdentificationWriter {
 public:
  explicit IdentificationWriter(const IdentificationResults& results)
      : results_(results), variables_(file_) {}

  std::string bytes(const ResultsMetadata& metadata) {
    parameter_ = variables_.dimension("parameter", results_.parameters.size());
    observation_ = variables_.dimension("observation", results_.observations.size());
    experiment_ = variables_.dimension("experiment", results_.experiments);
    std::vector<std::string> paths;
    for (const Parameter& p : results_.parameters) paths.push_back(p.path);
    variables_.texts("parameter", parameter_, paths, "paths of the free parameters");
    add_estimates();
    add_profiles();
    add_likelihood();
    add_observations();
    add_ensembles();
    if (results_.replicas > 0) add_posterior();
    variables_.group({});
    put_metadata(file_, metadata);
    file_.begin_data();
    variables_.write();
    return file_.close();
  }

 private:
  void of_parameters(const char* name, double Parameter::*member, const char* meaning) {
    std::vector<double> values;
    for (const Parameter& p : results_.parameters) values.push_back(p.*member);
    variables_.numbers(name, {parameter_}, std::move(values), {}, meaning);
  }

  void add_estimates() {
    of_parameters("parameter_min", &Parameter::min, "smallest value considered");
    of_parameters("parameter_max", &Parameter::max, "largest value considered");
    of_parameters("estimate", &Parameter::estimate, "of maximum likelihood");
    of_parameters("estimate_error", &Parameter::estimate_error,
                  "standard error of the estimate because the ensemble is finite");
    of_parameters("lower", &Parameter::lower, "lower end of the profile-likelihood interval");
    of_parameters("lower_error", &Parameter::lower_error,
                  "standard error of the lower end because the ensemble is finite");
    of_parameters("upper", &Parameter::upper, "upper end of the profile-likelihood interval");
    of_parameters("upper_error", &Parameter::upper_error,
                  "standard error of the upper end because the ensemble is finite");
    of_parameters("standard_error", &Parameter::standard_error,
                  "of the estimate, from Fisher's information");
    std::vector<long long> at_bound, degrees;
    for (const Parameter& p : results_.parameters) {
      at_bound.push_back((p.lower_at_bound ? 1 : 0) + (p.upper_at_bound ? 2 : 0));
      degrees.push_back(p.degrees);
    }
    variables_.integers("at_bound", {parameter_}, std::move(at_bound),
                        "which ends of the interval are bounds: 0 none, 1 lower, 2 upper, 3 both");
    variables_.integers("degrees", {parameter_}, std::move(degrees),
                        "degrees of freedom of the chi-square law that profiles are compared with");
    const int other = variables_.dimension("parameter_2", results_.parameters.size());
    variables_.numbers("fisher", {parameter_, other}, results_.fisher, {},
                       "observed information: minus the Hessian of the log likelihood");
    if (!results_.bootstrap.empty()) {
      const int repetition = variables_.dimension(
          "bootstrap_repetition", results_.bootstrap.size() / results_.parameters.size());
      variables_.numbers("bootstrap", {repetition, parameter_}, results_.bootstrap, {},
                         "estimates from experiments drawn with replacement");
    }
  }

  void add_profiles() {
    std::size_t points = 1;
    for (const Parameter& p : results_.parameters) points = std::max(points, p.profile.size());
    const int point = variables_.dimension("profile_point", points);
    std::vector<double> at, values;
    for (const Parameter& p : results_.parameters)
      for (std::size_t i = 0; i < points; ++i) {
        const bool there = i < p.profile.size();
        at.push_back(there ? p.profile_at[i] : nan_);
        values.push_back(there ? p.profile[i] : nan_);
      }
    variables_.numbers("profile_at", {parameter_, point}, std::move(at), {},
                       "values of the parameter");
    variables_.numbers("profile", {parameter_, point}, std::move(values), {},
                       "log likelihood, maximised over the other parameters");
  }

  void add_likelihood() {
    variables_.numbers("log_likelihood", {}, {results_.log_likelihood}, {}, "at the estimate");
    variables_.numbers("log_likelihood_error", {}, {results_.log_likelihood_error}, {},
                       "its standard error because the ensemble is finite");
    variables_.numbers("log_likelihood_experiment", {experiment_},
                       results_.log_likelihood_experiment, {}, "of each experiment");
    variables_.numbers("ess", {}, {results_.ess}, {},
                       "effective sample size of the weighted ensemble at the estimate");
    variables_.numbers("ess_experiment", {experiment_}, results_.ess_experiment, {},
                       "effective number of the draws that explain an experiment");
  }

  void add_observations() {
    std::vector<std::string> names, units;
    std::vector<double> times, noise;
    for (const Observation& o : results_.observations) {
      names.push_back(o.name);
      units.push_back(o.unit);
      times.push_back(o.time);
      noise.push_back(o.noise);
    }
    variables_.texts("observation", observation_, names, "columns of the data");
    variables_.texts("observation_unit", observation_, units, "units of the columns");
    variables_.numbers("observation_time", {observation_}, times, "s", "output time; NaN of none");
    variables_.numbers("noise", {observation_}, noise, {},
                       "standard deviation of the measurement's error");
    variables_.numbers("data", {experiment_, observation_}, results_.data, {},
                       "what was measured; NaN: missing");
    if (results_.band_after.empty()) return;
    const int quantile = variables_.dimension("quantile", results_.quantiles.size());
    variables_.numbers("quantile", {quantile}, results_.quantiles, {}, "probability");
    variables_.numbers("band_before", {quantile, observation_}, results_.band_before, {},
                       "quantiles of what would be measured, with the model file's own values");
    variables_.numbers("band_after", {quantile, observation_}, results_.band_after, {},
                       "quantiles of what would be measured, with the estimate");
  }

  void add_ensembles() {
    if (!results_.principal_shares.empty()) {
      const int projected = variables_.dimension("projection", results_.principal_shares.size());
      variables_.numbers("principal_share", {projected}, results_.principal_shares, {},
                         "share of the variance that the principal components of a series keep");
    }
    if (results_.proposals.empty()) return;
    const int proposal = variables_.dimension("proposal", results_.proposals.size());
    std::vector<double> parameters;
    std::vector<long long> draws;
    for (const auto& p : results_.proposals) {
      parameters.insert(parameters.end(), p.parameters.begin(), p.parameters.end());
      draws.push_back(static_cast<long long>(p.draws));
    }
    variables_.numbers("proposal_at", {proposal, parameter_}, std::move(parameters), {},
                       "parameters of the laws that the ensembles were drawn from");
    variables_.integers("proposal_draws", {proposal}, std::move(draws), "runs of each ensemble");
  }

  void add_posterior() {
    of_parameters("posterior_mean", &Parameter::mean, "mean of the posterior");
    of_parameters("posterior_std", &Parameter::std, "standard deviation of the posterior");
    of_parameters("posterior_lower", &Parameter::posterior_lower,
                  "lower end of the central interval of the posterior");
    of_parameters("posterior_upper", &Parameter::posterior_upper,
                  "upper end of the central interval of the posterior");
    of_parameters("r_hat", &Parameter::r_hat, "between and within replicas; near 1 if they agree");
    of_parameters("posterior_ess", &Parameter::effective_size,
                  "effective number of independent draws, from the scatter of replicas' means");
    of_parameters("replica_divergence", &Parameter::divergence,
                  "largest distance of a replica's mean from that of all, in standard deviations");
    variables_.group("posterior");
    auto [chain, draw] = chains();
    for (std::size_t k = 0; k < results_.parameters.size(); ++k) {
      std::vector<double> values;
      for (std::size_t i = k; i < results_.posterior.size(); i += results_.parameters.size())
        values.push_back(results_.posterior[i]);
      variables_.numbers(results_.parameters[k].path, {chain, draw}, std::move(values), {},
                         "draws of the posterior; a chain is a replica");
    }
    variables_.group("sample_stats");
    std::tie(chain, draw) = chains();
    variables_.numbers("lp", {chain, draw}, results_.posterior_log_likelihood, {},
                       "log likelihood of the draw");
    variables_.numbers("log_evidence", {chain}, results_.log_evidence, {},
                       "of the replica: log of the integral of likelihood times prior");
    variables_.numbers("acceptance_rate", {chain}, results_.acceptance, {},
                       "of the moves of the last step");
    variables_.group("observed_data");
    const int experiment = variables_.dimension("experiment", results_.experiments);
    for (std::size_t o = 0; o < results_.observations.size(); ++o) {
      std::vector<double> values;
      for (std::size_t i = 0; i < results_.experiments; ++i)
        values.push_back(results_.data[i * results_.observations.size() + o]);
      variables_.numbers(results_.observations[o].name, {experiment}, std::move(values),
                         results_.observations[o].unit, "what was measured");
    }
  }

  std::pair<int, int> chains() {
    const int chain = variables_.dimension("chain", results_.replicas);
    const int draw = variables_.dimension("draw", results_.particles);
    std::vector<long long> chains(results_.replicas), draws(results_.particles);
    for (std::size_t i = 0; i < chains.size(); ++i) chains[i] = static_cast<long long>(i);
    for (std::size_t i = 0; i < draws.size(); ++i) draws[i] = static_cast<long long>(i);
    variables_.integers("chain", {chain}, std::move(chains), "replica");
    variables_.integers("draw", {draw}, std::move(draws), "particle");
    return {chain, draw};
  }

  static constexpr double nan_ = std::numeric_limits<double>::quiet_NaN();
  const IdentificationResults& results_;
  NetcdfWriter file_;
  VariableList variables_;
  int parameter_ = -1, observation_ = -1, experiment_ = -1;
};

}  // namespace

std::string identification_bytes(const IdentificationResults& results,
                                 const ResultsMetadata& metadata) {
  return IdentificationWriter(results).bytes(metadata);
}

}  // namespace tumble
