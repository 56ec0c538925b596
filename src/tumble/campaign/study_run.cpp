#include "tumble/campaign/study_run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <future>
#include <iterator>
#include <map>
#include <system_error>

#include "tumble/base/sha256.hpp"
#include "tumble/campaign/assemble.hpp"
#include "tumble/campaign/errors.hpp"
#include "tumble/campaign/model_text.hpp"
#include "tumble/campaign/prepared_study.hpp"
#include "tumble/campaign/reliability/reliability_study.hpp"
#include "tumble/campaign/run_progress.hpp"
#include "tumble/campaign/shard/shard_journals.hpp"
#include "tumble/campaign/shard/shard_leaves.hpp"
#include "tumble/campaign/study_chaos.hpp"
#include "tumble/campaign/study_densities.hpp"
#include "tumble/campaign/study_inputs.hpp"
#include "tumble/campaign/study_journal.hpp"
#include "tumble/campaign/study_multilevel.hpp"
#include "tumble/campaign/study_quantities.hpp"
#include "tumble/campaign/study_sensitivity.hpp"
#include "tumble/campaign/study_tails.hpp"
#include "tumble/campaign/study_until.hpp"
#include "tumble/campaign/study_variability.hpp"
#include "tumble/campaign/study_verdict.hpp"
#include "tumble/campaign/times/study_time_errors.hpp"
#include "tumble/campaign/times/study_times.hpp"
#include "tumble/campaign/times/time_grid.hpp"
#include "tumble/campaign/warnings.hpp"
#include "tumble/campaign/worst_case/worst_case_study.hpp"
#include "tumble/integrate/accuracy/time_error.hpp"
#include "tumble/integrate/missing_outputs.hpp"
#include "tumble/integrate/start/start_state.hpp"
#include "tumble/integrate/step/schedule.hpp"
#include "tumble/integrate/watch/redundancy.hpp"
#include "tumble/io/model/study_sections.hpp"
#include "tumble/io/model/time_grid.hpp"
#include "tumble/io/results/ensemble_results.hpp"
#include "tumble/io/results/statistics_csv.hpp"
#include "tumble/study/checked_source.hpp"
#include "tumble/study/stopping_rule.hpp"
#include "tumble/study/workers.hpp"

namespace tumble {

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

std::vector<std::string> study_csv_names(const ModelFile& file, bool breaks) {
  std::vector<std::string> names = csv_names(file.model.probes, breaks);
  std::ranges::move(statistics_csv_names(file.model.probes, *file.quantities),
                    std::back_inserter(names));
  return names;
}

namespace {

class StudyRun {
 public:
  StudyRun(const ModelFile& file, const Plan& plan, OutputDirectory& directory,
           const StudyOptions& options, Observer& observer, const ShardJournals* shards = nullptr)
      : options_(options),
        shards_(shards),
        observer_(observer),
        file_(file),
        study_(file.study->study),
        model_(file.model),
        plan_(plan),
        directory_(directory),
        inputs_(file),
        levels_(study_.method == StudyMethod::multilevel
                    ? std::make_unique<StudyLevels>(file, options.model, observer)
                    : nullptr),
        layout_(levels_ ? coupled_layout() : statistics_layout(*plan.system)),
        worst_case_(inputs_.worst_case() != nullptr
                        ? std::make_unique<WorstCaseStudy>(file, *inputs_.worst_case(), layout_,
                                                           options.threads)
                        : nullptr),
        realizations_(inputs_.realizations()),
        warnings_(options.part.empty() ? &observer : nullptr),
        times_(options.begun) {
    sampling_ = inputs_.sampling();
    const auto& list = study_.store.list;
    if (!list.empty() && list.back() >= realizations_)
      throw RequestError(fmt::format("study.store names realisation {}; there are {}, from 0 on",
                                     list.back(), realizations_));
    if (study_.until && study_.until->relative_quantile_width && looks_at_probes(*study_.until) &&
        sampling_.in_copies() && study_.quantile_method == QuantileMethod::sketch)
      throw RequestError(
          "study.until.relative_quantile_width needs quantile_method: exact with this design: "
          "sketches do not tell its copies apart");
    if (sampling_.effective_fraction && sampling_.block == 0 &&
        study_.region != RegionKind::quantile && study_.region != RegionKind::chebyshev)
      throw RequestError(fmt::format(
          "study.region: {} needs independent realisations; these come from Markov chains",
          region_kind_names[static_cast<std::size_t>(study_.region)]));
    if (inputs_.reliability() != nullptr) require_enough_runs(file_, *inputs_.reliability());
    range_ = {0, realizations_};
    if (options.shard) {
      refuse_unless_divisible(study_);
      range_ = shard_range(*options.shard, realizations_);
    }
    describe_run();
  }

