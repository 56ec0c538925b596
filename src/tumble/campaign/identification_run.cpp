#include "tumble/campaign/identification_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <system_error>

#include "tumble/campaign/identify/ensemble_pool.hpp"
#include "tumble/campaign/identify/varied_model.hpp"
#include "tumble/campaign/output_directory.hpp"
#include "tumble/campaign/prepared_study.hpp"
#include "tumble/campaign/warnings.hpp"
#include "tumble/identify/estimate.hpp"
#include "tumble/identify/sequential_monte_carlo.hpp"
#include "tumble/io/results/identification_results.hpp"
#include "tumble/io/results/results_file.hpp"
#include "tumble/io/table/experiment_table.hpp"
#include "tumble/study/workers.hpp"

namespace tumble {
namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

/// Fewer draws than these, near an experiment or in all, call for another ensemble.
constexpr double few_near_experiment = 10, few_in_all = 100;
/// So does an error of the ensemble above this share of an interval.
constexpr double large_error = 0.05;

/// How the likelihood is had.
enum class LikelihoodFrom {
  exact,    ///< from the density of inputs that were measured themselves
  weights,  ///< from one pool of runs
  new_runs  ///< from runs for every value of the parameters
};

class IdentificationRun {
 public:
  IdentificationRun(const IdentificationOptions& options, Observer& observer)
      : options_(options),
        observer_(observer),
        model_(options.text ? *options.text : read_model_file(options.model), options.model,
               options.overrides),
        request_(model_.request()),
        directory_(options.directory),
        warnings_(&observer) {
    read_data();
    choose_way();
  }

  IdentificationOutcome run() {
    IdentificationOutcome outcome;
    outcome.file = directory_.results();
    outcome.model = directory_.path() / "model.yaml";
    outcome.title = model_.file().model.title;
    outcome.likelihood = way_ == LikelihoodFrom::exact ? "exact" : likelihood_name();
    outcome.level = request_.intervals.level;
    describe_run();
    look_at_directory();
    outcome.already_there =
        directory_.already_done(options_.if_results_exist, identity_of(metadata_));
    if (outcome.already_there) return outcome;
    say_what_is_done();
    directory_.create(false);
    const auto begun = std::chrono::steady_clock::now();
    compute();
    metadata_.wall_time =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    judge(outcome);
    write();
    outcome.runs = pool_ ? pool_->runs() : 0;
    outcome.warnings = warnings_.sentences();
    outcome.results = std::make_shared<IdentificationResults>(std::move(results_));
    return outcome;
  }

 private:
  std::string likelihood_name() const {
    return std::string(likelihood_kind_names[static_cast<std::size_t>(request_.likelihood)]);
  }
  std::filesystem::path ensembles() const { return directory_.path() / "ensembles"; }
  const std::string& path_of(std::size_t k) const { return request_.parameters[k].path; }

  void read_data() {
    std::vector<std::string> names;
    for (const ObservedColumn& column : request_.columns) names.push_back(column.name);
    std::vector<Diagnostic> errors;
    table_ = read_experiments(options_.data, options_.data.string(), names, errors);
    data_ = {table_.experiments, names.size(), table_.values, {}};
    for (const ObservedColumn& column : request_.columns)
      data_.noise.push_back(request_.observations[column.observation].noise.value_or(0));
    if (errors.empty()) refuse_missing(errors);
    if (!errors.empty()) throw InputError(std::move(errors));
    if (!table_.not_used.empty())
      observer_.say(Message::note, fmt::format("{}: not used: {}", options_.data.string(),
                                               fmt::join(table_.not_used, ", ")));
    if (table_.empty_rows > 0)
      observer_.say(Message::note,
                    fmt::format("{}: {} rows without any of the columns asked for are left out",
                                options_.data.string(), table_.empty_rows));
  }

