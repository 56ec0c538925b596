#include "tumble/campaign/identify/ensemble_pool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tumble/random/law/normal_score.hpp"
#include "tumble/random/stream/stream.hpp"
#include "tumble/random/stream/variable_id.hpp"
#include "tumble/study/journal/byte_stream.hpp"

namespace tumble {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

LikelihoodValue no_likelihood(std::size_t experiments) {
  LikelihoodValue value;
  value.experiments.assign(experiments, minus_infinity);
  value.left_out.assign(draw_groups * experiments, minus_infinity);
  value.effective_sizes.assign(experiments, 0);
  return value;
}

/// log(sum_i exp(x_i))
double log_sum(const std::vector<double>& x) {
  const double top = *std::ranges::max_element(x);
  if (!(top > minus_infinity)) return minus_infinity;
  double sum = 0;
  for (const double value : x) sum += std::exp(value - top);
  return top + std::log(sum);
}

DesignParameters sampling(const VariedModel& model, std::uint64_t draws, std::uint64_t stream) {
  const IdentificationEnsemble& request = model.request().ensemble;
  const auto& bodies = model.file().uncertainty->bodies;
  const bool inertia = std::ranges::any_of(
      bodies, [](const BodyUncertainty& body) { return body.inertia.has_value(); });
  DesignParameters design;
  design.kind = request.design == EnsembleDesign::monte_carlo ||
                        (request.design == EnsembleDesign::automatic && inertia)
                    ? DesignKind::monte_carlo
                    : DesignKind::sobol;
  // Independent of each other and of studies with the same seed; odd, so that none is the seed.
  design.seed = static_cast<std::uint64_t>(request.seed) + (2 * stream + 1) * 0x9e3779b97f4a7c15u;
  design.realizations = draws;
  design.randomizations = draw_groups;
  return design;
}

/// One ensemble, as ranks tell each other of it.
struct EnsembleRequest {
  std::optional<std::vector<double>> parameters;  ///< none: as the model file has them
  std::uint64_t draws = 0, stream = 0;
};

std::string describe(const EnsembleRequest& request) {
  ByteWriter out;
  out.number(request.draws);
  out.number(request.stream);
  if (request.parameters) out.array(*request.parameters);
  return out.take();
}

EnsembleRequest read_request(const std::string& description, std::size_t parameters) {
  ByteReader in(description, "request for an ensemble");
  EnsembleRequest request;
  request.draws = in.number<std::uint64_t>();
  request.stream = in.number<std::uint64_t>();
  if (description.size() > 2 * sizeof(std::uint64_t))
    request.parameters = in.array<double>(parameters);
  in.expect_end();
  return request;
}

ModelFile file_of(const EnsembleRequest& request, const VariedModel& model) {
  return request.parameters ? model.at(*request.parameters) : model.file();
}

ObservedEnsembleOptions options_of(const EnsembleRequest& request, const VariedModel& model,
                                   int threads) {
  ObservedEnsembleOptions options;
  options.sampling = sampling(model, request.draws, request.stream);
  options.threads = threads;
  options.model = model.name();
  return options;
}

}  // namespace

void help_with_ensembles(const VariedModel& model, int threads, Ranks& ranks, Observer& observer) {
  const auto work = [&](const std::string& description) {
    const EnsembleRequest request = read_request(description, model.request().parameters.size());
    help_with_ensemble(file_of(request, model), options_of(request, model, threads), ranks,
                       observer);
  };
  follow_rounds(ranks, work, [&] { return observer.cancelled(); });
}

EnsemblePool::EnsemblePool(const VariedModel& model, Measurements data, const PoolOptions& options,
                           Observer& observer)
    : model_(model), data_(std::move(data)), options_(options), observer_(observer) {}

ObservedEnsemble EnsemblePool::run(const std::optional<std::vector<double>>& parameters,
                                   std::uint64_t draws, std::uint64_t stream) {
  const EnsembleRequest request{parameters, draws, stream};
  const ModelFile file = file_of(request, model_);  // there may be no such model
  ObservedEnsembleOptions options = options_of(request, model_, options_.threads);
  options.directory = options_.directory / fmt::format("{:04}", ensembles_run_++);
  options.part = fmt::format("ensemble {} ", ensembles_run_);
  options.leader = options_.leader;
  options.description = describe(request);
  ObservedEnsemble ensemble = observe_ensemble(file, options, observer_);
  runs_ += draws;
  if (failed_ == 0) first_failure_ = ensemble.first_failure;
  failed_ += ensemble.failed;
  return ensemble;
}