  StudyResults run() {
    StudyResults found;
    found.file = directory_.results();
    found.already_there = finished_already();
    if (found.already_there) return found;
    if (inputs_.laws() != nullptr)
      for (const std::string& sentence : inputs_.laws()->announcements())
        observer_.say(Message::information, sentence);
    if (inputs_.worst_case() != nullptr)
      for (const std::string& sentence : inputs_.worst_case()->announcements())
        observer_.say(Message::information, sentence);
    if (plan_.redundancy) observer_.say(Message::note, plan_.redundancy->note());
    warnings_.add(inputs_.warnings());
    settle_grid();
    compute_nominal();
    warnings_.add(nominal_.warnings);
    directory_.create(false);
    open_store();
    times_.spent(&TimeSplit::start_up);
    const auto start = std::chrono::steady_clock::now();
    const bool complete = desk_ ? compute_points() : compute();
    times_.spent_on_leaves();
    if (!complete) {
      if (store_) store_->sync();
      if (points_) points_->sync();
      throw Cancelled("interrupted", true);
    }
    metadata_.wall_time =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    metadata_.computed = static_cast<long>(computed_);
    if (store_) {
      store_->finish();
      // The disk works while statistics are found.
      synced_ = std::async(std::launch::async, [this] { store_->sync(); });
    }
    times_.spent(&TimeSplit::output);
    if (options_.shard) return end_shard(std::move(found));
    desk_ ? write_reliability() : write_results();
    found.too_many_failed =
        too_many_failed(study_, realizations_, failures_.count, chaos_ ? &*chaos_ : nullptr);
    if (bounds_ && found.too_many_failed.empty()) found.too_many_failed = bounds_->failure;
    std::shared_future<void> journal_closed;
    // A study of which too much failed is not over: it may be judged again by other rules.
    if (found.too_many_failed.empty() && store_) {
      journal_closed = reduce_journal(*store_, directory_, keeps_journal());
      times_.spent(&TimeSplit::output);
    }
    found.realizations = realizations_;
    found.computed = computed_;
    found.wall_time = metadata_.wall_time;
    found.times = times_.split();
    found.failed = failures_.count;
    found.first_failures = std::move(failures_.first);
    found.energy_mismatch = failures_.largest_mismatch;
    found.energy_mismatch_of = failures_.largest_mismatch_of;
    found.nominal = std::move(nominal_);
    found.simulation = model_.simulation;
    found.relative_mean_error = errors_.mean;
    found.relative_quantile_width = errors_.quantile;
    if (chaos_ && chaos_->fit)
      found.chaos = {chaos_->fit->method, realizations_ - chaos_->first_validation,
                     chaos_->validation_failed};
    found.details = std::make_shared<StudyDetails>(
        StudyDetails{sampling_, std::move(quantities_), file_.quantities, std::move(sensitivity_),
                     std::move(reliability_), std::move(multilevel_), std::move(bounds_),
                     std::move(journal_closed)});
    found.generated_code = generated_code_;
    found.devices = devices_;
    for (const GermMap& map : inputs_.germ_maps()) found.input_notes.push_back(to_string(map));
    if (inputs_.random() != nullptr)
      for (const ChainSummary& chain : inputs_.random()->chains())
        found.input_notes.push_back(to_string(chain));
    found.warnings = warnings_.sentences();
    return found;
  }

  void help(Ranks& ranks) {
    settle_grid();
    const EnsembleOptions options = ensemble_options();
    if (levels_)
      follow_ensemble(ranks, fingerprint(), levels_->workers(options), options);
    else
      follow_ensemble(ranks, fingerprint(), plan_, inputs_.ensemble(), with_programs(options));
  }

 private:
  bool keeps_journal() const {
    return options_.keep_journal || are_dear(*plan_.system, nominal_, *layout_);
  }

  /// Its leaves are safe in the journal, and its results are nobody's.
  StudyResults end_shard(StudyResults found) {
    synced_.get();
    found.file = directory_.journal();
    found.realizations = range_.size();
    found.first = range_.first;
    found.computed = computed_;
    found.wall_time = metadata_.wall_time;
    found.times = times_.split();
    std::map<std::uint64_t, std::string> failures;  // journals have them in any order
    store_->for_each_leaf(realizations_, [&](const LeafRecord& leaf) {
      for (std::size_t i = 0; i < leaf.realizations(); ++i) {
        if (leaf.outcomes[i].status == RealizationStatus::ok) continue;
        ++found.failed;
        failures.emplace(leaf.first() + i, leaf.outcomes[i].reason);
        if (failures.size() > 3) failures.erase(std::prev(failures.end()));
      }
    });
    for (const auto& [realization, reason] : failures)
      found.first_failures.push_back(fmt::format("realisation {}: {}", realization, reason));
    found.nominal = std::move(nominal_);
    found.simulation = model_.simulation;
    found.warnings = warnings_.sentences();
    return found;
  }