  /// Some numbers cannot be missing alone.
  void refuse_missing(std::vector<Diagnostic>& errors) const {
    for (std::size_t c = 0; c < data_.numbers; ++c) {
      const ObservationInput& observation = request_.observations[request_.columns[c].observation];
      const bool exact =
          request_.columns[c].kind == ObservedColumn::Kind::input && !observation.noise;
      if (!exact && !observation.principal) continue;
      for (std::size_t i = 0; i < data_.experiments; ++i) {
        if (!std::isnan(data_.at(i, c))) continue;
        Diagnostic d;
        d.where = {options_.data.string(), 0};
        d.field = fmt::format("column '{}'", request_.columns[c].name);
        d.expectation = fmt::format(
            "must not be empty in experiment {}: {}", i + 1,
            exact ? "it was measured without noise" : "its series is projected as a whole");
        errors.push_back(std::move(d));
        break;
      }
    }
  }

  void choose_way() {
    std::size_t exact = 0;
    for (const ObservedColumn& column : request_.columns)
      if (column.kind == ObservedColumn::Kind::input &&
          !request_.observations[column.observation].noise)
        ++exact;
    if (exact > 0 && exact < request_.columns.size())
      throw RequestError(
          "identification.observations: random inputs that were measured beside responses need "
          "`noise`, as these have; without noise they stand alone");
    way_ = exact > 0                     ? LikelihoodFrom::exact
           : model_.has_density_ratios() ? LikelihoodFrom::weights
                                         : LikelihoodFrom::new_runs;
    if (way_ == LikelihoodFrom::exact && !model_.has_density_ratios())
      throw RequestError(
          fmt::format("{}: the likelihood of inputs that were measured is that of "
                      "their laws",
                      without_ratio()));
    if (way_ == LikelihoodFrom::new_runs && options_.method == IdentificationMethod::bayes)
      throw RequestError(
          fmt::format("--method bayes would need an ensemble of its own for each of "
                      "many thousand values of {}",
                      without_ratio()));
    if (way_ == LikelihoodFrom::exact) check_exact();
  }

  std::string without_ratio() const {
    std::string text;
    for (std::size_t k = 0; k < request_.parameters.size(); ++k)
      if (const std::string& reason = model_.reasons()[k]; !reason.empty())
        text += fmt::format("{}{} ({})", text.empty() ? "" : "; ", path_of(k), reason);
    return text;
  }

  /// All numbers of a random thing are known, or none.
  void check_exact() {
    exact_paths_.clear();
    for (const ObservedColumn& column : request_.columns) exact_paths_.push_back(column.what);
    const RandomLaws laws(model_.file().model, *model_.file().uncertainty);
    exact_parts_ = parts_known_from(laws, exact_paths_);
    try {
      InputDensity(laws, exact_paths_, exact_parts_);
    } catch (const std::invalid_argument& error) {
      throw RequestError(fmt::format("identification.observations: {}", error.what()));
    }
    if (exact_parts_.empty())
      throw RequestError(
          "identification.observations: of a centre of mass all three coordinates are needed, and "
          "of an inertia all six numbers, as random things that were measured");
  }

  void describe_run() {
    metadata_.title = model_.file().model.title;
    metadata_.effective_yaml = model_.file().effective_yaml;
    metadata_.referenced_files = model_.file().referenced_files;
    metadata_.referenced_files.emplace_back(options_.data.filename().string(), table_.sha256);
    metadata_.host = host_name();
    metadata_.threads = worker_count(options_.threads);
    if (options_.leader != nullptr) metadata_.ranks = options_.leader->ranks().size();
    metadata_.method =
        options_.method == IdentificationMethod::bayes ? "identification-bayes" : "identification";
    metadata_.seed = request_.ensemble.seed;
    metadata_.model_path = std::filesystem::absolute(options_.model).string();
    metadata_.attributes.emplace_back("likelihood",
                                      way_ == LikelihoodFrom::exact ? "exact" : likelihood_name());
    metadata_.attributes.emplace_back("interval_level", format_number(request_.intervals.level));
    if (!options_.command.empty()) metadata_.attributes.emplace_back("command", options_.command);
    metadata_.csv_files = {"model.yaml"};  // goes with the results when they are replaced
  }

