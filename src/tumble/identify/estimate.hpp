// Maximum likelihood: the estimate, its interval from the profile of the likelihood, Fisher's
// information, and the errors that all of them have because the ensemble is finite.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "tumble/identify/likelihood.hpp"
#include "tumble/identify/maximize.hpp"

namespace tumble {

/// The likelihood of all experiments as a function of the parameters.
using LikelihoodFunction = std::function<LikelihoodValue(const std::vector<double>& parameters)>;

/// Of a profile that is compared with its maximum.
struct ReferenceLaw {
  /// 2 (log L - log L_profile) is chi-square distributed with so many degrees of freedom: 1 where
  /// the likelihood is smooth, 2 for an end of a support that was observed without error, where the
  /// distance of the estimate from the truth is exponentially distributed.
  int degrees = 1;
  /// Its quantile.
  double quantile(double level) const;
};

struct EstimateOptions {
  double level = 0.95;
  std::size_t starts = 6;          ///< of the search, beside the first
  std::size_t points = 41;         ///< of each profile
  double tolerance = 1e-7;         ///< of searches, as a share of the box
  double end_tolerance = 1e-5;     ///< of the ends of intervals, the same
  std::vector<double> start;       ///< of the search
  std::vector<ReferenceLaw> laws;  ///< one a parameter
};

struct ParameterEstimate {
  double value = 0, value_error = 0;  ///< errors are those of a finite ensemble, one sigma
  double lower = 0, lower_error = 0;
  double upper = 0, upper_error = 0;
  bool lower_at_bound = false, upper_at_bound = false;
  double standard_error = 0;  ///< from Fisher's information; NaN if that is not positive
  std::vector<double> profile_at, profile;  ///< log likelihood, maximised over the others

  /// The interval reaches a bound, or there is none.
  bool identifiable() const { return !lower_at_bound && !upper_at_bound; }
};

struct Estimate {
  std::vector<ParameterEstimate> parameters;
  double log_likelihood = 0, log_likelihood_error = 0;
  LikelihoodValue at_estimate;
  std::vector<double> fisher;  ///< observed information, by rows
  std::vector<double> values() const;
};

/// @throws std::runtime_error if the likelihood is zero at every start.
Estimate estimate(const LikelihoodFunction& likelihood, const ParameterBox& box,
                  const EstimateOptions& options);

/// Estimates from experiments drawn with replacement, [repetition][parameter]. From (seed, number
/// of the repetition) alone.
std::vector<double> bootstrap(const LikelihoodFunction& likelihood, const ParameterBox& box,
                              const Estimate& found, std::size_t experiments,
                              std::size_t repetitions, std::uint64_t seed);

}  // namespace tumble