  void describe_run() {
    metadata_.title = file_.model.title;
    metadata_.effective_yaml = file_.effective_yaml;
    metadata_.referenced_files = file_.referenced_files;
    metadata_.added_functions = file_.added_functions;
    metadata_.fields = describe_fields(file_.model);
    metadata_.host = host_name();
    if (!file_.model.beams.empty())
      metadata_.attributes.emplace_back("beams", describe_beams(file_.model));
    metadata_.threads = worker_count(options_.threads);
    if (options_.leader != nullptr) metadata_.ranks = options_.leader->ranks().size();
    metadata_.method = study_method_names[static_cast<std::size_t>(study_.method)];
    metadata_.realizations = static_cast<long>(realizations_);
    metadata_.seed = study_.seed;
    metadata_.model_path = std::filesystem::absolute(options_.model).string();
    metadata_.study_sha256 = sha256(file_.study_identity);
    if (!options_.command.empty()) metadata_.attributes.emplace_back("command", options_.command);
    describe_inputs(inputs_, metadata_);
    if (options_.csv) {
      const bool breaks = !make_schedule(*plan_.system, file_.model).breaks.empty();
      metadata_.csv_files = inputs_.reliability() != nullptr ? csv_names(file_.model.probes, breaks)
                                                             : study_csv_names(file_, breaks);
    }
  }

  JournalIdentity identity() const {
    JournalIdentity study = journal_identity(study_, model_.simulation, sampling_, metadata_);
    return options_.shard ? shard_identity(std::move(study), *options_.shard, realizations_)
                          : study;
  }

  /// By which ranks know that they work on the same.
  std::string fingerprint() const { return sha256(encode_identity(identity())); }

  /// Looks at what the directory holds. True if it is what was asked for.
  bool finished_already() {
    std::error_code ignored;
    const bool journal = std::filesystem::exists(directory_.journal(), ignored);
    if (options_.if_results_exist == IfResultsExist::refuse && journal)
      throw RequestError(fmt::format("{} holds a study", directory_.path().string()),
                         shards_ != nullptr
                             ? std::vector{Way::overwrite, Way::elsewhere}
                             : std::vector{Way::resume, Way::overwrite, Way::elsewhere});
    if (options_.shard) {
      if (options_.if_results_exist != IfResultsExist::overwrite &&
          std::filesystem::exists(directory_.results(), ignored))
        throw RequestError(
            fmt::format("{} holds results, and a shard has none", directory_.path().string()),
            {Way::overwrite, Way::elsewhere});
      return false;
    }
    if (journal && options_.if_results_exist == IfResultsExist::resume) {
      // The journal decides what may go on; results of fewer realisations are made anew.
      const auto found = read_results_identity(directory_.results());
      if (!found || !same_study(*found, identity_of(metadata_))) return false;
    } else if (!directory_.already_done(options_.if_results_exist, identity_of(metadata_))) {
      return false;
    }
    return true;
  }

  static bool same_study(const ResultsIdentity& a, const ResultsIdentity& b) {
    return a.version == b.version && a.model_sha256 == b.model_sha256 &&
           a.referenced_files == b.referenced_files && a.method == b.method &&
           a.added_functions == b.added_functions &&
           std::ranges::all_of(b.csv_files, [&](const std::string& name) {
             return std::ranges::find(a.csv_files, name) != a.csv_files.end();
           });
  }

  /// Every rank finds it by itself, the same one.
  void settle_grid() {
    warnings_.add(settle_time_grid(model_, plan_, &inputs_, options_.threads, observer_));
    if (!model_.simulation.grid.empty())
      metadata_.attributes.emplace_back("time_grid", grid_text(model_.simulation.grid));
  }

  void compute_nominal() {
    RunOptions options;
    options.progress = [this](double) { stop_if_cancelled(observer_); };
    nominal_ = tumble::run(plan_, model_, options);
    if (model_.simulation.estimates_time_error()) add_time_error(plan_, model_, nominal_, options);
    add_missing_outputs(nominal_, make_schedule(*plan_.system, model_));
    for (const Event& event : model_.events)
      if (event.action == EventAction::end)
        nominal_.warnings.push_back(fmt::format(
            "event '{}' ends realisations: statistics at a time are of those that still run then, "
            "as many as `count` says, and quantities over a window are of those that reach its end",
            event.name));
    try_out_functions(nominal_, *file_.quantities);
    std::vector<std::string> notes;
    of_state_ = state_values(*file_.quantities, plan_, model_, notes);
    for (const std::string& note : notes) observer_.say(Message::note, note);
  }