  void look_at_directory() {
    directory_.refuse_special_files({"model.yaml"});
    directory_.refuse_sweep();
    directory_.refuse_study(options_.if_results_exist);
    std::error_code ignored;
    const bool begun = std::filesystem::exists(ensembles(), ignored);
    if (std::filesystem::is_symlink(ensembles(), ignored))
      throw RequestError(
          fmt::format("{} is a symbolic link, which is neither followed nor replaced",
                      ensembles().string()),
          {Way::elsewhere});
    if (begun && options_.if_results_exist == IfResultsExist::refuse)
      throw RequestError(fmt::format("{} holds an identification", directory_.path().string()),
                         {Way::resume, Way::overwrite, Way::elsewhere});
    if (options_.if_results_exist == IfResultsExist::overwrite) {
      directory_.remove_study();
      std::filesystem::remove_all(ensembles(), ignored);
    }
  }

  void say_what_is_done() {
    if (way_ == LikelihoodFrom::new_runs) {
      const std::size_t d = request_.parameters.size();
      const std::size_t search = 30 * d, ends = d == 1 ? 20 : 2 * d * 8 * 25 * (d - 1),
                        rest = 4 * d * d + 12;
      const auto draws = static_cast<std::size_t>(request_.ensemble.draws);
      observer_.say(
          Message::note,
          fmt::format("no density ratio for {}: every value that is tried needs an ensemble of {} "
                      "runs, about {} of them, {} runs in all; identification.ensemble.draws says "
                      "how many runs one has",
                      without_ratio(), draws, search + ends + rest,
                      (search + ends + rest) * draws));
    }
    if (request_.likelihood == LikelihoodKind::gaussian && way_ != LikelihoodFrom::exact)
      warnings_.add(
          "likelihood gaussian: the responses are taken for normally distributed; where they are "
          "not, the estimate is another number and its interval may be falsely narrow");
    for (std::size_t k = 0; k < request_.parameters.size(); ++k)
      if (model_.moves_support(k))
        observer_.say(Message::note,
                      fmt::format("{} moves the support of a law: its profile is compared with "
                                  "chi-square of two degrees of freedom, which holds for "
                                  "measurements without noise and is on the safe side with it",
                                  path_of(k)));
  }

  LikelihoodValue exact_likelihood(const std::vector<double>& parameters) const {
    LikelihoodValue value;
    value.experiments.assign(data_.experiments, -std::numeric_limits<double>::infinity());
    value.effective_sizes.assign(data_.experiments, nan_value);
    value.effective_size = nan_value;
    try {
      const InputDensity density(model_.laws_at(parameters), exact_paths_, exact_parts_);
      for (std::size_t i = 0; i < data_.experiments; ++i)
        value.experiments[i] = density.log_density(&data_.values[i * data_.numbers]);
    } catch (const InputError&) {
      // There is no such law.
    }
    return value;
  }

  LikelihoodFunction likelihood() {
    return [this](const std::vector<double>& parameters) {
      if (observer_.cancelled()) throw Cancelled("interrupted", true);
      switch (way_) {
        case LikelihoodFrom::exact:
          return exact_likelihood(parameters);
        case LikelihoodFrom::weights:
          return pool_->evaluate(parameters);
        default:
          return pool_->evaluate_anew(parameters);
      }
    };
  }

  EstimateOptions estimate_options() const {
    EstimateOptions options;
    options.level = request_.intervals.level;
    options.points = static_cast<std::size_t>(request_.intervals.points);
    options.start = model_.start();
    for (std::size_t k = 0; k < request_.parameters.size(); ++k)
      options.laws.push_back({model_.moves_support(k) ? 2 : 1});
    if (way_ == LikelihoodFrom::new_runs) {
      // Every value costs an ensemble; its own noise is larger than these tolerances.
      options.starts = 0;
      options.tolerance = 1e-3;
      options.end_tolerance = 2e-3;
      options.points = std::min<std::size_t>(options.points, 9);
    }
    return options;
  }

