// What an identification found, as a netCDF-4 file.
//
//   parameter(parameter) = paths; observation(observation) = columns of the data
//   estimate, estimate_error, lower, lower_error, upper, upper_error, standard_error (parameter)
//       errors: one sigma, because the ensemble is finite
//   parameter_min, parameter_max (parameter); at_bound(parameter): 0 no end of the interval is at a
//       bound, 1 the lower, 2 the upper, 3 both; degrees(parameter) of the chi-square law compared
//       with
//   profile_at, profile (parameter, profile_point)
//   log_likelihood, log_likelihood_error; log_likelihood_experiment(experiment)
//   ess, ess_experiment(experiment)
//   fisher(parameter, parameter_2)
//   bootstrap(bootstrap, parameter)    if asked for
//   data(experiment, observation), noise(observation), observation_time(observation) [s]
//   band_before, band_after (quantile, observation): of what would be measured, with the file's own
//       values and with the estimate
//   proposal_at(proposal, parameter), proposal_draws(proposal): the ensembles
//   principal_share(projection)    where series were projected
//
// With --method bayes also posterior_mean, posterior_std, posterior_lower, posterior_upper, r_hat,
// posterior_ess, replica_divergence (parameter), and the groups `posterior`, `sample_stats` and
// `observed_data` as ArviZ has them: (chain, draw), a chain being a replica.
#pragma once
#include <string>
#include <vector>

#include "tumble/io/results/results_file.hpp"

namespace tumble {

struct IdentificationResults {
  struct Parameter {
    std::string path;
    double min = 0, max = 0;
    double estimate = 0, estimate_error = 0, lower = 0, lower_error = 0, upper = 0, upper_error = 0;
    double standard_error = 0;
    bool lower_at_bound = false, upper_at_bound = false;
    int degrees = 1;
    std::vector<double> profile_at, profile;
    // Of the posterior, if there is one.
    double mean = 0, std = 0, posterior_lower = 0, posterior_upper = 0;
    double r_hat = 0, effective_size = 0, divergence = 0;
  };
  struct Observation {
    std::string name, unit;
    double time = 0, noise = 0;
  };
  struct Proposal {
    std::vector<double> parameters;
    std::uint64_t draws = 0;
  };
  std::vector<Parameter> parameters;
  std::vector<Observation> observations;
  std::size_t experiments = 0;
  std::vector<double> data;  ///< [experiment][observation]
  double log_likelihood = 0, log_likelihood_error = 0, ess = 0;
  std::vector<double> log_likelihood_experiment, ess_experiment;
  std::vector<double> fisher;                   ///< by rows
  std::vector<double> bootstrap;                ///< [repetition][parameter]
  std::vector<double> quantiles;                ///< of the bands
  std::vector<double> band_before, band_after;  ///< [quantile][observation]
  std::vector<Proposal> proposals;
  std::vector<double> principal_shares;
  // [replica][particle][parameter]; empty without
  std::size_t replicas = 0, particles = 0;
  std::vector<double> posterior, posterior_log_likelihood, log_evidence, acceptance;
};

/// The bytes of the file.
std::string identification_bytes(const IdentificationResults& results,
                                 const ResultsMetadata& metadata);

}  // namespace tumble