  void open_store() {
    if (inputs_.reliability() != nullptr) return open_points();
    IfResultsExist policy = options_.if_results_exist;
    if (shards_ != nullptr) {
      gather();
      policy = IfResultsExist::resume;
    }
    store_ = open_journal(directory_, policy, study_, sampling_, identity(), layout_);
    if (options_.shard) {
      directory_.remove_results();
      write_shard_model(directory_.path(),
                        {file_.effective_yaml, metadata_.model_path, options_.command});
    }
    // Whoever left them had the lock that we have now.
    if (store_->report().locked) AtomicFile::remove_leftovers(directory_.results());
    if (!store_->report().message.empty())
      observer_.say(Message::information, store_->report().message);
    if (!levels_ && store_->end() > realizations_)
      throw RequestError(
          fmt::format("cannot resume: {} holds {} realisations, more than the {} asked for",
                      directory_.journal().string(), store_->end(), realizations_));
  }

  /// All leaves into the journal of the study.
  void gather() {
    require_same_study(shards_->directories.front() / Journal::file_name, shards_->study,
                       identity());
    try {
      gather_shards(*shards_, directory_,
                    options_.if_results_exist == IfResultsExist::overwrite
                        ? Journal::Start::overwrite
                        : Journal::Start::fresh,
                    [this] { stop_if_cancelled(observer_); });
    } catch (const JournalError& error) {
      throw RequestError(error.what(), {Way::elsewhere});
    }
  }

  void open_points() {
    desk_.emplace(layout_, distance_from_limit(file_));
    points_ = open_point_journal(directory_, options_.if_results_exist, study_, identity(),
                                 [this](const RecordInfo& info, std::string_view payload) {
                                   desk_->restore(info, payload);
                                 });
    desk_->write_to(*points_);
    if (points_->report().locked) AtomicFile::remove_leftovers(directory_.results());
    if (!points_->report().message.empty())
      observer_.say(Message::information, points_->report().message);
  }

  EnsembleOptions ensemble_options() const {
    EnsembleOptions options;
    options.threads = options_.threads;
    options.width = options_.lanes;
    options.randomizations = sampling_.randomizations;
    options.quantities = *file_.quantities;
    if (study_.quantile_method == QuantileMethod::sketch)
      options.sketch_size = static_cast<std::uint32_t>(study_.sketch_size);
    options.keep_values = [this](std::uint64_t leaf) { return keeps_values(study_, leaf); };
    options.stop = [this] { return observer_.cancelled(); };
    return options;
  }

  /// On the devices that were asked for. Ranks share out leaves one by one, too few at a time.
  void choose_devices(EnsembleOptions& options) {
    constexpr std::uint64_t large = 20000;  // compiling takes as long as some thousand runs
    const bool asked = options_.device == StudyDevice::gpu;
    if (!asked && (options_.device == StudyDevice::cpu || range_.size() < large)) return;
    if (options_.leader != nullptr) {
      if (asked)
        observer_.say(Message::warning,
                      "graphics processors are not used under mpirun; --shard divides a study too");
      return;
    }
    options.use_devices = true;
    options.report_devices = [this, asked](bool used, const std::string& sentence) {
      if (used || asked) devices_ = sentence;
      if (asked && !used) observer_.say(Message::warning, sentence);
    };
  }

  /// With the kernels and devices that were asked for, in an ensemble of all realisations.
  EnsembleOptions with_programs(EnsembleOptions options) {
    choose_devices(options);
    if (options_.kernels == StudyKernels::templates) return options;
    const bool awaited = options_.kernels == StudyKernels::generated;
    options.programs = awaited ? ProgramUse::awaited : ProgramUse::when_they_pay;
    options.expected_realizations = range_.size();
    options.report_programs = [this, awaited](const ProgramReport& report) {
      generated_code_ = to_string(report);
      if (awaited && !report.ready) observer_.say(Message::warning, generated_code_);
    };
    return options;
  }

  /// The same here, where runs count as progress.
  EnsembleOptions counted_options() {
    EnsembleOptions options = ensemble_options();
    options.progress = [this](std::uint64_t ended, std::uint64_t failed) {
      observer_.advance(ended, failed);
      computed_ += ended;
    };
    return options;
  }