  void compute() {
    const LikelihoodFunction f = likelihood();
    if (way_ != LikelihoodFrom::exact)
      pool_.emplace(model_, data_, PoolOptions{ensembles(), options_.threads, options_.leader},
                    observer_);
    if (way_ == LikelihoodFrom::weights) {
      const auto draws = static_cast<std::uint64_t>(request_.ensemble.draws);
      const std::size_t others = 4 + 2 * (request_.parameters.size() - 1);
      pool_->add(spread_starts(model_.box(), model_.start(), others), draws);
      for (int round = 1;; ++round) {
        refuse_failures();
        EstimateOptions options = estimate_options();
        found_ = estimate(f, model_.box(), options);
        if (enough_draws(f) || round == request_.ensemble.rounds) break;
        observer_.say(Message::information,
                      fmt::format("few draws are near the data: another ensemble is drawn around "
                                  "the estimate (round {} of at most {})",
                                  round + 1, request_.ensemble.rounds));
        pool_->add(wider_mixture(), draws);
      }
    } else {
      found_ = estimate(f, model_.box(), estimate_options());
      refuse_failures();
    }
    collect();
    if (options_.method == IdentificationMethod::bayes) find_posterior(f);
    if (request_.intervals.bootstrap > 0) {
      if (way_ == LikelihoodFrom::new_runs)
        warnings_.add("intervals.bootstrap is left out: every repetition would need new runs");
      else
        results_.bootstrap = bootstrap(f, model_.box(), found_, data_.experiments,
                                       static_cast<std::size_t>(request_.intervals.bootstrap),
                                       static_cast<std::uint64_t>(request_.ensemble.seed));
    }
    find_bands();
  }

  void refuse_failures() const {
    if (!pool_) return;
    const double allowed = model_.file().study ? model_.file().study->study.max_failed : 0.01;
    if (static_cast<double>(pool_->failed()) > allowed * static_cast<double>(pool_->runs()))
      throw TooManyFailed(fmt::format("{} of {} runs failed, more than {:g} %: {}", pool_->failed(),
                                      pool_->runs(), 100 * allowed, pool_->first_failure()));
  }

  bool enough_draws(const LikelihoodFunction& f) const {
    const LikelihoodValue& value = found_.at_estimate;
    if (value.effective_size < few_in_all) return false;
    if (request_.likelihood != LikelihoodKind::gaussian &&
        *std::ranges::min_element(value.effective_sizes) < few_near_experiment)
      return false;
    std::vector<double> at = found_.values();
    for (std::size_t k = 0; k < at.size(); ++k) {
      const ParameterEstimate& p = found_.parameters[k];
      const double width = p.upper - p.lower;
      for (const double error : {p.value_error, p.lower_error, p.upper_error})
        if (error > large_error * width) return false;
      for (const double end : {p.lower, p.upper}) {
        std::vector<double> there = at;
        there[k] = end;
        const LikelihoodValue here = f(there);
        if (here.total() > found_.log_likelihood - 20 && here.effective_size < 0.5 * few_in_all)
          return false;
      }
    }
    return true;
  }

  /// Laws around the estimate and beyond its interval. The law of the estimate itself would leave
  /// few draws where wider laws have theirs, and spoil the upper end.
  std::vector<std::vector<double>> wider_mixture() const {
    std::vector<std::vector<double>> all;
    const std::vector<double> centre = found_.values();
    for (std::size_t k = 0; k < centre.size(); ++k) {
      const ParameterEstimate& p = found_.parameters[k];
      for (const double value : {p.lower, p.upper, p.upper + 0.5 * (p.upper - p.value)}) {
        std::vector<double> point = centre;
        point[k] = std::clamp(value, model_.box().lower[k], model_.box().upper[k]);
        try {
          model_.laws_at(point);
          all.push_back(std::move(point));
        } catch (const InputError&) {
          // No such law; the others do.
        }
      }
    }
    if (all.empty()) all.push_back(centre);
    return all;
  }