void EnsemblePool::add(const std::vector<std::vector<double>>& proposals, std::uint64_t draws) {
  const std::uint64_t share =
      (draws / proposals.size() + draw_groups - 1) / draw_groups * draw_groups;
  for (const std::vector<double>& parameters : proposals) {
    ensembles_.push_back(
        run(parameters, std::max<std::uint64_t>(share, 8 * draw_groups), ensembles_run_));
    proposals_.push_back({parameters, ensembles_.back().draws()});
  }
  prepare();
}

/// Puts the draws of all ensembles together and computes the density of their mixture.
void EnsemblePool::prepare() {
  paths_ = ensembles_.front().paths;
  inputs_.clear();
  group_.clear();
  responses_ = {0, data_.numbers, {}};
  for (const ObservedEnsemble& ensemble : ensembles_) {
    inputs_.insert(inputs_.end(), ensemble.inputs.begin(), ensemble.inputs.end());
    responses_.values.insert(responses_.values.end(), ensemble.responses.begin(),
                             ensemble.responses.end());
    responses_.draws += ensemble.draws();
    for (const std::uint64_t index : ensemble.indices) group_.push_back(index % draw_groups);
  }
  const std::size_t draws = responses_.draws;
  std::vector<std::vector<double>> logs(draws, std::vector<double>(proposals_.size()));
  for (std::size_t c = 0; c < proposals_.size(); ++c) {
    const InputDensity density(model_.laws_at(proposals_[c].parameters), paths_, model_.parts());
    const double share =
        std::log(static_cast<double>(proposals_[c].draws) / static_cast<double>(draws));
    for (std::size_t j = 0; j < draws; ++j)
      logs[j][c] = share + density.log_density(&inputs_[j * paths_.size()]);
  }
  log_mixture_.resize(draws);
  for (std::size_t j = 0; j < draws; ++j) log_mixture_[j] = log_sum(logs[j]);
  find_projections(responses_);
  likelihood_ = likelihood_of(projected(responses_), group_);
}

void EnsemblePool::find_projections(const Responses& responses) {
  if (!projections_.empty()) return;  // the features stay what they were in the first round
  const Identification& request = model_.request();
  for (std::size_t c = 0; c < request.columns.size();) {
    Projection part{c, 1, {}};
    const std::size_t observation = request.columns[c].observation;
    while (c + part.count < request.columns.size() &&
           request.columns[c + part.count].observation == observation)
      ++part.count;
    if (const auto& principal = request.observations[observation].principal) {
      part.directions = principal_directions(responses, part.first, part.count,
                                             static_cast<std::size_t>(*principal));
      shares_.push_back(part.directions.share);
    }
    c += part.count;
    projections_.push_back(std::move(part));
  }
  // Noises of the columns of one observation are equal, and directions orthonormal.
  Responses rows{data_.experiments, data_.numbers, data_.values};
  const Responses projected_rows = projected(rows);
  features_ = {data_.experiments, projected_rows.numbers, projected_rows.values, {}};
  for (const Projection& part : projections_) {
    const std::size_t count =
        part.directions.directions > 0 ? part.directions.directions : part.count;
    for (std::size_t i = 0; i < count; ++i) features_.noise.push_back(data_.noise[part.first]);
  }
}

Responses EnsemblePool::projected(const Responses& responses) const {
  Responses result;
  result.draws = responses.draws;
  for (const Projection& part : projections_)
    result.numbers += part.directions.directions > 0 ? part.directions.directions : part.count;
  result.values.resize(result.draws * result.numbers);
  for (std::size_t j = 0; j < responses.draws; ++j) {
    double* out = &result.values[j * result.numbers];
    const double* row = &responses.values[j * responses.numbers];
    for (const Projection& part : projections_) {
      if (part.directions.directions > 0) {
        part.directions.project({row + part.first, part.count}, out);
        out += part.directions.directions;
      } else {
        out = std::copy_n(row + part.first, part.count, out);
      }
    }
  }
  return result;
}

