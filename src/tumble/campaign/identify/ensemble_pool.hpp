// Ensembles drawn from different laws of one model, weighed to stand for any other law.
#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "tumble/campaign/identify/observed_ensemble.hpp"
#include "tumble/campaign/identify/varied_model.hpp"
#include "tumble/identify/likelihood.hpp"
#include "tumble/identify/principal_features.hpp"

namespace tumble {

/// How ensembles are run.
struct PoolOptions {
  std::filesystem::path directory;  ///< holds one directory an ensemble
  int threads = 0;
  RankLeader* leader = nullptr;  ///< of other ranks that help
};

struct PooledProposal {
  std::vector<double> parameters;
  std::uint64_t draws = 0;
};

/// On the other ranks: runs what rank 0 asks for until it has its likelihoods.
void help_with_ensembles(const VariedModel& model, int threads, Ranks& ranks, Observer& observer);

/// The likelihood of the data for any parameters of laws. Draws of all ensembles count as draws of
/// the mixture of their laws (E. Veach, L. J. Guibas, SIGGRAPH 1995; A. Owen, Y. Zhou, J. Am. Stat.
/// Assoc. 95, 2000): the weight of x is p_theta(x) / sum_c (n_c / n) p_c(x), which is bounded where
/// one of the laws is like p_theta.
///
/// Where parameters have no density ratios there is an ensemble for every theta, made of the same
/// random numbers, and no weights.
class EnsemblePool {
 public:
  EnsemblePool(const VariedModel& model, Measurements data, const PoolOptions& options,
               Observer& observer);

  /// Adds ensembles, `draws` runs in all, at these parameters.
  void add(const std::vector<std::vector<double>>& proposals, std::uint64_t draws);
  /// Weighs the draws there are. Minus infinity where there is no such model.
  LikelihoodValue evaluate(const std::vector<double>& parameters) const;
  /// Runs an ensemble of its own; remembers it.
  LikelihoodValue evaluate_anew(const std::vector<double>& parameters);

  /// Quantiles [probability][column] of what would be measured, noise included. Without parameters,
  /// with the values that the model file has.
  std::vector<double> bands(const std::optional<std::vector<double>>& parameters,
                            const std::vector<double>& probabilities);

  const std::vector<PooledProposal>& proposals() const { return proposals_; }
  std::uint64_t runs() const { return runs_; }
  std::uint64_t failed() const { return failed_; }
  const std::string& first_failure() const { return first_failure_; }
  /// By projected observation.
  const std::vector<double>& principal_shares() const { return shares_; }

 private:
  /// At `parameters`, or as the model file has them.
  ObservedEnsemble run(const std::optional<std::vector<double>>& parameters, std::uint64_t draws,
                       std::uint64_t stream);
  void prepare();
  std::unique_ptr<EnsembleLikelihood> likelihood_of(const Responses& responses,
                                                    std::vector<std::size_t> group);
  std::vector<double> log_weights(const RandomLaws& laws) const;
  /// Long series become their principal components.
  void find_projections(const Responses& responses);
  Responses projected(const Responses& responses) const;

  const VariedModel& model_;
  const Measurements data_;
  PoolOptions options_;
  Observer& observer_;
  std::vector<PooledProposal> proposals_;
  std::vector<ObservedEnsemble> ensembles_;
  std::uint64_t runs_ = 0, failed_ = 0, ensembles_run_ = 0;
  std::string first_failure_;
  // Of all ensembles together.
  std::vector<std::string> paths_;
  std::vector<double> inputs_;  ///< [draw][input]
  Responses responses_;         ///< by column of the data
  std::vector<std::size_t> group_;
  std::vector<double> log_mixture_;  ///< of the proposals at each draw
  std::unique_ptr<EnsembleLikelihood> likelihood_;
  struct Projection {
    std::size_t first = 0, count = 0;  ///< columns
    PrincipalDirections directions;    ///< none: columns stay as they are
  };
  std::vector<Projection> projections_;
  std::vector<double> shares_;
  Measurements features_;                             ///< the data, projected
  std::map<std::vector<double>, std::size_t> fresh_;  ///< place among ensembles_ by parameters
  std::map<std::vector<double>, LikelihoodValue> fresh_values_;
};

}  // namespace tumble