  void collect() {
    for (std::size_t k = 0; k < request_.parameters.size(); ++k) {
      const ParameterEstimate& p = found_.parameters[k];
      auto& out = results_.parameters.emplace_back();
      out.path = path_of(k);
      out.min = model_.box().lower[k];
      out.max = model_.box().upper[k];
      out.estimate = p.value;
      out.estimate_error = p.value_error;
      out.lower = p.lower;
      out.lower_error = p.lower_error;
      out.upper = p.upper;
      out.upper_error = p.upper_error;
      out.standard_error = p.standard_error;
      out.lower_at_bound = p.lower_at_bound;
      out.upper_at_bound = p.upper_at_bound;
      out.degrees = model_.moves_support(k) ? 2 : 1;
      out.profile_at = p.profile_at;
      out.profile = p.profile;
    }
    for (std::size_t c = 0; c < request_.columns.size(); ++c) {
      const ObservedColumn& column = request_.columns[c];
      const bool timed = column.kind == ObservedColumn::Kind::probed;
      results_.observations.push_back(
          {column.name, column.unit, timed ? column.seconds : nan_value, data_.noise[c]});
    }
    results_.experiments = data_.experiments;
    results_.data = data_.values;
    results_.log_likelihood = found_.log_likelihood;
    results_.log_likelihood_error = found_.log_likelihood_error;
    results_.ess = found_.at_estimate.effective_size;
    results_.log_likelihood_experiment = found_.at_estimate.experiments;
    results_.ess_experiment = found_.at_estimate.effective_sizes;
    results_.fisher = found_.fisher;
    if (pool_) {
      for (const PooledProposal& p : pool_->proposals())
        results_.proposals.push_back({p.parameters, p.draws});
      results_.principal_shares = pool_->principal_shares();
    }
  }

  void find_posterior(const LikelihoodFunction& f) {
    std::vector<ScalarLaw> priors;
    for (const FreeParameter& parameter : request_.parameters) {
      const InputLaw law =
          parameter.prior.value_or(UniformLaw{.min = parameter.min, .max = parameter.max});
      priors.emplace_back(law);
      if (!priors.back().has_density())
        throw RequestError(
            fmt::format("identification.parameters.{}.prior has no density: a {} "
                        "law has single values of positive probability",
                        parameter.path, priors.back().name()));
    }
    SequentialOptions options;
    options.particles = static_cast<std::size_t>(request_.bayes.particles);
    options.replicas = static_cast<std::size_t>(request_.bayes.replicas);
    options.seed = static_cast<std::uint64_t>(request_.ensemble.seed);
    const Posterior posterior =
        sequential_monte_carlo([&](const std::vector<double>& x) { return f(x).total(); }, priors,
                               model_.box().lower, model_.box().upper, options);
    results_.replicas = posterior.replicas;
    results_.particles = posterior.particles;
    results_.posterior = posterior.draws;
    results_.posterior_log_likelihood = posterior.log_likelihoods;
    results_.log_evidence = posterior.log_evidence;
    results_.acceptance = posterior.acceptance;
    const double tail = 0.5 * (1 - request_.intervals.level);
    for (std::size_t k = 0; k < results_.parameters.size(); ++k) {
      auto& out = results_.parameters[k];
      out.mean = posterior.mean[k];
      out.std = posterior.std[k];
      out.posterior_lower = posterior.quantile(k, tail);
      out.posterior_upper = posterior.quantile(k, 1 - tail);
      out.r_hat = posterior.r_hat[k];
      out.effective_size = posterior.effective_size[k];
      out.divergence = posterior.divergence[k];
      if (posterior.r_hat[k] > 1.05)
        warnings_.add(
            fmt::format("{}: replicas of the posterior do not agree (R-hat {:.3f}): more "
                        "particles help",
                        out.path, posterior.r_hat[k]));
    }
  }

  std::vector<double> chosen() const {
    std::vector<double> values;
    for (const auto& p : results_.parameters)
      values.push_back(results_.replicas > 0 ? p.mean : p.estimate);
    return values;
  }

  void find_bands() {
    const double confidence = model_.file().study ? model_.file().study->study.confidence : 0.9;
    results_.quantiles = {0.5 * (1 - confidence), 0.5, 0.5 * (1 + confidence)};
    if (pool_) {
      results_.band_before = pool_->bands(std::nullopt, results_.quantiles);
      results_.band_after = pool_->bands(chosen(), results_.quantiles);
      return;
    }
    DesignParameters sampling;
    sampling.seed = static_cast<std::uint64_t>(request_.ensemble.seed);
    sampling.realizations = static_cast<std::uint64_t>(request_.ensemble.draws);
    const auto bands = [&](const ModelFile& file) {
      const ObservedEnsemble drawn = observe_inputs(file, sampling);
      std::vector<double> all(results_.quantiles.size() * data_.numbers);
      std::vector<double> column(drawn.draws());
      for (std::size_t c = 0; c < data_.numbers; ++c) {
        for (std::size_t j = 0; j < column.size(); ++j)
          column[j] = drawn.responses[j * data_.numbers + c];
        std::ranges::sort(column);
        for (std::size_t q = 0; q < results_.quantiles.size(); ++q)
          all[q * data_.numbers + c] = column[static_cast<std::size_t>(
              results_.quantiles[q] * static_cast<double>(column.size() - 1))];
      }
      return all;
    };
    results_.band_before = bands(model_.file());
    results_.band_after = bands(model_.at(chosen()));
  }