std::unique_ptr<EnsembleLikelihood> EnsemblePool::likelihood_of(const Responses& responses,
                                                                std::vector<std::size_t> group) {
  switch (model_.request().likelihood) {
    case LikelihoodKind::gaussian:
      return gaussian_likelihood(features_, responses, std::move(group));
    case LikelihoodKind::kernel:
      return kernel_likelihood(features_, responses, std::move(group));
    default:
      return marginal_likelihood(features_, responses, std::move(group));
  }
}

std::vector<double> EnsemblePool::log_weights(const RandomLaws& laws) const {
  const InputDensity density(laws, paths_, model_.parts());
  std::vector<double> logs(responses_.draws);
  for (std::size_t j = 0; j < logs.size(); ++j)
    logs[j] = density.log_density(&inputs_[j * paths_.size()]) - log_mixture_[j];
  return logs;
}

LikelihoodValue EnsemblePool::evaluate(const std::vector<double>& parameters) const {
  try {
    return likelihood_->evaluate(log_weights(model_.laws_at(parameters)));
  } catch (const InputError&) {
    return no_likelihood(data_.experiments);
  }
}

LikelihoodValue EnsemblePool::evaluate_anew(const std::vector<double>& parameters) {
  if (const auto found = fresh_values_.find(parameters); found != fresh_values_.end())
    return found->second;
  LikelihoodValue value = no_likelihood(data_.experiments);
  try {
    const auto draws = static_cast<std::uint64_t>(model_.request().ensemble.draws);
    // The same stream for all: common random numbers make the likelihood a smooth function.
    ObservedEnsemble ensemble =
        run(parameters, (draws + draw_groups - 1) / draw_groups * draw_groups, 0);
    Responses responses{ensemble.draws(), data_.numbers, ensemble.responses};
    std::vector<std::size_t> group;
    for (const std::uint64_t index : ensemble.indices) group.push_back(index % draw_groups);
    find_projections(responses);
    value = likelihood_of(projected(responses), std::move(group))
                ->evaluate(std::vector<double>(responses.draws, 0.0));
    proposals_.push_back({parameters, ensemble.draws()});
    fresh_[parameters] = ensembles_.size();
    ensembles_.push_back(std::move(ensemble));
  } catch (const InputError&) {
    // There is no such machine.
  }
  return fresh_values_[parameters] = value;
}

std::vector<double> EnsemblePool::bands(const std::optional<std::vector<double>>& parameters,
                                        const std::vector<double>& probabilities) {
  const Responses* responses = &responses_;
  Responses own;
  std::vector<double> weights;
  if (model_.has_density_ratios()) {
    weights = log_weights(parameters ? model_.laws_at(*parameters)
                                     : RandomLaws(model_.file().model, *model_.file().uncertainty));
    const double top = *std::ranges::max_element(weights);
    for (double& w : weights) w = std::exp(w - top);
  } else {
    ObservedEnsemble ensemble;
    if (const auto found = parameters ? fresh_.find(*parameters) : fresh_.end();
        found != fresh_.end())
      ensemble = ensembles_[found->second];
    else
      ensemble = run(parameters, proposals_.front().draws, 0);
    own = {ensemble.draws(), data_.numbers, ensemble.responses};
    responses = &own;
    weights.assign(own.draws, 1.0);
  }
  const std::uint64_t stream = variable_id("identification noise");
  std::vector<double> result(probabilities.size() * data_.numbers);
  std::vector<std::pair<double, double>> column(responses->draws);
  for (std::size_t c = 0; c < data_.numbers; ++c) {
    double sum = 0;
    for (std::size_t j = 0; j < column.size(); ++j) {
      const double noise = data_.noise[c] * standard_normal_score(Stream(1, j, stream).uniform(c));
      column[j] = {responses->at(j, c) + noise, weights[j]};
      sum += weights[j];
    }
    std::ranges::sort(column);
    for (std::size_t p = 0; p < probabilities.size(); ++p) {
      double reached = 0;
      std::size_t j = 0;
      while (j + 1 < column.size() && (reached += column[j].second) < probabilities[p] * sum) ++j;
      result[p * data_.numbers + c] = column[j].first;
    }
  }
  return result;
}

}  // namespace tumble