  /// Stores a leaf by `keep`, and notes what it and storing it took.
  template <class Keep>
  void take_leaf(LeafTimes times, const Keep& keep) {
    const auto start = std::chrono::steady_clock::now();
    keep();
    times_.add_leaf(
        times, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }

  /// Rounds of leaves, until the levels have as many runs as the target needs.
  bool compute_levels() {
    levels_->count_work(observer_);
    const LevelSource::Leaves pilot = levels_->first_round();
    const std::uint64_t there = store_->realizations();
    const RunProgress progress(observer_, there, std::max(there, StudyLevels::runs(pilot)),
                               options_.part);
    EnsembleOptions options = counted_options();
    options.threads = worker_count(options.threads);
    const auto commit = [this](std::uint64_t number, LeafTimes times, auto&& leaf) {
      take_leaf(times, [&] { store_->commit(std::move(leaf)); });
      levels_->add_seconds(number, times.integration);
    };
    const LeafSink sink{
        [&](LeafResult&& leaf) { commit(leaf.record.leaf, leaf.times, std::move(leaf)); },
        [&](EncodedLeaf&& leaf) { commit(leaf.leaf, leaf.times, std::move(leaf)); }};
    LevelSource source(pilot, {[this](const LeafTask& task) { return store_->contains(task); },
                               [&](const LevelSource::Leaves& leaves) {
                                 LevelSource::Leaves next = levels_->next_round(leaves, *store_);
                                 observer_.expect(std::max(there, StudyLevels::runs(next)));
                                 return next;
                               }});
    const LeafWorkers workers = levels_->workers(options);
    const LeafSource next = [&source] { return source.next(); };
    bool complete = false;
    if (options_.leader != nullptr) {
      complete = options_.leader->run(fingerprint(), workers, next, options, sink);
    } else {
      run_leaves(workers, next, options, sink.computed);
      complete = !next();
    }
    if (!complete) return false;
    leaves_ = source.leaves();
    realizations_ = StudyLevels::runs(leaves_);
    return true;
  }

  /// Rounds of leaves: points and polynomials, then what bounds and searches ask for.
  bool compute_worst_case(const EnsembleOptions& options, const LeafSink& sink) {
    const std::uint64_t there = store_->realizations();
    const auto expected = [&](std::uint64_t leaves) {
      return std::max(there, leaves * realizations_per_leaf);
    };
    const RunProgress progress(observer_, there, expected(worst_case_->first_round()),
                               options_.part);
    LevelSource source({worst_case_->first_round()},
                       {[this](const LeafTask& task) { return store_->contains(task); },
                        [&](const LevelSource::Leaves& leaves) {
                          const std::uint64_t next = worst_case_->next_round(leaves[0], *store_);
                          observer_.expect(expected(next));
                          return LevelSource::Leaves{next};
                        }});
    const bool complete = run_all(
        [&]() -> std::optional<LeafTask> {
          auto task = source.next();
          return task ? std::optional(worst_case_->placed(*std::move(task))) : std::nullopt;
        },
        options, sink);
    if (!complete) return false;
    leaves_ = source.leaves();
    realizations_ = leaves_[0] * realizations_per_leaf;
    return true;
  }

  /// Leaves of realisations of the model, here and on other ranks.
  bool run_all(const LeafSource& next, const EnsembleOptions& options, const LeafSink& sink) {
    if (options_.leader != nullptr)
      return options_.leader->run(fingerprint(), plan_, inputs_.ensemble(), next, options, sink);
    return run_ensemble(plan_, inputs_.ensemble(), next, options, sink.computed);
  }

  bool compute() {
    if (levels_) return compute_levels();
    const auto finished = [this](const LeafTask& task) { return store_->contains(task); };
    int leaves = 0;
    std::uint64_t missing = 0, again = 0;
    for (const LeafSource next = leaf_source(range_.first, range_.end, finished);
         const auto task = next();) {
      ++leaves;
      missing += task->count;
      if (store_->lacks_values(*task)) again += task->count;
    }
    if (shards_ != nullptr && missing > 0)
      throw RequestError(
          fmt::format("{} realisations are missing: a shard changed while it was read", missing));
    if (again > 0)
      observer_.say(Message::information,
                    fmt::format("{} finished realisations are computed again: their values were "
                                "left out of the journal when the study ended",
                                again));
    EnsembleOptions options = with_programs(counted_options());
    options.threads = worst_case_ ? worker_count(options.threads)
                                  : std::clamp(leaves, 1, worker_count(options.threads));
    const auto commit = [this](auto&& leaf) {
      take_leaf(leaf.times, [&] { store_->commit(std::move(leaf)); });
    };
    const LeafSink sink{commit, commit};
    if (file_.model.simulation.estimates_time_error() && !options_.shard) {
      time_sample_.emplace(
          plan_, inputs_.ensemble(),
          sample_realizations(inputs_, worst_case_ ? inputs_.available() : realizations_,
                              TimeErrorSample::size),
          *file_.quantities);
      options.observe = [this](std::uint64_t r, const double* values, std::size_t valid_times,
                               std::span<const EventTally> events) {
        time_sample_->observe(r, values, valid_times, events);
      };
    }
    if (worst_case_) return compute_worst_case(options, sink);
    const RunProgress progress(observer_, range_.size() - missing, range_.size(), options_.part);
    if (!study_.until)
      return run_all(leaf_source(range_.first, range_.end, finished), options, sink);
    const StoppingRule rule = stopping_rule_of(file_, *layout_);
    const auto check_from = [&](std::uint64_t n) {
      return check_point(rule.check_every, n, realizations_);
    };
    // What is there already got beyond every check point before it.
    CheckedSource source(check_from(store_->end()),
                         {finished, [&](std::uint64_t n) { return enough(rule, n); },
                          [&](std::uint64_t n) { return check_from(n + 1); }});
    const bool complete = run_all([&source] { return source.next(); }, options, sink);
    if (complete) realizations_ = source.realizations();
    return complete;
  }

  /// The method in a thread of its own, and workers for what it asks.
  bool compute_points() {
    const RunProgress progress(observer_, desk_->restored(), realizations_, options_.part);
    EnsembleOptions options = counted_options();
    options.keep_values = {};
    const auto commit = [this](auto&& leaf) {
      take_leaf(leaf.times, [&] { desk_->take(std::move(leaf)); });
    };
    const LeafSink sink{commit, commit};
    std::uint64_t asked = 0;
    const auto method = [&] {
      reliability_ = find_probability(file_, *inputs_.reliability(), [&](const GermPoints& points) {
        asked += points.size();
        return desk_->evaluate(points);
      });
    };
    const auto work = [&] {
      const LeafSource next = [this] { return desk_->next(); };
      return options_.leader != nullptr
                 ? options_.leader->run(fingerprint(), plan_, inputs_.ensemble(), next, options,
                                        sink)
                 : run_ensemble(plan_, inputs_.ensemble(), next, options, sink.computed);
    };
    const bool complete = run_at_desk(*desk_, method, work);
    realizations_ = asked;
    return complete;
  }

  const StoredValues* stored_values() {
    return study_.quantile_method == QuantileMethod::exact ? &store_->values(realizations_)
                                                           : nullptr;
  }

  QuantileOptions quantile_options() const {
    return {study_.interval_confidence, sampling_, options_.threads};
  }

  bool enough(const StoppingRule& rule, std::uint64_t n) {
    const std::vector<double> probabilities{(1 - study_.confidence) / 2, 0.5,
                                            (1 + study_.confidence) / 2};
    errors_ = {};
    if (!rule.quantities.empty()) {
      const LeafStatistics statistics = store_->statistics(n);
      std::optional<EnsembleQuantiles> quantiles;
      if (rule.relative_quantile_width)
        quantiles =
            ensemble_quantiles(statistics, stored_values(), probabilities, quantile_options());
      errors_ = relative_errors(rule, statistics, quantiles ? &*quantiles : nullptr, sampling_);
    }
    if (!rule.scalars.empty()) {
      const QuantitySamples samples = quantity_samples(file_.quantities->size(), *store_, n);
      for (const std::size_t q : rule.scalars)
        errors_ = larger(
            errors_, relative_errors(quantity_statistics(
                                         samples.values(q), samples.output_errors(q),
                                         {probabilities, study_.interval_confidence, sampling_}),
                                     sampling_));
    }
    return is_met(rule, errors_);
  }

  /// What the results of every study have, `statistics` outliving them.
  EnsembleResults results_of(const LeafStatistics& statistics) {
    metadata_.realizations = static_cast<long>(realizations_);
    EnsembleResults results;
    results.nominal = &nominal_;
    results.statistics = &statistics;
    results.realizations = realizations_;
    results.inputs = inputs_.paths();
    results.sampling = sampling_;
    results.interval_confidence = study_.interval_confidence;
    results.ranges = declared_ranges(file_.model);
    return results;
  }

  /// With what `tables` makes of the file beside them.
  template <class Tables>
  void write_file(const EnsembleResults& results, const Tables& tables) {
    if (!warnings_.empty()) metadata_.attributes.emplace_back("warnings", warnings_.text());
    directory_.write([&](AtomicFile& file) {
      failures_ = write_ensemble_results(file, results, metadata_);
      return options_.csv ? tables(file) : std::vector<CsvFile>{};
    });
    for (const std::string& sentence : failures_.out_of_range)
      observer_.say(Message::warning, sentence);
    times_.spent(&TimeSplit::output);
  }

  void write_results() {
    observer_.about_to(fmt::format(
        "the statistics of {} realisations of {} numbers{}", realizations_, layout_->row(),
        study_.quantile_method == QuantileMethod::exact
            ? fmt::format(", kept for exact quantiles: {:.3g} GiB; "
                          "study.quantile_method: sketch keeps none",
                          static_cast<double>(realizations_) * static_cast<double>(layout_->row()) *
                              sizeof(double) / 0x1p30)
            : ""));
    const LeafStatistics statistics =
        levels_ ? LeafBuilder(layout_, {}, 0).statistics() : store_->statistics(realizations_);
    EnsembleResults results = results_of(statistics);
    results.probabilities = quantile_probabilities(study_);
    results.has_statistics = !is_screening(study_);
    if (inputs_.chaos() != nullptr) {
      chaos_ = fit_chaos(*inputs_.chaos(), study_, nominal_, *store_, options_.threads);
      results.chaos = &*chaos_;
      warnings_.add(chaos_->warnings);
    } else if (inputs_.variability() != nullptr) {
      variability_ = study_variability(*inputs_.variability(), *stored_values(), study_);
      results.variability = &*variability_;
      results.has_statistics = false;
      warnings_.add(variability_warnings(*variability_, nominal_, *layout_));
    } else if (levels_) {
      multilevel_ = levels_->results(leaves_, *store_);
      results.multilevel = &*multilevel_;
      results.has_statistics = false;
      warnings_.add(multilevel_warnings(*multilevel_));
    } else if (worst_case_) {
      bounds_ = worst_case_->results(leaves_[0], *store_);
      results.worst_case = &*bounds_;
      results.has_statistics = false;
      warnings_.add(bounds_->warnings);
    } else if (results.has_statistics) {
      results.quantiles = ensemble_quantiles(statistics, stored_values(), results.probabilities,
                                             quantile_options());
      results.confidence = study_.confidence;
      results.region_kind = study_.region;
      results.region = ensemble_region(
          statistics, stored_values(),
          {study_.region, study_.confidence, study_.interval_confidence, sampling_});
      warnings_.add(tail_warnings(statistics, stored_values(), sampling_, nominal_));
    }
    if (time_sample_) {
      // How many there would be was not known when it was chosen.
      if (study_.until)
        time_sample_.emplace(plan_, inputs_.ensemble(),
                             sample_realizations(inputs_, realizations_, TimeErrorSample::size),
                             *file_.quantities);
      times_.spent(&TimeSplit::statistics);
      time_errors_ = time_sample_->finish(realizations_, options_.threads);
      times_.spent(&TimeSplit::integration);
      // Points of polynomial chaos have weights; no mean of errors exceeds their root mean square.
      if (chaos_ || worst_case_) {
        time_errors_->mean = time_errors_->rms;
        time_errors_->quantity_mean = time_errors_->quantity_rms;
      }
      results.time_errors = &*time_errors_;
      for (std::size_t q = 0; bounds_ && q < bounds_->quantities.size(); ++q)
        bounds_->quantities[q].time_error = time_errors_->quantity_rms[q];
      if (!chaos_ && results.has_statistics)
        warnings_.add(time_error_warnings(*time_errors_, statistics, sampling_, nominal_));
    }
    if (study_.densities && (!chaos_ || chaos_->fit))
      results.densities =
          study_densities(file_, nominal_, statistics.moments().layout(), stored_values(),
                          chaos_ ? &*chaos_ : nullptr, sampling_, options_.threads);
    quantities_ = nominal_quantities(*file_.quantities, nominal_, of_state_);
    std::vector<std::string> sentences;
    if (results.has_statistics)
      add_quantity_statistics(quantities_, *store_, realizations_, inputs_, study_,
                              time_errors_ ? &*time_errors_ : nullptr, options_.threads, sentences);
    if (inputs_.sensitivity() != nullptr) {
      sensitivity_ = study_sensitivity(*inputs_.sensitivity(), study_, nominal_, statistics,
                                       *store_, realizations_);
      add_quantity_sensitivity(quantities_, *inputs_.sensitivity(), study_, *store_, realizations_,
                               sentences);
      results.sensitivity = &*sensitivity_;
    }
    warnings_.add(sentences);
    warnings_.add(output_warnings(quantities_));
    results.quantities = quantities_;
    times_.spent(&TimeSplit::statistics);
    results.store = study_.store;
    // A study that ended by its rule may not have come to all of them.
    std::erase_if(results.store.list, [&](std::uint64_t r) { return r >= realizations_; });
    results.for_each_leaf = [&](const auto& visit) {
      if (levels_)
        levels_->for_each_leaf(leaves_, *store_, visit);
      else
        store_->for_each_leaf(realizations_, visit);
    };
    results.for_each_values = [&](const auto& visit) {
      store_->for_each_values(realizations_, visit);
    };
    synced_.get();
    // Much memory takes a while to free, so it begins while results are written.
    std::future<void> freed;
    if (!keeps_journal() && !results.store.all && results.store.list.empty())
      freed = std::async(std::launch::async, [this] { store_->free_values(); });
    if (may_change_start(model_, inputs_.paths()))
      for (const std::string& warning : changed_start_warnings(*store_, realizations_))
        warnings_.add(warning);
    write_file(results, [&](AtomicFile& file) {
      std::vector<CsvFile> csv = results_csv(nominal_);
      std::ranges::move(statistics_csv(file.temporary(), nominal_, *file_.quantities),
                        std::back_inserter(csv));
      return csv;
    });
  }

  void write_reliability() {
    const LeafStatistics none(0, Moments(layout_), std::nullopt);
    EnsembleResults results = results_of(none);
    results.has_statistics = false;
    results.reliability = &*reliability_;
    warnings_.add(reliability_->estimate.warnings);
    quantities_ = nominal_quantities(*file_.quantities, nominal_, of_state_);
    results.quantities = quantities_;
    results.for_each_leaf = [&](const auto& visit) {
      for_each_packed_leaf(*points_, layout_, visit);
    };
    times_.spent(&TimeSplit::statistics);
    points_->sync();
    write_file(results, [&](AtomicFile&) { return results_csv(nominal_); });
  }

  const StudyOptions& options_;
  const ShardJournals* shards_;  ///< that results are made of; null: none
  Observer& observer_;
  const ModelFile& file_;
  const Study& study_;
  Model model_;  ///< with the time grid, once it is found
  Plan plan_;
  OutputDirectory& directory_;
  const StudyInputs inputs_;
  const std::unique_ptr<StudyLevels> levels_;  ///< of a multilevel study
  LayoutPointer layout_;
  const std::unique_ptr<WorstCaseStudy> worst_case_;  ///< of a worst-case study
  std::uint64_t realizations_;  ///< with a stopping rule the most, until it is known
  ShardRange range_;            ///< of them those to compute
  Sampling sampling_;           ///< what errors depend on
  RelativeErrors errors_;       ///< with a stopping rule: where it was last looked at
  ResultsMetadata metadata_;
  Trajectory nominal_;
  Warnings warnings_;
  std::unique_ptr<StudyStore> store_;  ///< null of a study of reliability, which has the next two
  std::unique_ptr<Journal> points_;
  std::optional<PointDesk> desk_;
  std::atomic<std::uint64_t> computed_ = 0;
  EnsembleFailures failures_;
  std::optional<ChaosResults> chaos_;  ///< of a study by polynomial chaos, once it is complete
  std::optional<SensitivityResults> sensitivity_;  ///< likewise, of one of sensitivity
  std::optional<VariabilityResults> variability_;  ///< likewise, of variability response
  std::optional<ReliabilityResults> reliability_;  ///< likewise, of reliability
  LevelSource::Leaves leaves_;  ///< of the levels, or of a worst-case study, likewise
  std::optional<MultilevelResults> multilevel_;  ///< likewise
  std::optional<WorstCaseResults> bounds_;       ///< likewise, of a worst-case study
  std::optional<TimeErrorSample> time_sample_;
  std::optional<EnsembleTimeErrors> time_errors_;
  std::vector<double> of_state_;  ///< quantities of the nominal machine that need no run
  std::vector<QuantityResults> quantities_;
  StudyTimes times_;
  std::string generated_code_;  ///< what became of it
  std::string devices_;         ///< what they did
  std::future<void> synced_;    ///< the journal of a study whose leaves are complete
};

}  // namespace

void check_study(const ModelFile& file, const Plan& plan, const StudyOptions& options) {
  OutputDirectory nowhere{std::filesystem::path()};
  Observer nobody;
  StudyRun(file, plan, nowhere, options, nobody);
}

StudyResults run_study(const ModelFile& file, const StudyOptions& options, Observer& observer) {
  if (!file.study) throw RequestError("the model has no section `study`");
  const Plan plan = assemble(file, options.model, observer);
  OutputDirectory directory(options.directory);
  directory.refuse_special_files(options.csv ? study_csv_names(file, true)
                                             : std::vector<std::string>{});
  directory.refuse_sweep();
  return run_study(file, plan, directory, options, observer);
}

StudyResults run_study(const ModelFile& file, const Plan& plan, OutputDirectory& directory,
                       const StudyOptions& options, Observer& observer,
                       const ShardJournals* shards) {
  return StudyRun(file, plan, directory, options, observer, shards).run();
}

void help_study(const ModelFile& file, const Plan& plan, const StudyOptions& options, Ranks& ranks,
                Observer& observer) {
  OutputDirectory directory(options.directory);
  StudyRun(file, plan, directory, options, observer).help(ranks);
}

void require_success(const StudyResults& results) {
  if (!results.too_many_failed.empty()) throw TooManyFailed(results.too_many_failed);
}

}  // namespace tumble