  void judge(IdentificationOutcome& outcome) {
    for (std::size_t k = 0; k < found_.parameters.size(); ++k) {
      const ParameterEstimate& p = found_.parameters[k];
      std::string verdict;
      if (p.lower_at_bound && p.upper_at_bound)
        verdict = "not identifiable: the interval reaches its bounds";
      else if (!p.identifiable())
        verdict = fmt::format("not identifiable: the interval reaches its bound, {} {}",
                              p.lower_at_bound ? "min" : "max",
                              format_number(p.lower_at_bound ? p.lower : p.upper));
      if (!verdict.empty()) warnings_.add(path_of(k) + ": " + verdict);
      outcome.verdicts.push_back(std::move(verdict));
      const double width = p.upper - p.lower;
      for (const auto& [what, error] : {std::pair{"estimate", p.value_error},
                                        {"lower end", p.lower_error},
                                        {"upper end", p.upper_error}})
        if (error > large_error * width)
          warnings_.add(
              fmt::format("{}: the {} has an error of {:.2g} because the ensemble is "
                          "finite, more than {:.0f} % of the interval: more draws help",
                          path_of(k), what, error, 100 * large_error));
    }
    if (!pool_) return;
    if (request_.likelihood != LikelihoodKind::gaussian) {
      const auto& sizes = found_.at_estimate.effective_sizes;
      const auto least = std::ranges::min_element(sizes);
      const auto few =
          std::ranges::count_if(sizes, [](double size) { return size < few_near_experiment; });
      if (few > 0)
        warnings_.add(
            fmt::format("{} of {} experiments have fewer than {:.0f} draws near them, "
                        "experiment {} only {:.1f}: more draws help, or its measurement "
                        "is unlike the model",
                        few, sizes.size(), few_near_experiment, least - sizes.begin() + 1, *least));
    }
    if (pool_->failed() > 0)
      warnings_.add(
          fmt::format("{} of {} runs failed and are left out: the law is that of machines "
                      "that ran; {}",
                      pool_->failed(), pool_->runs(), pool_->first_failure()));
  }

  void write() {
    if (pool_) {
      metadata_.realizations = static_cast<long>(pool_->runs());
      metadata_.failed = static_cast<long>(pool_->failed());
    } else {
      metadata_.realizations = 0;
    }
    if (!warnings_.empty()) metadata_.attributes.emplace_back("warnings", warnings_.text());
    directory_.write(identification_bytes(results_, metadata_),
                     {{"model.yaml", model_.at(chosen()).effective_yaml}});
    std::error_code ignored;
    std::filesystem::remove_all(ensembles(), ignored);
  }

  const IdentificationOptions& options_;
  Observer& observer_;
  VariedModel model_;
  const Identification& request_;
  OutputDirectory directory_;
  Warnings warnings_;
  ExperimentTable table_;
  Measurements data_;
  LikelihoodFrom way_ = LikelihoodFrom::weights;
  std::vector<std::string> exact_paths_;
  std::set<RandomPart> exact_parts_;
  std::optional<EnsemblePool> pool_;
  Estimate found_;
  IdentificationResults results_;
  ResultsMetadata metadata_;
};

}  // namespace

IdentificationOutcome run_identification(const IdentificationOptions& options, Observer& observer) {
  return IdentificationRun(options, observer).run();
}

void help_identification(const IdentificationOptions& options, Ranks& ranks, Observer& observer) {
  const VariedModel model(options.text ? *options.text : read_model_file(options.model),
                          options.model, options.overrides);
  help_with_ensembles(model, options.threads, ranks, observer);
}

}  // namespace tumble
